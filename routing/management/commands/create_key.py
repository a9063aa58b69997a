"""``manage.py create_key NAME``: a key for an agent."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from catalog.models import Catalog
from routing.keys import (
    HIGHEST_CEILINGS,
    HIGHEST_RATE,
    LONGEST_SCOPE,
    MOST_SCOPES,
    make_key,
)
from routing.management.catalogs import bounded
from routing.models import ApiKey
from routing.policy.checks import EVERY_SCOPE

_TRAFFIC = tuple(one for one in ApiKey.Action.values if one != ApiKey.Action.TEST)


class Command(BaseCommand):
    """Make an API key."""

    help = (
        "Make an API key and print it as the last line. Unless told, it grants everything but "
        "“test”: runs of it then count as traffic."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("name")
        parser.add_argument("--catalog", action="append", help="a catalog it may reach; repeatable")
        parser.add_argument(
            "--action", action="append", choices=ApiKey.Action.values, help="repeatable"
        )
        parser.add_argument(
            "--scope", action="append", help="a scope that tools may require; repeatable"
        )
        parser.add_argument("--rate-limit", type=int, metavar="N", help="requests a minute")
        parser.add_argument(
            "--budget",
            action="append",
            metavar="KIND=MOST",
            help="a ceiling of each run: calls, tokens, cost (USD) or seconds; repeatable",
        )

    def handle(self, **options: Any) -> None:
        """Make the key."""
        made = make_key(
            name=bounded(options["name"], what="The name", least=1, most=100),
            now=timezone.now(),
            catalogs=None if options["catalog"] is None else _catalogs(options["catalog"]),
            actions=options["action"] or _TRAFFIC,
            scopes=_scopes(options["scope"]),
            rate_limit=_rate_limit(options["rate_limit"]),
            budget=dict(map(_ceiling, options["budget"] or ())),
        )
        self.stdout.write(f"Made the key “{made.key.name}”. It is shown only now:")
        self.stdout.write(made.token)


def _catalogs(names: list[str]) -> list[Catalog]:
    catalogs = list(Catalog.objects.filter(name__in=names))
    if missing := sorted(set(names) - {catalog.name for catalog in catalogs}):
        raise CommandError(f"There is no catalog {', '.join(missing)}.")
    return catalogs


def _scopes(names: list[str] | None) -> list[str]:
    if names is None:
        return [EVERY_SCOPE]
    if len(names) > MOST_SCOPES:
        raise CommandError(f"A key names at most {MOST_SCOPES} scopes.")
    scopes = (bounded(name.strip(), what="A scope", least=1, most=LONGEST_SCOPE) for name in names)
    return list(dict.fromkeys(scopes))


def _rate_limit(number: int | None) -> int | None:
    if number is not None and not 1 <= number <= HIGHEST_RATE:
        raise CommandError(f"--rate-limit is 1 to {HIGHEST_RATE:,} requests a minute.")
    return number


def _ceiling(text: str) -> tuple[str, int | float]:
    kind, _, amount = text.partition("=")
    if kind not in HIGHEST_CEILINGS:
        raise CommandError(f"--budget is KIND=MOST, KIND one of {', '.join(HIGHEST_CEILINGS)}.")
    try:
        most = int(amount) if kind in ("calls", "tokens") else float(amount)
    except ValueError as error:
        raise CommandError(f"--budget {kind}: “{amount}” is no such number.") from error
    if not 0 <= most <= HIGHEST_CEILINGS[kind]:
        raise CommandError(f"--budget {kind} is 0 to {HIGHEST_CEILINGS[kind]:,}.")
    return kind, most
