"""A catalog: the settings of its draft, and the root of everything else."""

from typing import TYPE_CHECKING

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, FilteredRelation, Q, Value
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalog.document import STRATEGIES
from catalog.models.written import WrittenModel, WrittenQuerySet
from catalog.names import catalog_name
from catalog.roles import Role

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

MOST_DAYS = 3650
"""The longest that text can be kept for other than for ever."""


class CatalogQuerySet(WrittenQuerySet["Catalog"]):
    """Reads of catalogs."""

    def visible_to(
        self,
        user: "User | AnonymousUser",
        *,
        role: Role = Role.VIEWER,
        archived: bool | None = False,
    ) -> "CatalogQuerySet":
        """Keep the catalogs in which a person has ``role`` or a higher one.

        Those in use, unless ``archived`` asks for those that are not, or ``None`` for both. Each
        has the ``role`` that it is. A superuser is an administrator of them all.
        """
        if not user.is_active:
            return self.none()
        asked = self if archived is None else self.filter(archived=archived)
        catalogs = asked.order_by("name")
        if user.is_superuser:
            administrator = Value(Role.ADMINISTRATOR.value, models.PositiveSmallIntegerField())
            return catalogs.annotate(own_role=administrator)
        # One condition on one join: the role is that of the membership which was asked for.
        own = FilteredRelation("memberships", condition=Q(memberships__user=user))
        return catalogs.alias(own=own).filter(own__role__gte=role).annotate(own_role=F("own__role"))


TEXT_POLICY = ("keep_text", "redact_text", "redactions", "text_days")
"""The columns that say what is kept of the words of runs: of the catalog, not of its draft."""


class TextKept(models.TextChoices):
    """What is kept of the words of a catalog's runs."""

    FULL = "full", _("In full")
    REDACTED = "redacted", _("Redacted")
    NONE = "none", _("Not at all")


class Catalog(WrittenModel):
    """The draft of one agent's tools. Agents never see it: they see the versions frozen from it."""

    name = models.CharField(_("name"), max_length=63, unique=True, validators=[catalog_name])
    title = models.CharField(_("title"), max_length=200)
    strategy = models.CharField(
        _("strategy"),
        max_length=20,
        default="auto",
        choices=[(strategy, strategy) for strategy in STRATEGIES],
    )
    threshold = models.FloatField(
        _("threshold"),
        default=0.6,
        validators=[MinValueValidator(0), MaxValueValidator(1)],
        help_text=_("Under this confidence a selection serves the default tools."),
    )
    max_tools = models.PositiveSmallIntegerField(
        _("cap"),
        default=7,
        validators=[MinValueValidator(1), MaxValueValidator(50)],
        help_text=_("Models choose well among five to seven tools and worse past ten."),
    )
    inclusive = models.BooleanField(_("inclusive"), default=False)
    exploration = models.FloatField(
        _("exploration share"),
        default=0.01,
        validators=[MinValueValidator(0), MaxValueValidator(1)],
    )
    keep_text = models.BooleanField(
        _("keep the text of tasks"),
        default=True,
        help_text=_("Without it a selection cannot be replayed or made into a case."),
    )
    # Without what is to be found in it; the setting stays while it is not in force.
    redact_text = models.BooleanField(_("redact text"), default=False)
    # As routing.redaction writes it. It is a text since compiled patterns are kept by it.
    redactions = models.TextField(_("what is redacted"), blank=True)
    text_days = models.PositiveIntegerField(
        _("days that text is kept"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_DAYS)],
    )
    archived = models.BooleanField(_("archived"), default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = CatalogQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="catalog_threshold_is_a_share",
                condition=Q(threshold__gte=0, threshold__lte=1),
            ),
            models.CheckConstraint(
                name="catalog_exploration_is_a_share",
                condition=Q(exploration__gte=0, exploration__lte=1),
            ),
            models.CheckConstraint(
                name="catalog_max_tools_in_range", condition=Q(max_tools__gte=1, max_tools__lte=50)
            ),
            models.CheckConstraint(
                name="catalog_strategy_is_known", condition=Q(strategy__in=STRATEGIES)
            ),
            models.CheckConstraint(
                name="catalog_text_days_in_range",
                condition=Q(text_days=None) | Q(text_days__gte=1, text_days__lte=MOST_DAYS),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the catalog's first page: its groups."""
        return reverse("catalog:groups", kwargs={"catalog": self.name})

    @property
    def text_kept(self) -> TextKept:
        """Return what is kept of the words of runs from now on."""
        if not self.keep_text:
            return TextKept.NONE
        return TextKept.REDACTED if self.redact_text else TextKept.FULL

    @property
    def role(self) -> Role:
        """Return the role of the person that ``visible_to`` read the catalog for.

        Raises ``AttributeError`` for a catalog that was read otherwise: nobody may anything in it.
        """
        return Role(self.own_role)  # type: ignore[attr-defined]
