"""Prepare a demonstration: sample catalogs published, somebody to sign in as, a key, traffic.

Every step looks before it makes, so that a second run repairs what is missing and touches nothing
else.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.contrib.auth.models import User

from catalog.drafting import fill_draft
from catalog.models import Catalog, Tool
from catalog.recording import acting, recorded, undo
from catalog.samples import SAMPLES, load_sample
from dashboard.secrets import read_or_make_secret
from routing.keys import find_key, make_key
from routing.models import Release
from routing.policy.checks import EVERY_SCOPE
from routing.releases import publish

ADMINISTRATOR = "admin"
_PASSWORD_BITS = 96
SAMPLES_AGE = timedelta(days=31)


@dataclass(frozen=True, slots=True)
class Prepared:
    """Who administers the demonstration, and files that only their owner reads."""

    administrator: User
    password_file: Path
    key_file: Path


def prepare_demo(*, folder: Path, now: datetime, say: Callable[[str], object]) -> Prepared:
    """Make what is missing of the demonstration, all but the traffic.

    The sample catalogs are dated before the month that is simulated, so that it runs on them.
    """
    administrator = _administrator(folder / "demo-password")
    for name in SAMPLES:
        if ensure_sample(name=name, author=administrator, now=now - SAMPLES_AGE):
            say(f"Published the sample catalog {name}.")
    _key(folder / "demo-key", owner=administrator, now=now)
    return Prepared(
        administrator=administrator,
        password_file=folder / "demo-password",
        key_file=folder / "demo-key",
    )


def how_to_sign_in(password_file: Path) -> str:
    """Return what to tell whoever opens the site: the file is only written with the account."""
    if password_file.exists():
        return f"Sign in as {ADMINISTRATOR} with the password in {password_file}."
    return (
        f"The password of {ADMINISTRATOR} was set earlier, and {password_file} is gone: "
        f"“manage.py changepassword {ADMINISTRATOR}” sets another."
    )


def ensure_sample(*, name: str, author: User | None, now: datetime) -> bool:
    """Make a sample catalog and publish it; tell whether there was anything to do.

    A catalog that has been published is its owner's: it is left as it is.
    """
    if Release.objects.filter(catalog__name=name).exists():
        return False
    catalog = Catalog.objects.filter(name=name).first() or Catalog(name=name)
    with acting(by=author):
        if catalog.pk is None:
            fill_draft(catalog=catalog, document=load_sample(name), now=now - timedelta(hours=1))
            _change_its_mind(catalog, now=now)
        publish(catalog=catalog, author=author, now=now, note="First version", base=None)
    return True


def _change_its_mind(catalog: Catalog, *, now: datetime) -> None:
    """Edit something and take it back, so that the audit log has what one looks for there."""
    with recorded(catalog=catalog, now=now - timedelta(minutes=30)) as operation:
        first = catalog.tools.order_by("position", "id")[:1]
        Tool.objects.filter(pk__in=[tool.pk for tool in first]).update(timeout_ms=30_000)
    undo(catalog=catalog, operation=operation.id, now=now - timedelta(minutes=20))


def _administrator(password_file: Path) -> User:
    """Return the administrator, with the password of the file when the account is new."""
    user = User.objects.filter(username=ADMINISTRATOR).first()
    if user is None:
        password = read_or_make_secret(password_file, bits=_PASSWORD_BITS)
        user = User.objects.create_superuser(ADMINISTRATOR, password=password)
    return user


def _key(key_file: Path, *, owner: User, now: datetime) -> None:
    """Keep a key for the commands of the README, made again when the one in the file has ended."""
    if key_file.exists() and find_key(token=key_file.read_text().strip(), now=now) is not None:
        return
    made = make_key(name="demo", now=now, created_by=owner, scopes=[EVERY_SCOPE])
    key_file.unlink(missing_ok=True)
    read_or_make_secret(key_file, secret=made.token)
