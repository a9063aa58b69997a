"""The forms that give people roles and make their accounts."""

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from catalog.members import LastAdministrator, RoleMoved, SuperuserOnly
from catalog.people import NoSuchPerson, SeveralPeople, find_person, make_account
from catalog.roles import Role

MAY = {
    Role.VIEWER: _("reads every page, and tries tasks in the Playground"),
    Role.EDITOR: _("changes the draft"),
    Role.PUBLISHER: _("publishes, rolls back, decides approvals, switches tools off"),
    Role.ADMINISTRATOR: _("has the keys, gives roles, and says whether text is kept"),
}


class RoleForm(forms.Form):
    """A role, each with what it may do; whoever lowers their own says that they mean it."""

    role = forms.TypedChoiceField(
        label=_("Role"),
        coerce=lambda value: Role(int(value)),
        widget=forms.RadioSelect,
    )
    was = forms.IntegerField(required=False, widget=forms.HiddenInput)
    sure = forms.BooleanField(
        label=_("I know that only another administrator can give me back what I give up."),
        required=False,
    )

    def __init__(self, *args: Any, own: Role | None = None, **kwargs: Any) -> None:
        """``own`` is the role of whoever asks, where it is theirs that may change."""
        super().__init__(*args, **kwargs)
        self._own = own
        self.fields["role"].choices = [  # type: ignore[attr-defined]
            (role.value, f"{role.label}: {MAY[role]}") for role in Role
        ]
        if own is None:
            del self.fields["sure"]

    def clean(self) -> dict[str, Any]:
        """Ask whoever lowers their own role whether they mean it."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        role = cleaned.get("role")
        if self._own and role and role < self._own and not cleaned.get("sure"):
            self.add_error("sure", _("This is your own role: say that you mean it."))
        return cleaned

    def was_role(self) -> Role | None:
        """Return the role that the form was opened with."""
        was = self.cleaned_data["was"]
        return Role(was) if was in Role.values else None


class AddMemberForm(forms.Form):
    """Somebody who has an account, named exactly, and a role."""

    person = forms.CharField(
        label=_("Username or e-mail"),
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    role = forms.TypedChoiceField(
        label=_("Role"),
        choices=Role.choices,
        coerce=lambda value: Role(int(value)),
        initial=Role.VIEWER.value,
    )

    def clean_person(self) -> User:
        """Return the account; refuse what names none, several, or one that is switched off."""
        said = self.cleaned_data["person"]
        try:
            found = find_person(said)
        except NoSuchPerson as nobody:
            raise ValidationError(
                _("No account has exactly this name or address. Make a new one?"), code="nobody"
            ) from nobody
        except SeveralPeople as several:
            raise ValidationError(
                _("Several accounts have this address: give the username.")
            ) from several
        if not found.is_active:
            raise ValidationError(
                _("This account is deactivated. A superuser can activate it again.")
            )
        return found

    def names_nobody(self) -> str:
        """Return what was said where no account has it, so that one can be made of it."""
        said = str(self.data.get("person", ""))
        return said if self.has_error("person", "nobody") and "@" not in said else ""


class AccountForm(forms.Form):
    """A new account: whoever gets its link sets the password."""

    username = forms.CharField(
        label=_("Username"),
        max_length=150,
        help_text=_("Letters, digits and @ . + - _ only."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    email = forms.EmailField(
        label=_("E-mail"),
        required=False,
        help_text=_("Nothing is sent to it; others can find the account by it."),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )

    def make(self) -> User | None:
        """Make the account; None, with the reasons in the form, where it cannot be made."""
        try:
            return make_account(
                **{field: self.cleaned_data[field] for field in AccountForm.base_fields}
            )
        except ValidationError as refused:
            self.add_error(None, refused)
            return None


class MemberAccountForm(AccountForm):
    """A new account with a role in a catalog."""

    role = forms.TypedChoiceField(
        label=_("Role"),
        choices=Role.choices,
        coerce=lambda value: Role(int(value)),
        initial=Role.VIEWER.value,
    )


_WHY_NOT = {
    SuperuserOnly: _("%(person)s is a superuser: only superusers change their roles."),
    RoleMoved: _("Somebody else changed the role of %(person)s meanwhile. Here is what it is now."),
    LastAdministrator: _(
        "%(person)s is the last administrator of %(catalog)s: nobody could give roles in it. "
        "Make somebody else one first."
    ),
}


def refusal(problem: Exception, *, catalog: str) -> str:
    """Return why a role was not changed, in words."""
    return str(_WHY_NOT[type(problem)]) % {"person": str(problem), "catalog": catalog}
