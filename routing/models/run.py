"""Runs: what one agent does about one task, from the first selection to the outcome."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog
from routing.keeping import Keeping
from routing.models.key import ApiKey
from routing.models.release import Release

# Where a run comes from: an agent that asks, an agent that selects in-process and tells afterwards,
# or the simulation, which charts can leave out. An agent that tries out a case of a dataset is no
# traffic: charts, alerts and advice never count it.
API, BATCH, SIMULATED, CASE = "api", "batch", "simulated", "case"


class Run(models.Model):
    """A run keeps the catalog, release, route and actor that it began with.

    ``budget`` are the run's own ceilings; ``calls_spent``, ``tokens_spent`` and ``cost_spent`` (in
    USD) count against them and against those of its route and key. ``text_erased_at`` says that
    its words were erased, and that none are kept from then on. ``last_day`` is the day in whose
    range its last step lies, where it went on for longer than the day after it began
    (``routing.partitions.until``).
    """

    class Outcome(models.TextChoices):
        SOLVED = "solved", _("solved")
        FAILED = "failed", _("failed")
        NEEDS_HUMAN = "needs_human", _("needs a person")
        ABANDONED = "abandoned", _("abandoned")

    key = models.ForeignKey(ApiKey, models.CASCADE, related_name="runs")
    run_id = models.CharField(max_length=128)
    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="runs")
    release = models.ForeignKey(Release, models.CASCADE, related_name="runs")
    route = models.CharField(max_length=63, blank=True)
    phase = models.CharField(max_length=63, blank=True)
    actor = models.CharField(max_length=200, blank=True)
    budget = models.JSONField(default=dict)
    calls_spent = models.PositiveIntegerField(default=0)
    tokens_spent = models.PositiveBigIntegerField(default=0)
    cost_spent = models.FloatField(default=0)
    case_id = models.CharField(max_length=128, blank=True)
    source = models.CharField(max_length=9, default=API)
    outcome = models.CharField(max_length=11, choices=Outcome, blank=True)
    stop_reason = models.CharField(max_length=200, blank=True)
    started_at = models.DateTimeField()
    text_erased_at = models.DateTimeField(null=True)
    last_day = models.PositiveIntegerField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["catalog", "-started_at"], name="run_by_start"),
            models.Index(fields=["catalog", "outcome", "-started_at"], name="run_by_outcome"),
            # Few runs name a case.
            models.Index(
                fields=["catalog", "-started_at"],
                condition=~Q(case_id=""),
                name="run_of_case_by_start",
            ),
            models.Index(
                fields=["catalog", "started_at"],
                condition=Q(last_day__isnull=False),
                name="run_that_went_on",
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["key", "run_id"], name="run_id_once_a_key"),
            models.CheckConstraint(
                name="run_outcome_is_known",
                condition=Q(outcome__in=["", "solved", "failed", "needs_human", "abandoned"]),
            ),
        ]

    def __str__(self) -> str:
        return self.run_id

    @property
    def keeps_text(self) -> bool:
        """Tell whether what the agent says from now on is kept."""
        return self.catalog.keep_text and self.text_erased_at is None

    @property
    def keeping(self) -> Keeping:
        """Return what is kept of what the agent says from now on."""
        return Keeping(nothing=True) if self.text_erased_at else Keeping.of(self.catalog)
