"""The shapes of names, which the API promises and the database keeps."""

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from catalog.document import REQUEST_GROUP

catalog_name = RegexValidator(
    r"^[a-z][a-z0-9-]{0,62}\Z",
    _("Use 1 to 63 lower-case letters, digits and hyphens, beginning with a letter."),
)
part_name = RegexValidator(
    r"^[a-z][a-z0-9_-]{0,62}\Z",
    _("Use 1 to 63 lower-case letters, digits, hyphens and underscores, beginning with a letter."),
)
tool_name_shape = RegexValidator(
    r"^[A-Za-z_][A-Za-z0-9_-]{0,63}\Z",
    _(
        "Use 1 to 64 letters, digits, hyphens and underscores, beginning with a letter or an "
        "underscore: every provider takes such a name."
    ),
)


def tool_name(value: str) -> None:
    """Refuse a tool name that a provider would refuse, or that Toolcrib keeps for itself."""
    tool_name_shape(value)
    if value.lower() == REQUEST_GROUP:
        raise ValidationError(
            _("“%(name)s” is reserved: it is the tool that opens one more group."),
            code="reserved",
            params={"name": value},
        )
