"""The form of a tool, with every field that a document carries."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from catalog.editing import fallback_refusal
from catalog.forms.fields import LinesField, SchemaField
from catalog.forms.watched import WatchedForm
from catalog.models import Tool
from catalog.models.tool import empty_object_schema
from catalog.names import tool_name

FIELDS = (
    "name", "title", "description", "category", "tags", "aliases", "examples",
    "input_schema", "output_schema",
    "side_effect", "capability", "output_trust", "idempotent", "open_world",
    "scopes", "needs_approval", "timeout_ms", "max_attempts",
    "enabled", "is_default", "always_on", "owner", "trace_fields",
)  # fmt: skip


class ToolForm(WatchedForm):
    """A tool's fields."""

    tags = LinesField(label=_("Tags"), max_length=100, help_text=_("One a line."))
    aliases = LinesField(
        label=_("Aliases"),
        help_text=_("Former names, one a line. Calls by them are still accepted."),
    )
    examples = LinesField(
        label=_("Example tasks"),
        help_text=_("One a line: tasks that need this tool, as people put them."),
    )
    input_schema = SchemaField(
        label=_("Input schema"),
        required=False,
        help_text=_("JSON Schema of the arguments, an object. Empty: the tool takes none."),
    )
    output_schema = SchemaField(
        label=_("Output schema"),
        required=False,
        help_text=_("JSON Schema of the result. Empty: results are not checked."),
    )
    scopes = LinesField(
        label=_("Required scopes"),
        help_text=_("One a line: what a key must grant before this is called."),
    )
    trace_fields = LinesField(
        label=_("Trace fields"),
        help_text=_("One a line: arguments that are kept with the trace of a call."),
    )

    watched = FIELDS

    class Meta:
        model = Tool
        fields = FIELDS
        help_texts = {
            "name": _("Letters, digits, hyphens and underscores, as every provider takes them."),
            "description": _("What it does and when to call it. The model reads this."),
            "idempotent": _("A second call with the same arguments changes nothing more."),
            "open_world": _("It reaches systems that others control, such as the web."),
            "needs_approval": _("A person approves each call before it is made."),
            "enabled": _("Takes effect with the next version."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["description"].widget.attrs["rows"] = 4
        self.fields["input_schema"].widget.attrs["rows"] = 16
        self.fields["output_schema"].widget.attrs["rows"] = 8
        self.fields["name"].widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}

    def clean_name(self) -> str:
        """Refuse another tool's name, also one that differs in letter case only."""
        name: str = self.cleaned_data["name"]
        others = self.instance.catalog.tools.exclude(pk=self.instance.pk)
        if other := others.filter(name__iexact=name).first():
            raise ValidationError(
                _("“%(other)s” has this name; letter case alone tells no two tools apart."),
                code="taken",
                params={"other": other.name},
            )
        return name

    def clean_description(self) -> str:
        """Return the description with the line ends that it was saved with."""
        return str(self.cleaned_data["description"]).replace("\r\n", "\n")

    def clean_aliases(self) -> list[str]:
        """Refuse aliases that could be no tool's name, but for those that an import brought."""
        aliases: list[str] = self.cleaned_data["aliases"]
        for alias in aliases:
            if alias not in self.instance.aliases:
                tool_name(alias)
        taken = self.instance.catalog.tools.exclude(pk=self.instance.pk).filter(name__in=aliases)
        if other := taken.first():
            raise ValidationError(
                _("“%(name)s” is the name of another tool."), params={"name": other.name}
            )
        return aliases

    def clean_input_schema(self) -> dict[str, Any]:
        """Return the schema of named arguments; no text is a tool that takes none."""
        schema: dict[str, Any] | None = self.cleaned_data["input_schema"]
        if schema is None:
            return empty_object_schema()
        if not schema or schema.get("type", "object") != "object":
            raise ValidationError(
                _("Arguments have names, so the schema says: “type”: “object”."), code="no_object"
            )
        return schema

    def clean(self) -> dict[str, Any]:
        """Refuse what contradicts itself."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        effect = cleaned.get("side_effect", Tool.SideEffect.READ)
        if cleaned.get("is_default") or cleaned.get("always_on"):
            reason = fallback_refusal(Tool(name=cleaned.get("name", ""), side_effect=effect))
            if reason:
                self.add_error("side_effect", reason)
        if cleaned.get("name") in cleaned.get("aliases", ()):
            self.add_error("aliases", _("A tool is no alias of itself."))
        self._keep_former_name(cleaned)
        return cleaned

    def _keep_former_name(self, cleaned: dict[str, Any]) -> None:
        """Make the name that agents know an alias, so that their calls by it go on."""
        former, aliases = self.initial.get("name"), cleaned.get("aliases")
        if not former or aliases is None or cleaned.get("name") in (None, former):
            return
        was_published = self.instance.catalog.tool_revisions.filter(name=former).exists()
        if was_published and former not in aliases:
            cleaned["aliases"] = [*aliases, former]
