"""What a worker does for evals: collect cases from runs, and evaluate; and what came of it."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog
from routing.models.background import CANCELLED, CRASHED, FAILED, Background, BackgroundQuerySet
from routing.models.eval_data import EvalDataset
from routing.models.release import Release


class EvalCollection(Background):
    """A search of solved runs that began from ``since`` on and before ``until`` for new cases.

    ``most`` are to be found. ``found`` counts what was found, and what was passed over and why, as
    ``routing.datasets.collecting`` has it.
    """

    class Problem(models.TextChoices):
        ENCODER = "encoder", _("The vectors could not be made.")
        CRASHED = CRASHED, _("The worker was stopped in the middle of it, several times.")
        FAILED = FAILED, _("It failed; the worker's log says how.")

    dataset = models.ForeignKey(EvalDataset, models.CASCADE, related_name="collections")
    since = models.DateTimeField()
    until = models.DateTimeField()
    most = models.PositiveIntegerField()
    simulated = models.BooleanField(default=True)
    seed = models.PositiveIntegerField(default=0)
    problem = models.CharField(max_length=16, choices=Problem, blank=True)
    found = models.JSONField(default=dict)

    objects = BackgroundQuerySet["EvalCollection"].as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["dataset"], condition=Q(finished_at=None), name="one_open_collection"
            ),
            models.CheckConstraint(
                name="collection_ends_after_it_begins", condition=Q(since__lt=F("until"))
            ),
        ]

    def __str__(self) -> str:
        return f"cases for {self.dataset}"


class EvalRun(Background):
    """The accepted cases of a dataset, or of a part of it, held against a release or a draft.

    A draft is kept as it was: ``document`` is its canonical JSON, compressed by zlib, and what was
    learned is carried on from the release that it ``follows``, which was live; ``sha256`` is the
    document's in both. ``strategy``, ``threshold``, ``max_tools`` and ``inclusive`` stand in
    for the document's settings where they say something. ``numbers`` are the cases, in the order
    in which they are done; ``made`` of ``total`` are. ``report`` is what it says in the end, as
    ``routing.datasets.reporting`` has it.
    """

    class Problem(models.TextChoices):
        ENCODER = "encoder", _("The vectors could not be made.")
        NOTHING = "nothing", _("No case can be tried on this version.")
        CANCELLED = CANCELLED, _("It was cancelled.")
        CRASHED = CRASHED, _("The worker was stopped in the middle of it, several times.")
        FAILED = FAILED, _("It failed; the worker's log says how.")

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="eval_runs")
    dataset = models.ForeignKey(EvalDataset, models.CASCADE, related_name="runs")
    number = models.PositiveIntegerField()
    release = models.ForeignKey(Release, models.CASCADE, null=True, related_name="+")
    document = models.BinaryField(null=True)
    follows = models.ForeignKey(Release, models.CASCADE, null=True, related_name="+")
    sha256 = models.CharField(max_length=64)
    part = models.CharField(max_length=5, blank=True)
    strategy = models.CharField(max_length=20, blank=True)
    threshold = models.FloatField(null=True)
    max_tools = models.PositiveSmallIntegerField(null=True)
    inclusive = models.BooleanField(null=True)
    seed = models.PositiveIntegerField(default=0)
    numbers = models.JSONField(default=list)
    skipped = models.JSONField(default=dict)
    problem = models.CharField(max_length=16, choices=Problem, blank=True)
    report = models.JSONField(default=dict)

    objects = BackgroundQuerySet["EvalRun"].as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["catalog", "number"], name="eval_run_number_once"),
            models.CheckConstraint(
                name="of_a_release_or_a_draft",
                condition=Q(release=None, document__isnull=False)
                | Q(release__isnull=False, document=None),
            ),
            models.CheckConstraint(
                name="no_more_evaluated_than_there_is", condition=Q(made__lte=F("total"))
            ),
            models.CheckConstraint(
                name="eval_run_part_is_known", condition=Q(part__in=["", "train", "test"])
            ),
        ]

    def __str__(self) -> str:
        return f"eval run {self.number} of {self.catalog}"


class EvalResults(models.Model):
    """What came of some cases of a run, from the place ``start`` on, a row a case.

    Many to a row of the database: a thousand cases are sixteen. What a row holds,
    ``routing.datasets.results`` says.
    """

    run = models.ForeignKey(EvalRun, models.CASCADE, related_name="results")
    start = models.PositiveIntegerField()
    rows = models.JSONField()

    class Meta:
        ordering = ["start"]
        verbose_name_plural = "eval results"
        constraints = [
            models.UniqueConstraint(fields=["run", "start"], name="results_once_a_place"),
        ]

    def __str__(self) -> str:
        return f"{self.run} from {self.start}"
