"""The pages in Spanish and Portuguese: no text is left out, and none is broken by its translation.

What must be translated is read from the sources by Babel and by Django's own reader of templates,
so that GNU gettext is needed to make translations and not to test them.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog as Texts
from babel.messages.catalog import Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.translation import deactivate, override
from django.utils.translation.template import templatize

from catalog.document import Problem, SchemaFault
from catalog.document.checks import schema_problems
from catalog.models import Catalog, Group, GroupTool, Tool
from catalog.schema_text import read_schema
from dashboard.overview_cards import change, written
from dashboard.templatetags.words import said
from routing.keys import make_key

LOCALES = settings.BASE_DIR / "dashboard" / "locale"
LANGUAGES = ("es", "pt")
PACKAGES = ("catalog", "dashboard", "routing")
KEYWORDS = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
}
# templatize() writes the texts of a template as calls among what is blanked out.
CALL = re.compile(
    r""" (n?gettext|_)\(((?:u?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'),? ?)+)(?:count)?\) """
)
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%%|\{\w*\}|</?\w+>")

# The texts of a message: one, or singular and plural.
type_of_texts = tuple[str, ...]


def texts_of_python() -> Iterator[type_of_texts]:
    for package in PACKAGES:
        for path in sorted((settings.BASE_DIR / package).rglob("*.py")):
            with path.open("rb") as source:
                for _line, texts, _comments, _context in extract("python", source, KEYWORDS):
                    yield (texts,) if isinstance(texts, str) else tuple(filter(None, texts))


def texts_of_template(source: str) -> Iterator[type_of_texts]:
    for call in CALL.finditer(templatize(source)):
        call_source = BytesIO(f"{call[1]}({call[2]})".encode())
        for _line, texts, _comments, _context in extract("python", call_source, KEYWORDS):
            yield (texts,) if isinstance(texts, str) else tuple(filter(None, texts))


def texts_of_templates() -> Iterator[type_of_texts]:
    for path in sorted((settings.BASE_DIR / "templates").rglob("*.html")):
        yield from texts_of_template(path.read_text())


def read(code: str) -> Texts:
    return read_po(BytesIO(file_of(code, "po").read_bytes()), locale=code)


def file_of(code: str, suffix: str) -> Path:
    path: Path = LOCALES / code / "LC_MESSAGES" / f"django.{suffix}"
    return path


def messages(texts: Texts) -> dict[type_of_texts, Message]:
    """Return the messages of a file by their English texts, without the header."""
    return {parts(message.id): message for message in texts if message.id}


def parts(text: object) -> type_of_texts:
    return (text,) if isinstance(text, str) else tuple(text)  # type: ignore[arg-type]


def test_the_texts_of_a_template_are_found() -> None:
    found = texts_of_template(
        "{% load i18n %}{% translate 'It is \"so\"' %}{% include 'x' with a=_(\"It's\") %}"
        "{% blocktranslate with a=b|default:_('none') %}5 % of {{ a }}{% endblocktranslate %}"
        "{% blocktranslate count n=n %}{{ n }} tool{% plural %}{{ n }} tools{% endblocktranslate %}"
        "{{ a|default:_('nothing') }}"
    )
    assert list(found) == [
        ('It is "so"',),
        ("It's",),
        ("none",),
        ("5 %% of %(a)s",),
        ("%(n)s tool", "%(n)s tools"),
        ("nothing",),
    ]


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_file_holds_every_text_of_the_sources_and_no_other(code: str) -> None:
    of_python, of_templates = set(texts_of_python()), set(texts_of_templates())
    assert len(of_python) > 300
    assert len(of_templates) > 200
    there = set(messages(read(code)))
    singulars = {texts[0] for texts in there}
    missing = {texts for texts in of_python | of_templates if texts[0] not in singulars}
    assert not missing, f"run make messages and translate: {missing}"
    unused = there - of_python - of_templates
    assert not unused, f"run make messages: {unused}"


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_text_is_translated(code: str) -> None:
    texts = read(code)
    assert not texts.obsolete
    assert texts.num_plurals == 2
    for english, message in messages(texts).items():
        translated = parts(message.string)
        assert not message.fuzzy, english
        assert len(translated) == len(english), english
        assert all(text.strip() for text in translated), english


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_translation_keeps_what_is_put_into_the_text(code: str) -> None:
    broken = [
        (english, translated)
        for english, message in messages(read(code)).items()
        for text, translated in zip(english, parts(message.string), strict=True)
        if sorted(PLACEHOLDER.findall(text)) != sorted(PLACEHOLDER.findall(translated))
    ]
    assert not broken


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_translation_ends_as_the_text_does(code: str) -> None:
    # A sentence stays one, a label gets no full stop.
    odd = [
        (english[0], parts(message.string)[0])
        for english, message in messages(read(code)).items()
        if english[0].rstrip("”").endswith((".", "?", ":"))
        != parts(message.string)[0].rstrip("”").endswith((".", "?", ":"))
        or english[0].strip() != english[0]
        or parts(message.string)[0].strip() != parts(message.string)[0]
    ]
    assert not odd


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_compiled_file_is_that_of_the_text_file(code: str) -> None:
    fresh = BytesIO()
    write_mo(fresh, read(code))
    fresh.seek(0)
    with file_of(code, "mo").open("rb") as compiled:
        shipped = {parts(m.id): m.string for m in read_mo(compiled) if m.id}
    assert shipped == {parts(m.id): m.string for m in read_mo(fresh) if m.id}, "run make messages"


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_header_names_nobody(code: str) -> None:
    header = dict(read(code).mime_headers)
    assert header["Language"] == code
    assert header["Last-Translator"] == header["Language-Team"] == ""


@pytest.fixture(autouse=True)
def _leave_in_english() -> Iterator[None]:
    """Put back the language that a request of a test leaves behind in its thread."""
    yield
    deactivate()


@pytest.fixture
def catalog(db: None) -> Catalog:
    """Return a catalog of one group with one tool."""
    catalog = Catalog.objects.create(name="back-office", title="Back office")
    group = Group.objects.create(catalog=catalog, name="billing", description="Use to bill.")
    tool = Tool.objects.create(catalog=catalog, name="find_bill", description="Finds a bill.")
    GroupTool.objects.create(group=group, tool=tool)
    return catalog


# The page, and a word of it in each language that English does not have.
PAGES = [
    ("dashboard:overview", False, "Resumen", "Visão geral"),
    ("dashboard:playground", False, "Elegir las herramientas", "Escolher as ferramentas"),
    ("catalog:catalogs", False, "Nuevo catálogo", "Novo catálogo"),
    ("catalog:groups", True, "1 herramienta<", "1 ferramenta<"),
    ("catalog:new_group", True, "cuándo usarlo", "quando usá-lo"),
    ("catalog:tools", True, "Añadir herramienta", "Adicionar ferramenta"),
    ("catalog:new_tool", True, "Esquema de entrada", "Esquema de entrada"),
    ("dashboard:versions", True, "Publicar el borrador", "Publicar o rascunho"),
    ("dashboard:keys", False, "Nueva clave", "Nova chave"),
    ("dashboard:new_key", False, "Crear la clave", "Criar a chave"),
]


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("view_name", "of_catalog", "es", "pt"), PAGES)
def test_a_page_speaks_the_language_of_the_browser(
    signed_in: Client,
    catalog: Catalog,
    view_name: str,
    of_catalog: bool,
    es: str,
    pt: str,
    code: str,
) -> None:
    path = reverse(view_name, kwargs={"catalog": catalog.name} if of_catalog else {})
    text = signed_in.get(path, headers={"Accept-Language": code}).text
    assert f'<html lang="{code}">' in text
    assert {"es": es, "pt": pt}[code].casefold() in text.casefold()
    assert {"es": "Claves", "pt": "Chaves"}[code] in text


def test_a_browser_of_brazil_gets_portuguese(client: Client, db: None) -> None:
    text = client.get("/sign-in", headers={"Accept-Language": "pt-BR,pt;q=0.9,en;q=0.8"}).text
    assert '<html lang="pt">' in text
    assert "Nome de usuário" in text
    assert "Senha" in text


@pytest.mark.parametrize(
    ("code", "was", "milliseconds", "share"),
    [
        ("en", "+300 % from 1,250", "2.9 ms", "85.2 %"),
        ("es", "+300 % frente a 1\N{NO-BREAK SPACE}250", "2,9 ms", "85,2 %"),
        ("pt", "+300 % ante 1.250", "2,9 ms", "85,2 %"),
    ],
)
def test_numbers_are_written_as_the_language_writes_them(
    code: str, was: str, milliseconds: str, share: str
) -> None:
    with override(code):
        assert change(5000, 1250, "count") == was
        assert written(2900, "microseconds") == milliseconds
        assert written(0.852, "share") == share


@pytest.mark.parametrize(
    ("code", "day"), [("en", "5 Nov 2026"), ("es", "05/11/2026"), ("pt", "05/11/2026")]
)
def test_days_are_written_as_the_language_writes_them(
    signed_in: Client, code: str, day: str
) -> None:
    make_key(name="agent", now=datetime(2026, 11, 5, 12, tzinfo=UTC), catalogs=None)
    assert f">{day}</time>" in signed_in.get("/keys", headers={"Accept-Language": code}).text


def test_a_problem_is_said_with_what_is_said_inside_it() -> None:
    fault = SchemaFault("“%(reference)s” points outside this schema.", {"reference": "http://x"})
    problem = Problem("invalid_schema", ("tools", "a"), "Input schema: %(fault)s", {"fault": fault})
    with override("es"):
        assert said(problem) == "Esquema de entrada: “http://x” apunta fuera de este esquema."
    assert problem.message == "Input schema: “http://x” points outside this schema."


def test_the_faults_of_a_schema_are_said_in_the_reader_s_language() -> None:
    with override("pt"):
        (broken,) = read_schema('{"type": }').faults
        (outside,) = read_schema('{"$ref": "http://example.org/x"}').faults
        assert str(broken) == "Linha 1, coluna 10: Esperava-se um valor."
    assert str(outside) == "“http://example.org/x” aponta para fora deste esquema."
    assert [str(fault) for fault in schema_problems("x")] == ["A schema is a JSON object."]
