"""Datasets of labelled cases: tasks, and the tools and groups that solving them takes."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog
from catalog.names import catalog_name
from routing.models.run import Run

TRAIN, TEST = "train", "test"


class EvalDataset(models.Model):
    """Cases of one catalog under a name.

    ``seed`` and ``test_share`` say how its cases are told into a part to learn from and a part to
    judge by, which share no task and nothing that says nearly the same. ``simulation`` is what
    simulated tools answer where a case does not say, as ``routing.paths.script`` has it.
    """

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="eval_datasets")
    name = models.CharField(_("name"), max_length=63, validators=[catalog_name])
    description = models.CharField(_("what it is for"), max_length=500, blank=True)
    tags = models.JSONField(default=list)
    seed = models.PositiveIntegerField(default=0)
    test_share = models.FloatField(default=0.5)
    simulation = models.JSONField(default=dict)
    next_number = models.PositiveIntegerField(default=1)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["catalog", "name"], name="dataset_name_once_a_catalog"),
            models.CheckConstraint(name="dataset_has_a_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="test_share_is_a_share", condition=Q(test_share__gte=0, test_share__lte=1)
            ),
        ]

    def __str__(self) -> str:
        return self.name


class EvalCaseQuerySet(models.QuerySet["EvalCase"]):
    """Reads of cases."""

    def accepted(self) -> "EvalCaseQuerySet":
        """Keep those that count."""
        return self.filter(state=EvalCase.State.ACCEPTED)

    def in_review(self) -> "EvalCaseQuerySet":
        """Keep those that wait for a person."""
        return self.filter(state=EvalCase.State.REVIEW)


class EvalCase(models.Model):
    """A task with what it needs, as ``routing.evaluation.cases.Case`` has it.

    ``number`` is the case's own in its dataset: a run that is to be held against it names
    ``<dataset>/<number>``. ``digest`` is over what is asked: a dataset asks nothing twice.
    ``weight`` is how many tasks of the traffic it stands for. One from a ``run`` keeps when its
    task was ``said_at``; its words go with those of the run. ``cluster`` is shared by all cases
    that say nearly the same, and so is ``part``. ``path`` is what an agent is to do about it, as
    ``routing.paths.expected`` has it, and ``simulation`` is as a dataset's.
    """

    class Origin(models.TextChoices):
        HAND = "hand", _("by hand")
        FILE = "file", _("from a file")
        PLAYGROUND = "playground", _("from the Playground")
        RUN = "run", _("from a run")

    class State(models.TextChoices):
        REVIEW = "review", _("in review")
        ACCEPTED = "accepted", _("accepted")
        DROPPED = "dropped", _("dropped")

    class Part(models.TextChoices):
        TRAIN = TRAIN, _("to learn from")
        TEST = TEST, _("to judge by")

    dataset = models.ForeignKey(EvalDataset, models.CASCADE, related_name="cases")
    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    task = models.TextField()
    history = models.JSONField(default=list)
    phase = models.CharField(max_length=63, blank=True)
    channel = models.CharField(max_length=210, blank=True)
    route = models.CharField(max_length=63, blank=True)
    expected_tools = models.JSONField(default=list)
    expected_groups = models.JSONField(default=list)
    alternatives = models.JSONField(default=dict)
    not_expected = models.JSONField(default=list)
    vague = models.BooleanField(default=False)
    tags = models.JSONField(default=list)
    language = models.CharField(max_length=16, blank=True)
    notes = models.TextField(blank=True)
    weight = models.FloatField(default=1.0)
    path = models.JSONField(default=dict)
    simulation = models.JSONField(default=dict)
    origin = models.CharField(max_length=10, choices=Origin)
    run = models.ForeignKey(Run, models.SET_NULL, null=True, related_name="eval_cases")
    said_at = models.DateTimeField(null=True)
    state = models.CharField(max_length=8, choices=State)
    part = models.CharField(max_length=5, choices=Part, blank=True)
    cluster = models.PositiveIntegerField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True)

    objects = EvalCaseQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        indexes = [models.Index(fields=["dataset", "state", "number"], name="case_by_state")]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "number"], name="case_number_once"),
            models.UniqueConstraint(fields=["dataset", "digest"], name="case_asked_once"),
            models.CheckConstraint(name="case_has_a_task", condition=~Q(task="")),
            models.CheckConstraint(name="case_weighs_something", condition=Q(weight__gt=0)),
            models.CheckConstraint(
                name="case_state_is_known",
                condition=Q(state__in=["review", "accepted", "dropped"]),
            ),
            models.CheckConstraint(
                name="case_origin_is_known",
                condition=Q(origin__in=["hand", "file", "playground", "run"]),
            ),
            models.CheckConstraint(
                name="case_part_is_known", condition=Q(part__in=["", "train", "test"])
            ),
            models.CheckConstraint(
                name="case_in_review_is_undecided",
                condition=~Q(state="review") | Q(decided_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dataset}/{self.number}"
