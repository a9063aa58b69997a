"""Tell the cases of a dataset into their parts, by what they say nearly alike."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction

from routing import encoding
from routing.encoding import EncoderFailed
from routing.evaluation.near import clusters, plain
from routing.evaluation.splitting import Member, parts_of
from routing.models import EvalCase, EvalDataset
from routing.selection import UnknownEncoder, content_hash
from routing.selection.arrays import FloatArray
from routing.vectors import count_missing, ensure_vectors

MOST_AT_ONCE = 300
"""Vectors that are made while somebody waits: about a second."""

Progress = Callable[[int, int], object]


def split(dataset: EvalDataset, *, patient: bool = False, progress: Progress | None = None) -> bool:
    """Tell all cases but those dropped into parts, and tell whether it was done.

    It is not where more vectors are missing than may be made while somebody waits: the next
    evaluation, which is ``patient``, does it then. Without an encoder it goes by words alone.
    """
    rows = EvalCase.objects.filter(dataset=dataset).exclude(state=EvalCase.State.DROPPED)
    known = {row.pk: row for row in rows.only("pk", "number", "task", "part", "cluster")}
    cases = list(known.values())
    texts = [plain(case.task) for case in cases]
    vectors = task_vectors(texts, patient=patient, progress=progress)
    if vectors is None and encoding.wanted() != "none" and not patient:
        return False
    tools = dict(rows.values_list("pk", "expected_tools"))
    groups = clusters(texts, vectors)
    members = [
        Member(cluster=cluster, stratum=" ".join(sorted(tools[case.pk])), part=case.part)
        for case, cluster in zip(cases, groups, strict=True)
    ]
    parts = parts_of(members, test_share=dataset.test_share, seed=dataset.seed)
    changed = []
    for case, cluster, part in zip(cases, groups, parts, strict=True):
        number = cases[cluster].number
        if (case.cluster, case.part) != (number, part):
            case.cluster, case.part = number, part
            changed.append(case)
    EvalCase.objects.bulk_update(changed, ["cluster", "part"], batch_size=200)
    return True


@transaction.atomic
def split_anew(dataset: EvalDataset, *, seed: int, test_share: float) -> bool:
    """Tell all cases into parts from nothing; what was learned from one part ends with that."""
    dataset.seed, dataset.test_share = seed, test_share
    dataset.save(update_fields=["seed", "test_share"])
    EvalCase.objects.filter(dataset=dataset).update(part="", cluster=None)
    return split(dataset)


def task_vectors(
    texts: Sequence[str], *, patient: bool, progress: Progress | None = None
) -> FloatArray | None:
    """Return the vectors of texts, shape ``(n, d)``; ``None`` without an encoder.

    ``None`` also where it fails or, unless ``patient``, too many would have to be made. A patient
    one raises ``EncoderFailed`` and ``UnknownEncoder``.
    """
    name = encoding.wanted()
    if name == "none" or not texts:
        return None
    by_hash: Mapping[str, str] = {content_hash(text): text for text in texts}
    if not patient and count_missing(texts=by_hash, encoder_name=name) > MOST_AT_ONCE:
        return None
    try:
        encoder = encoding.load_encoder(name, patient=patient)
        made = ensure_vectors(texts=by_hash, encoder=encoder, progress=progress)
    except (EncoderFailed, UnknownEncoder, ImproperlyConfigured):
        if patient:
            raise
        return None
    return np.stack([made[content_hash(text)] for text in texts])
