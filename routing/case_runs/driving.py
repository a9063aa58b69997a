"""Send scripted agents on the cases of a dataset, in this process and through the real API."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from urllib.parse import urlsplit

from django.conf import settings

from catalog.models import Catalog
from routing.case_runs.agent import Chooser, Errand, as_told, work
from routing.case_runs.in_process import InProcess
from routing.case_runs.reading import expected_of
from routing.compiled import CompiledRelease
from routing.datasets.naming import names_of_document, names_of_draft, on_version
from routing.datasets.rows import case_id, value_of
from routing.keys import make_key, rotate_key
from routing.models import ApiKey, EvalDataset
from routing.paths.trail import Arm
from routing.policy.checks import EVERY_SCOPE
from routing.runtime import Toolcrib

ARMS = (Arm.ALL, Arm.ROUTED)
LONGEST_ID = 128


def errands(
    dataset: EvalDataset, release: CompiledRelease, *, part: str = "", most: int | None = None
) -> list[Errand]:
    """Return the accepted cases of a dataset, or of a part, that a release has all tools of."""
    names = names_of_document(release.document, later=names_of_draft(dataset.catalog))
    rows = dataset.cases.accepted()
    if part:
        rows = rows.filter(part=part)
    holders: dict[str, list[str]] = {}
    for group in release.document["groups"]:
        for tool in group["tools"]:
            holders.setdefault(tool, []).append(group["name"])
    known = frozenset(release.names)
    found = [
        Errand(
            ref=release.ref,
            case_id=case_id(row),
            case=case,
            path=expected_of(case),
            holders=holders,
            known=known,
            seed=dataset.seed,
        )
        for row in rows
        if (case := on_version(value_of(row), names)) is not None
    ]
    return found[:most]


def drive(
    some: Sequence[Errand],
    *,
    token: str,
    arms: Sequence[Arm] = ARMS,
    now: datetime,
    choose: Chooser = as_told,
    gullible: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> int:
    """Let an agent work on each errand once an arm, and return how many runs that made."""
    done = 0
    with in_process(token) as crib:
        for errand in some:
            for arm in arms:
                name = f"{errand.case_id.replace('/', '-')}-{arm}-{now:%Y%m%d-%H%M%S-%f}"
                run_id = name[-LONGEST_ID:]
                work(crib, errand, arm=arm, run_id=run_id, choose=choose, gullible=gullible)
                done += 1
                progress(done)
    return done


def agents_token(catalog: Catalog, *, scopes: Sequence[str] = (EVERY_SCOPE,), now: datetime) -> str:
    """Return the secret of the key of a catalog's scripted agents; one before it ends.

    The key is made where there is none. Nobody learns the secret: it serves this process.
    """
    name = f"scripted agents of {catalog.name}"
    key = ApiKey.objects.usable(now=now).filter(name=name, catalogs=catalog).first()
    if key is None or sorted(key.scopes) != sorted(scopes):
        return make_key(name=name, now=now, catalogs=[catalog], scopes=scopes).token
    return rotate_key(key=key).token


@contextmanager
def in_process(token: str) -> Iterator[Toolcrib]:
    """Return a client whose requests this process answers itself, without waiting between tries."""
    site = urlsplit(settings.SITE_URL)
    host = next((one for one in settings.ALLOWED_HOSTS if "*" not in one), site.hostname)
    url = f"{site.scheme}://{host}"
    with Toolcrib(url, token, transport=InProcess(), sleep=lambda _seconds: None) as crib:
        yield crib
