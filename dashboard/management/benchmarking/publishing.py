"""What a publish costs beside the encoder, whose vectors are there already."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from catalog.document import canonical_bytes, parse
from catalog.models import Catalog
from catalog.publishing import freeze_and_check
from dashboard.management.benchmarking.page_times import Clock, PageTime
from routing import encoding
from routing.models import Vector
from routing.moves import current_move
from routing.selection import texts_to_embed


def keep_vectors(documents: Iterable[Mapping[str, Any]], *, seed: int) -> None:
    """Keep a vector by chance for every text of some documents, so that no encoder makes them."""
    encoder = encoding.load_encoder(encoding.wanted())
    if encoder is None:
        return
    # As publishing reads them: with sorted keys.
    read = [parse(canonical_bytes(document)) for document in documents]
    texts = {digest for document in read for digest in texts_to_embed(document)}
    chance = np.random.default_rng(seed)
    made = chance.standard_normal((len(texts), encoder.dimensions()), dtype=np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    Vector.objects.bulk_create(
        (
            Vector(encoder=encoder.name, sha256=digest, values=row.astype("<f4").tobytes())
            for digest, row in zip(sorted(texts), made, strict=True)
        ),
        batch_size=500,
        ignore_conflicts=True,
    )


def published_once(*, client: Client, catalog: Catalog, name: str, clock: Clock) -> PageTime:
    """Publish the draft by the page, and return what that took. Raises where it did not."""
    live = current_move(catalog)
    sent = {
        "base": live.pk if live else "",
        "reviewed": freeze_and_check(catalog).sha256,
        "note": "measured",
    }
    url = reverse("dashboard:versions", kwargs={"catalog": catalog.name})
    with CaptureQueriesContext(connection) as captured:
        started = clock()
        answer = client.post(url, sent)
        taken = clock() - started
    moved = current_move(catalog)
    if moved is None or moved == live:
        raise RuntimeError(f"Nothing was published: {answer.status_code}.")
    return PageTime(
        name=name,
        url=url,
        status=answer.status_code,
        first=taken,
        again=taken,
        queries=len(captured),
        size=len(answer.content),
    )
