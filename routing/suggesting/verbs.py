"""Verbs that tools are named and described with, in English, Spanish and Portuguese, folded.

A verb says what a tool does; what it does it to makes the group. Forms that descriptions begin with
("Busca", "Devuelve", "Obtém") lead to their infinitive.
"""

from collections.abc import Mapping

_ENGLISH = """
accept acknowledge activate add adjust analyse analyze answer append apply approve archive ask
assign attach authenticate authorize block book build buy calculate call cancel change check choose
classify clear clone close collect comment compare complete compose compute configure confirm
connect convert copy correct count create deactivate decline delete deliver deploy describe detach
detect determine disable disconnect dismiss display download draft edit enable encode end escalate
estimate evaluate execute explain export extract fetch fill filter find fork forward generate get
grant identify import insert inspect install invite invoke issue list load locate lock log look
lookup make manage mark match measure merge modify monitor move mute normalize notify obtain open
order pause pay perform pin place plan play post postpone predict prepare process provide publish
pull purchase push put query quote rank read recommend reconcile record refund register reject
release reload remove rename renew replace reply reprioritize request reschedule reserve reset
resolve restart restore resume retrieve return revert review revoke run save scan schedule search
select sell send set settle share show sign simulate solve sort split star start stop store submit
subscribe suggest summarise summarize switch sync terminate test toggle track transfer translate
trigger unassign unblock unlock unmute unpin unresolve unstar unsubscribe update upload upsert
validate verify view watch withdraw write
"""
# Infinitive, then the forms of it that a description begins with.
_SPANISH = """
abrir:abre actualizar:actualiza adjuntar:adjunta agregar:agrega analizar:analiza anular:anula
anadir:anade aplicar:aplica aprobar:aprueba archivar:archiva asignar:asigna ayudar:ayuda
borrar:borra buscar:busca calcular:calcula cambiar:cambia cancelar:cancela cargar:carga
cerrar:cierra cobrar:cobra comparar:compara comprar:compra comprobar:comprueba conciliar:concilia
confirmar:confirma consultar:consulta convertir:convierte copiar:copia corregir:corrige crear:crea
dar:da devolver:devuelve editar:edita ejecutar:ejecuta eliminar:elimina emitir:emite
encontrar:encuentra entregar:entrega enviar:envia establecer:establece explicar:explica
exportar:exporta facturar:factura generar:genera gestionar:gestiona guardar:guarda hacer:hace
importar:importa iniciar:inicia insertar:inserta leer:lee listar:lista localizar:localiza
marcar:marca modificar:modifica mostrar:muestra mover:mueve notificar:notifica obtener:obtiene
pagar:paga pedir:pide permitir:permite posponer:pospone preguntar:pregunta preparar:prepara
programar:programa publicar:publica quitar:quita realizar:realiza recuperar:recupera
redactar:redacta registrar:registra renovar:renueva reservar:reserva responder:responde
rescindir:rescinde revisar:revisa sacar:saca seguir:sigue seleccionar:selecciona subir:sube
sumar:suma terminar:termina traducir:traduce traer:trae transferir:transfiere validar:valida
vender:vende ver:ve verificar:verifica completar:completa anotar:anota apuntar:apunta
decir:dice enumerar:enumera extraer:extrae pasar:pasa poner:pone prorrogar:prorroga
"""
_PORTUGUESE = """
abrir:abre acompanhar:acompanha adicionar:adiciona agendar:agenda ajustar:ajusta alterar:altera
analisar:analisa anexar:anexa apagar:apaga aplicar:aplica aprovar:aprova arquivar:arquiva
atribuir:atribui atualizar:atualiza baixar:baixa buscar:busca cadastrar:cadastra calcular:calcula
cancelar:cancela carregar:carrega cobrar:cobra comparar:compara comprar:compra conciliar:concilia
concluir:conclui confirmar:confirma consultar:consulta converter:converte copiar:copia
corrigir:corrige criar:cria definir:define devolver:devolve editar:edita emitir:emite
encerrar:encerra encontrar:encontra enviar:envia escrever:escreve excluir:exclui executar:executa
explicar:explica exportar:exporta fazer:faz fechar:fecha gerar:gera gerenciar:gerencia
importar:importa iniciar:inicia inserir:insere ler:le listar:lista localizar:localiza
marcar:marca modificar:modifica mostrar:mostra mover:move notificar:notifica obter:obtem
pagar:paga pedir:pede perguntar:pergunta permitir:permite pesquisar:pesquisa preparar:prepara
procurar:procura publicar:publica realizar:realiza recuperar:recupera registrar:registra
remover:remove renovar:renova reservar:reserva responder:responde retornar:retorna revisar:revisa
salvar:salva selecionar:seleciona traduzir:traduz transferir:transfere validar:valida
vender:vende ver:ve verificar:verifica anotar:anota dizer:diz enumerar:enumera extrair:extrai
mudar:muda passar:passa prorrogar:prorroga
"""


def _forms(text: str) -> dict[str, str]:
    infinitives: dict[str, str] = {}
    for pair in text.split():
        infinitive, _, form = pair.partition(":")
        infinitives[infinitive] = infinitives[form] = infinitive
    return infinitives


_BARE = frozenset(_ENGLISH.split())
INFINITIVES: Mapping[str, Mapping[str, str]] = {
    "english": {verb: verb for verb in _BARE},
    "spanish": _forms(_SPANISH),
    "portuguese": _forms(_PORTUGUESE),
}
# Verbs that are hardly ever a noun of a name, as "issue", "order" and "file" are.
_PLAINEST = "add create delete find get list read remove search set update write"
PLAINEST = frozenset(_PLAINEST.split())
# What protocols and programs say, as people say it.
PLAIN: Mapping[str, Mapping[str, str]] = {
    "english": {
        **dict.fromkeys(("fetch", "get", "lookup", "obtain", "retrieve", "return"), "look up"),
        **dict.fromkeys(("patch", "put", "upsert"), "update"),
        "post": "create",
    },
    "spanish": {"devolver": "consultar", "enumerar": "listar", "obtener": "consultar"},
    "portuguese": dict.fromkeys(("devolver", "obter", "retornar"), "consultar"),
}


def infinitive(word: str, language: str) -> str | None:
    """Return the verb that a folded word is a form of, ``None`` where it is no known verb."""
    if language != "english":
        return INFINITIVES[language].get(word)
    return next((form for form in _bare_forms(word) if form in _BARE or form == "patch"), None)


def _bare_forms(word: str) -> tuple[str, ...]:
    """Return what an English third person may be of: "searches", "retries", "finds"."""
    return (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y")
