"""Who may do what: the one table of what each action needs, and the questions asked of it.

A catalog that a person may not see does not exist for them. `Catalog.objects.visible_to` says so in
the query itself, and gives each catalog the person's ``role`` in it, so that asking costs no query.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from catalog.models import Catalog, Membership
from catalog.roles import Role

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

    from catalog.models.catalog import CatalogQuerySet

__all__ = [
    "NEEDS",
    "Action",
    "Role",
    "RoleTooLow",
    "catalogs_for",
    "may",
    "may_make_catalogs",
    "require",
    "role_in",
]


class Action(StrEnum):
    """What a person does in a catalog."""

    READ = "read"  # every page, and every trial in the Playground
    AUDIT = "audit"  # who changed what: it names people, so not for every viewer
    EDIT = "edit"  # the draft, with the settings of its selections
    PUBLISH = "publish"
    ROLL_BACK = "roll_back"
    MOVE_LABEL = "move_label"  # one that is not protected
    PROTECT_LABEL = "protect_label"  # and move a protected one
    SWITCH_ENCODER = "switch_encoder"
    DECIDE_APPROVALS = "decide_approvals"
    SWITCH_CIRCUITS = "switch_circuits"
    SHARE_VIEWS = "share_views"  # filters of runs under a name, for every member
    KEEP_TEXT = "keep_text"  # what is stored of tasks and arguments, and for how long
    ALERTS = "alerts"  # the rules of alerts, and who is spared them for a while
    EVALS = "evals"  # datasets, their cases, and what they are held against
    GATE = "gate"  # what a version is asked before it goes live, and overruling that
    LEARN = "learn"  # what is better goes live, so it is as much as publishing
    KEYS = "keys"
    MEMBERS = "members"
    WEBHOOK = "webhook"  # and every other address that something is sent to
    ARCHIVE = "archive"
    DELETE_CATALOG = "delete_catalog"


NEEDS: Mapping[Action, Role] = {
    Action.READ: Role.VIEWER,
    Action.AUDIT: Role.EDITOR,
    Action.EDIT: Role.EDITOR,
    Action.PUBLISH: Role.PUBLISHER,
    Action.ROLL_BACK: Role.PUBLISHER,
    Action.MOVE_LABEL: Role.EDITOR,
    Action.PROTECT_LABEL: Role.PUBLISHER,
    Action.SWITCH_ENCODER: Role.PUBLISHER,
    Action.DECIDE_APPROVALS: Role.PUBLISHER,
    Action.SWITCH_CIRCUITS: Role.PUBLISHER,
    Action.SHARE_VIEWS: Role.EDITOR,
    Action.KEEP_TEXT: Role.ADMINISTRATOR,
    Action.ALERTS: Role.EDITOR,
    Action.EVALS: Role.EDITOR,
    Action.GATE: Role.ADMINISTRATOR,
    Action.LEARN: Role.PUBLISHER,
    Action.KEYS: Role.ADMINISTRATOR,
    Action.MEMBERS: Role.ADMINISTRATOR,
    Action.WEBHOOK: Role.ADMINISTRATOR,
    Action.ARCHIVE: Role.ADMINISTRATOR,
    Action.DELETE_CATALOG: Role.ADMINISTRATOR,
}
# Whoever edits some catalog may begin another, and becomes its administrator.
MAKES_CATALOGS = Role.EDITOR


class RoleTooLow(PermissionDenied):
    """A person sees a catalog, but their role in it is too low; the text says which it needs."""

    def __init__(self, catalog: Catalog, needed: Role) -> None:
        said = _(
            "This needs the role “%(needed)s” in %(catalog)s, and yours is “%(yours)s”. "
            "An administrator of the catalog can change that."
        )
        super().__init__(
            said % {"needed": needed.label, "catalog": catalog.name, "yours": catalog.role.label}
        )


def require(catalog: Catalog, role: Role) -> None:
    """Raise ``RoleTooLow`` where the person that a catalog was read for has a lower role in it."""
    if catalog.role < role:
        raise RoleTooLow(catalog, role)


def may(catalog: Catalog, action: Action) -> bool:
    """Tell whether the person that a catalog was read for may do something in it."""
    return catalog.role >= NEEDS[action]


def catalogs_for(user: "User | AnonymousUser", action: Action) -> "CatalogQuerySet":
    """Return the catalogs in use in which a person may do something."""
    return Catalog.objects.visible_to(user, role=NEEDS[action])


def role_in(user: "User | AnonymousUser", catalog: Catalog) -> Role | None:
    """Return a person's role in a catalog; ``None`` where they may not see it."""
    seen = Catalog.objects.visible_to(user).filter(pk=catalog.pk).first()
    return seen.role if seen else None


def may_make_catalogs(user: "User | AnonymousUser") -> bool:
    """Tell whether a person may begin a new catalog."""
    if user.is_anonymous or not user.is_active:
        return False
    if user.is_superuser:
        return True
    return Membership.objects.filter(user=user, role__gte=MAKES_CATALOGS).exists()
