"""What is kept of the words of a catalog's runs, and for how long: read and changed as one."""

from dataclasses import dataclass
from hashlib import sha256

from django.db import transaction

from catalog.models import Catalog
from catalog.models.catalog import TEXT_POLICY, TextKept
from catalog.recording import recorded
from routing.redaction import Redactions


class Overtaken(Exception):
    """Somebody else changed it meanwhile."""


@dataclass(frozen=True, slots=True)
class Policy:
    """``redactions`` stay set while they are not in force; without ``days`` it is for ever."""

    kept: TextKept
    redactions: Redactions
    days: int | None = None

    @classmethod
    def of(cls, catalog: Catalog) -> "Policy":
        """Return what a catalog says."""
        return cls(catalog.text_kept, Redactions.parse(catalog.redactions), catalog.text_days)

    @property
    def mark(self) -> str:
        """Return what tells this policy from any other."""
        said = repr((self.kept.value, self.redactions.dumps(), self.days))
        return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def change_policy(*, catalog: Catalog, policy: Policy, seen: str) -> bool:
    """Keep text as a policy says from now on, and tell whether that is a change.

    ``seen`` is the mark of the policy that the change was thought of for; raises ``Overtaken``.
    """
    with transaction.atomic(), recorded(catalog=catalog, action="edit"):
        row = Catalog.objects.select_for_update().get(pk=catalog.pk)
        stands = Policy.of(row)
        if stands.mark != seen:
            raise Overtaken
        row.keep_text = policy.kept is not TextKept.NONE
        row.redact_text = policy.kept is TextKept.REDACTED
        row.redactions = policy.redactions.dumps()
        row.text_days = policy.days
        row.save(update_fields=TEXT_POLICY)
    return policy != stands
