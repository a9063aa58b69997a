"""Instructions hidden in what a tool returned: flagged for people who read traces, never blocked.

The list is short and meant to be: it names what attacks on agents say most often, in English,
Spanish and Portuguese, and whoever words it otherwise passes. What protects is that a call is
checked when it is proposed, and that output is handed on as data.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import re2

MOST_READ = 200_000
"""Characters of a result that are searched; the rest goes unread."""

# Letters are without accents and in lower case when these are looked for.
PATTERNS: Mapping[str, tuple[str, ...]] = {
    "overrides_instructions": (
        r"\b(ignore|disregard|forget|override)\b[^.\n]{0,40}\b(previous|prior|above|earlier|all|your)"
        r"\b[^.\n]{0,30}\b(instructions?|rules?|prompts?|guidelines?|directions?)",
        r"\b(ignora|ignore|olvida|olvide|descarta|desatiende)\b[^.\n]{0,40}"
        r"\b(instrucciones|reglas|indicaciones|ordenes)",
        r"\b(ignore|ignora|esqueca|desconsidere|descarte)\b[^.\n]{0,40}"
        r"\b(instrucoes|regras|orientacoes|ordens)",
    ),
    "gives_a_new_role": (
        r"\b(you are now|from now on,? you|act as (if|though|an?|the)\b|new instructions?:)",
        r"\b(ahora eres|a partir de ahora,? (eres|debes|actua)|actua como|nuevas instrucciones:)",
        r"\b(agora voce e|a partir de agora,? voce|aja como|novas instrucoes:)",
    ),
    "speaks_as_the_system": (
        r"(^|\n)\s*(system|developer|assistant)\s*(prompt|message)?\s*:",
        r"</?\s*(system|assistant|developer|instructions?|untrusted_content)\s*>",
        r"<\|(im_start|im_end|system|endoftext)\|>|\[/?inst\]|<<sys>>",
        r"\b(system|developer) (prompt|message)\b",
        r"\b(mensaje|instruccion(es)?|indicaciones) del sistema\b",
        r"\b(mensagem|instruc(ao|oes)) do sistema\b",
    ),
    "asks_for_a_call": (
        r"\b(call|invoke|run|execute|use)\b[^.\n]{0,20}\b(tool|function)\b",
        r"\b(llama|invoca|ejecuta|usa)\b[^.\n]{0,20}\b(herramienta|funcion)\b",
        r"\b(chame|invoque|execute|use)\b[^.\n]{0,20}\b(ferramenta|funcao)\b",
    ),
    "asks_for_secrets": (
        r"\b(reveal|print|repeat|send|show|leak|forward)\b[^.\n]{0,40}"
        r"\b(passwords?|api keys?|secrets?|credentials?|tokens?|system prompt)\b",
        r"\b(revela|imprime|repite|envia|muestra)\b[^.\n]{0,40}"
        r"\b(contrasenas?|claves?|secretos?|credenciales)\b",
        r"\b(revele|imprima|repita|envie|mostre)\b[^.\n]{0,40}"
        r"\b(senhas?|chaves?|segredos?|credenciais)\b",
    ),
    "hides_from_people": (
        r"\b(do not|don't|never|without)\b[^.\n]{0,20}\b(tell|telling|mention|inform|notify|asking|"
        r"alert)\w*\b[^.\n]{0,20}\b(user|customer|human|anyone|operator)",
        r"\b(no|sin)\b[^.\n]{0,20}\b(digas|avis\w+|mencion\w+|inform\w+|preguntar)\b[^.\n]{0,20}"
        r"\b(usuario|cliente|nadie|persona)",
        r"\b(nao|sem)\b[^.\n]{0,20}\b(diga|avis\w+|mencion\w+|inform\w+|perguntar)\b[^.\n]{0,20}"
        r"\b(usuario|cliente|ninguem|pessoa)",
    ),
}
HIDDEN = "hidden_characters"
"""The flag of characters that a person does not see and a model reads."""


def suspicions(data: object) -> tuple[str, ...]:
    """Return the names of what looks like instructions in some data, in the order of the list."""
    text = "\n".join(_texts(data))[:MOST_READ]
    plain = _plain(text)
    found = [
        name for name, patterns in _compiled().items() if any(one.search(plain) for one in patterns)
    ]
    if _hidden().search(text):
        found.append(HIDDEN)
    return tuple(found)


def _texts(data: object) -> Iterator[str]:
    """Return every string in some data, names of properties too."""
    waiting = [data]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            waiting.extend(reversed([inner for pair in item.items() for inner in pair]))
        elif isinstance(item, list):
            waiting.extend(reversed(item))


def _plain(text: str) -> str:
    """Return a text in lower case, without accents, invisible characters and odd widths."""
    seen = _hidden().sub("", text)
    apart = unicodedata.normalize("NFKD", seen)
    return "".join(letter for letter in apart if not unicodedata.combining(letter)).lower()


@cache
def _compiled() -> dict[str, tuple[Any, ...]]:
    return {name: tuple(_pattern(one) for one in some) for name, some in PATTERNS.items()}


@cache
def _hidden() -> Any:
    # Zero width, directions, tags, and variation selectors beyond those of emoji.
    return _pattern(
        "[\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
    )


def _pattern(pattern: str) -> Any:
    options = re2.Options()
    options.never_capture = True
    options.log_errors = False
    return re2.compile(pattern, options)
