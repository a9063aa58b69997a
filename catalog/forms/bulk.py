"""The form of a bulk edit: what is asked of every chosen tool. Empty: as it is."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from catalog.bulk import BulkChange
from catalog.forms.fields import LinesField
from catalog.forms.picking import PartsField, PickingForm
from catalog.models import Catalog, Tool

AS_IT_IS = ("", _("as it is"))
WORDS = ("owner", "category")


def _switch(label: Any, *, on: Any, off: Any) -> forms.ChoiceField:
    return forms.TypedChoiceField(
        label=label,
        choices=[AS_IT_IS, ("1", on), ("0", off)],
        coerce=lambda value: value == "1",
        empty_value=None,
        required=False,
    )


class BulkForm(PickingForm, forms.Form):
    """The changes to make to every chosen tool, in terms of its own fields."""

    set_enabled = _switch(_("Enabled"), on=_("enable"), off=_("disable"))
    set_side_effect = forms.ChoiceField(
        label=_("Side effect"), choices=[AS_IT_IS, *Tool.SideEffect.choices], required=False
    )
    set_needs_approval = _switch(_("Needs approval"), on=_("yes"), off=_("no"))
    set_is_default = _switch(_("Default tool"), on=_("yes"), off=_("no"))
    set_always_on = _switch(_("Always on"), on=_("yes"), off=_("no"))
    set_owner = forms.CharField(label=_("Owner"), max_length=100, required=False)
    empty_owner = forms.BooleanField(label=_("Nobody: empty it"), required=False)
    set_category = forms.CharField(label=_("Category"), max_length=100, required=False)
    empty_category = forms.BooleanField(label=_("None: empty it"), required=False)
    add_tags = LinesField(label=_("Tags to add"), max_length=100, help_text=_("One a line."))
    remove_tags = LinesField(
        label=_("Tags to take away"), max_length=100, help_text=_("One a line.")
    )
    add_groups = PartsField(kind="groups", label=_("Groups to put them into"))
    remove_groups = PartsField(kind="groups", label=_("Groups to take them out of"))

    def __init__(self, *args: Any, catalog: Catalog, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.bind_parts(catalog)
        for name, field in self.fields.items():
            if name.removeprefix("set_") in WORDS:
                field.widget.attrs |= {"placeholder": _("as it is"), "autocomplete": "off"}

    def clean(self) -> dict[str, Any]:
        """Refuse what contradicts itself."""
        said = super().clean() or self.cleaned_data
        for name in WORDS:
            if said.get(f"set_{name}") and said.get(f"empty_{name}"):
                self.add_error(f"set_{name}", _("Say a new one, or empty it; not both."))
        for kind in ("tags", "groups"):
            if both := set(said.get(f"add_{kind}", ())) & set(said.get(f"remove_{kind}", ())):
                names = ", ".join(sorted(map(str, both)))
                self.add_error(
                    f"remove_{kind}",
                    forms.ValidationError(
                        _("Both to add and to take away: %(names)s."), params={"names": names}
                    ),
                )
        return said

    @property
    def change(self) -> BulkChange:
        """Return what this valid form asks for."""
        said = self.cleaned_data
        values = {
            name: said[f"set_{name}"]
            for name in ("enabled", "side_effect", "needs_approval", "is_default", "always_on")
            if said[f"set_{name}"] not in (None, "")
        }
        for name in WORDS:
            if said[f"set_{name}"] or said[f"empty_{name}"]:
                values[name] = said[f"set_{name}"]
        return BulkChange(
            values=values,
            add_tags=said["add_tags"],
            remove_tags=said["remove_tags"],
            add_groups=said["add_groups"],
            remove_groups=said["remove_groups"],
        )

    def fields_sent(self) -> list[tuple[str, str]]:
        """Return the hidden fields that carry this form on to the page that asks once more."""
        carried = []
        for name, field in self.fields.items():
            value = field.widget.value_from_datadict(self.data, self.files, name)
            if isinstance(field, PartsField):
                carried += [(f"{name}-kept", ",".join(value))] if value else []
            elif value not in (None, "", False):
                carried.append((name, "on" if value is True else str(value)))
        return carried
