"""Words that carry no evidence in English, Spanish and Portuguese, folded.

A short list of articles, pronouns, prepositions, auxiliaries and courtesies. Verbs that name an
action ("find", "buscar") are not in it.
"""

from __future__ import annotations

_ENGLISH = """
a about after again all also am an and any are as at be because been before being both but by can
could did do does doing don each few for from further had has have having he her here hers him his
how i if in into is it its itself just know let like ll me more most my myself need no nor not now
of off on once only or other our ours out over own please s same she should so some such t than
thank thanks that the their theirs them then there these they this those through to too under until
up us ve very want was we were what when where which while who whom why will with would you your
"""
_SPANISH = """
al algo algun alguna algunos ante antes aqui asi aun aunque cada como con cual cuales cuando cuanto
de del desde donde dos el ella ellas ellos en entre era eran es esa esas ese eso esos esta estan
estas este esto estos favor fue ha hace hacia han hasta hay la las le les lo los mas me mi mis mucho
muy nada ni no nos nosotros nuestra nuestro o os otra otro para pero por porque que quien quiero se
sea ser si sin sobre solo son soy su sus tal tambien te tengo ti tiene todo todos tu tus un una unas
uno unos ya y yo
"""
_PORTUGUESE = """
a ao aos as ate com como da das de dela dele deles depois do dos e ela elas ele eles em entre era
essa essas esse esses esta estao estas estava este estes eu favor foi for ha isso isto ja la lhe
mais mas me mesmo meu meus minha minhas muito na nao nas nem no nos nossa nosso num numa o os ou
para pela pelas pelo pelos por qual quando quanto que quem quero sao se seja sem ser seu seus so sua
suas tambem te tem tenho tu um uma umas uns voce voces
"""

ENGLISH = frozenset(_ENGLISH.split())
SPANISH = frozenset(_SPANISH.split())
PORTUGUESE = frozenset(_PORTUGUESE.split())
STOP_WORDS = ENGLISH | SPANISH | PORTUGUESE
