"""The form that brings a document of tools in, by one of three ways."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from catalog.formats import TITLES
from catalog.importing import sources_of
from catalog.models import Catalog
from catalog.models.origin import SOURCE_LENGTH
from catalog.names import part_name
from catalog.reading import READABLE
from routing.outgoing import fault_of_url
from routing.sources import MOST_BYTES, BadHeader, SourceFailed, plain_address, read_header

DOCUMENT, SERVER = "document", "server"
_WAYS = ("text", "file", "url")


class ImportForm(forms.Form):
    """Where tools are from: pasted, a file or an address; and how they are read."""

    text = forms.CharField(
        label=_("Paste tools"),
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 8, "class": "schema-text", "spellcheck": "false", "autocomplete": "off"}
        ),
        help_text=_(
            "JSON or YAML: what you send a model as tools, an MCP tools/list, or OpenAPI 3."
        ),
    )
    file = forms.FileField(label=_("Or take a file"), required=False, help_text=_("Up to 16 MB."))
    url = forms.CharField(
        label=_("Or fetch from an address"),
        required=False,
        max_length=2000,
        widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"}),
    )
    at = forms.ChoiceField(
        label=_("What is at the address"),
        required=False,
        choices=[
            (DOCUMENT, _("a document with tools")),
            (SERVER, _("a live MCP server")),
        ],
    )
    header = forms.CharField(
        label=_("Header to send"),
        required=False,
        max_length=9000,
        widget=forms.PasswordInput(
            attrs={"placeholder": "Authorization: Bearer …", "autocomplete": "off"}
        ),
        help_text=_("If the address asks for a key. It is sent once and not kept."),
    )
    format_name = forms.ChoiceField(label=_("Format"), required=False)
    source = forms.CharField(
        label=_("Name of the source"),
        required=False,
        max_length=SOURCE_LENGTH,
        widget=forms.TextInput(attrs={"list": "import-sources", "autocomplete": "off"}),
        help_text=_(
            "The next import under this name is a sync. Empty: the file's name or the address."
        ),
    )
    group = forms.CharField(
        label=_("Group for new tools"),
        required=False,
        max_length=63,
        widget=forms.TextInput(attrs={"list": "import-groups", "autocomplete": "off"}),
        help_text=_("Made if there is none of this name. Empty: no group."),
    )

    def __init__(self, *args: Any, catalog: Catalog, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.catalog = catalog
        self.sources = sources_of(catalog)
        self.groups = list(catalog.groups.order_by("name").values_list("name", flat=True)[:500])
        titles = {**TITLES, "openapi": "OpenAPI"}
        self.fields["format_name"].choices = [  # type: ignore[attr-defined]
            ("", _("told by the document")),
            *((name, titles[name]) for name in READABLE),
        ]

    def clean_file(self) -> UploadedFile | None:
        """Refuse what is longer than a document of tools is."""
        file: UploadedFile | None = self.cleaned_data["file"]
        if file and (file.size or 0) > MOST_BYTES:
            raise ValidationError(_("This file is longer than 16 MB."))
        return file

    def clean_url(self) -> str:
        """Refuse what is no address; its query may hold what the server asks for."""
        url: str = self.cleaned_data["url"].strip()
        if url and (fault_of_url(url.partition("#")[0].partition("?")[0]) or not _is_plain(url)):
            raise ValidationError(_("Write an address that begins with https:// or http://."))
        return url

    def clean_header(self) -> dict[str, str]:
        """Return the header to send."""
        try:
            return read_header(self.cleaned_data["header"])
        except BadHeader as error:
            raise ValidationError(
                _("Write one header on one line, as “Authorization: Bearer …”.")
            ) from error

    def clean_source(self) -> str:
        """Return the name without a character that a database would choke on."""
        return str(self.cleaned_data["source"]).strip()

    def clean_group(self) -> str:
        """Refuse what can be no group's name."""
        group: str = self.cleaned_data["group"].strip()
        if group and group not in self.groups:
            part_name(group)
        return group

    def clean(self) -> dict[str, Any]:
        """Ask for one way in, and name the source after it where it has no name."""
        cleaned = super().clean() or self.cleaned_data
        given = [way for way in _WAYS if _is_given(cleaned.get(way))]
        if not given and not self.errors:
            self.add_error("text", _("Paste tools here, choose a file or give an address."))
        if len(given) > 1:
            self.add_error(given[1], _("Give one of the three: text, a file or an address."))
        if not cleaned.get("source") and not self.errors:
            cleaned["source"] = _source_of(given[0], cleaned[given[0]])
        return cleaned


def _is_given(value: object) -> bool:
    return bool(value.strip() if isinstance(value, str) else value)


def _is_plain(url: str) -> bool:
    try:
        return bool(plain_address(url))
    except SourceFailed:
        return False


def _source_of(way: str, value: Any) -> str:
    if way == "text":
        return "pasted"
    named = plain_address(value) if way == "url" else str(value.name)
    return named.strip()[:SOURCE_LENGTH] or way
