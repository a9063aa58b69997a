"""What a catalog asks of a version before it goes live, and what checks of one have shown."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog, CatalogVersion
from routing.models.background import CANCELLED, CRASHED, FAILED, Background, BackgroundQuerySet
from routing.models.eval_data import EvalCase, EvalDataset
from routing.models.release import Release

MOST_REPLAYED = 1_000
REASON_LENGTH = 500


class GatePolicy(models.Model):
    """What a catalog asks before a version goes live, as an administrator set it.

    The gate set are the accepted cases of ``datasets``, or of all where none is named, of ``part``
    where it says one. ``replayed`` tasks of the last week's runs are tried beside them. What counts
    as a fall: ``any_lost``; a tool that loses more than ``most_of_a_tool`` per cent of its tasks; a
    coverage that falls by more than ``most_lost`` points, and more than by accident; more than
    ``most_larger`` per cent of tools a task, or ``most_diverted`` per cent of the replayed tasks
    going elsewhere. ``None`` says nothing of it.
    """

    class Mode(models.TextChoices):
        OFF = "off", _("off: nothing is checked")
        WARN = "warn", _("warn: say what would fall")
        REASON = "reason", _("ask for a reason where something falls")
        BLOCK = "block", _("block what falls")

    catalog = models.OneToOneField(Catalog, models.CASCADE, related_name="gate_policy")
    mode = models.CharField(_("what the gate does"), max_length=6, choices=Mode, default=Mode.WARN)
    datasets = models.ManyToManyField(EvalDataset, related_name="gates", blank=True)
    part = models.CharField(
        _("cases"), max_length=5, choices=[("", _("all")), *EvalCase.Part.choices], blank=True
    )
    replayed = models.PositiveIntegerField(
        _("tasks of last week"), default=200, validators=[MaxValueValidator(MOST_REPLAYED)]
    )
    any_lost = models.BooleanField(_("no task may be lost"), default=False)
    most_of_a_tool = models.FloatField(
        _("per cent of the tasks of a tool"),
        default=10.0,
        null=True,
        blank=True,
        validators=[MinValueValidator(0), MaxValueValidator(100)],
    )
    most_lost = models.FloatField(
        _("points of coverage"),
        default=1.0,
        validators=[MinValueValidator(0), MaxValueValidator(100)],
    )
    most_larger = models.FloatField(
        _("per cent of tools"),
        default=25.0,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
    )
    most_diverted = models.FloatField(
        _("per cent of tasks"),
        null=True,
        blank=True,
        validators=[MinValueValidator(0), MaxValueValidator(100)],
    )

    class Meta:
        verbose_name_plural = "gate policies"
        constraints = [
            models.CheckConstraint(
                name="gate_mode_is_known",
                condition=Q(mode__in=["off", "warn", "reason", "block"]),
            ),
            models.CheckConstraint(
                name="gate_part_is_known", condition=Q(part__in=["", "train", "test"])
            ),
            models.CheckConstraint(
                name="gate_lets_less_than_nothing_fall", condition=Q(most_lost__gte=0)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.catalog}: {self.mode}"


class GateCheck(Background):
    """A document held against what is live: the gate set, and a sample of last week's tasks.

    ``sha256`` is the document's, of the draft as it was where no ``version`` is named; a
    ``release`` is named where what was learned is tried. ``against`` was live. ``asked`` is what of
    the policy the check was made by (``routing.gate.rules``), ``cases`` and ``tasks`` are the rows
    of ``EvalCase`` and ``Span`` that are tried; the tasks are drawn by the worker (``drawn``).
    ``report`` is what it says in the end, as ``routing.gate_checks.reporting`` has it. ``note`` is
    what was written for the publish that asked for it. A check that found a fall may be let pass
    for a ``reason``, ``overruled`` by whoever may do so where the gate blocks.
    """

    class Problem(models.TextChoices):
        ENCODER = "encoder", _("The vectors could not be made.")
        CHANGED = "changed", _("The draft, or what is live, was changed meanwhile.")
        CANCELLED = CANCELLED, _("It was cancelled.")
        CRASHED = CRASHED, _("The worker was stopped in the middle of it, several times.")
        FAILED = FAILED, _("It failed; the worker's log says how.")

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="gate_checks")
    version = models.ForeignKey(CatalogVersion, models.CASCADE, null=True, related_name="+")
    release = models.ForeignKey(Release, models.CASCADE, null=True, related_name="+")
    sha256 = models.CharField(max_length=64)
    against = models.ForeignKey(Release, models.CASCADE, related_name="+")
    asked = models.JSONField(default=dict)
    seed = models.PositiveIntegerField(default=0)
    cases = models.JSONField(default=list)
    tasks = models.JSONField(default=list)
    drawn = models.BooleanField(default=False)
    note = models.CharField(max_length=REASON_LENGTH, blank=True)
    problem = models.CharField(max_length=16, choices=Problem, blank=True)
    report = models.JSONField(default=dict)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)
    let_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    let_at = models.DateTimeField(null=True)
    overruled = models.BooleanField(default=False)

    objects = BackgroundQuerySet["GateCheck"].as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["catalog", "sha256"], name="gate_check_of_a_draft")]
        constraints = [
            models.UniqueConstraint(
                fields=["catalog"], condition=Q(finished_at=None), name="one_open_gate_check"
            ),
            models.CheckConstraint(
                name="no_more_checked_than_there_is", condition=Q(made__lte=F("total"))
            ),
            models.CheckConstraint(
                name="let_pass_for_a_reason", condition=Q(let_at=None) | ~Q(reason="")
            ),
        ]

    def __str__(self) -> str:
        return f"gate check {self.pk} of {self.catalog}"


class GateResults(models.Model):
    """What came of some tasks of a check, from the place ``start`` on, a row a task.

    What a row holds, ``routing.gate_checks.rows`` says: no words of anybody.
    """

    check_of = models.ForeignKey(GateCheck, models.CASCADE, related_name="results")
    start = models.PositiveIntegerField()
    rows = models.JSONField()

    class Meta:
        ordering = ["start"]
        verbose_name_plural = "gate results"
        constraints = [
            models.UniqueConstraint(fields=["check_of", "start"], name="gate_results_once_a_place"),
        ]

    def __str__(self) -> str:
        return f"{self.check_of} from {self.start}"
