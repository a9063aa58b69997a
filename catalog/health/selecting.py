"""Checks of what a selection falls back on, and of the material that its strategy needs."""

from collections.abc import Iterator

from catalog.health.finding import Finding, Mend, MendKind, gettext_noop, hint, warning
from catalog.health.reading import Reading

MOST_OFFERED = 10  # models choose worse past it
MOST_ALWAYS_ON = 3
# What each strategy chooses from, any of these.
_MATERIAL = {
    "phase": ("phases",),
    "state_machine": ("phases",),
    "keyword": ("keyword_rules",),
    "phase+keyword": ("phases", "keyword_rules"),
    "rules": ("channel_rules", "intent_rules"),
}


def there_are_default_tools(reading: Reading) -> Iterator[Finding]:
    """Find a catalog that has nothing to serve when nothing fits, and fallbacks that are off."""
    document = reading.document
    defaults = [name for name in document["default_tools"] if name in reading.enabled]
    if reading.enabled and not defaults:
        yield warning(
            "no_default_tools",
            ("settings", "default_tools"),
            gettext_noop("There is no default tool to serve when a selection is unsure."),
            gettext_noop("Make a tool that only reads a default tool."),
        )
    for setting, flag in (("default_tools", "is_default"), ("always_on", "always_on")):
        for name in document[setting]:
            if name in reading.tools and name not in reading.enabled:
                yield warning(
                    "fallback_disabled",
                    ("tools", name),
                    gettext_noop("The tool is a default or always-on one, but disabled."),
                    gettext_noop("Enable it, or serve it no longer where nobody chose it."),
                    Mend(MendKind.CLEAR_FLAG, flag),
                    setting=setting,
                )


def the_cap_suits(reading: Reading) -> Iterator[Finding]:
    """Find a cap that models cannot work with, and fallbacks that do not fit under it."""
    document = reading.document
    cap = document["settings"]["max_tools"]
    if cap > MOST_OFFERED:
        yield warning(
            "cap_too_high",
            ("settings", "max_tools"),
            gettext_noop("Up to %(cap)s tools are offered: models choose worse past %(most)s."),
            gettext_noop("Set the cap to five to seven."),
            cap=cap,
            most=MOST_OFFERED,
        )
    if (count := len(document["default_tools"])) > cap:
        yield warning(
            "defaults_over_cap",
            ("settings", "default_tools"),
            gettext_noop("Of %(count)s default tools the cap of %(cap)s cuts the last."),
            gettext_noop("Keep those that help with any task."),
            count=count,
            cap=cap,
        )
    if (count := len(document["always_on"])) > MOST_ALWAYS_ON:
        yield hint(
            "many_always_on",
            ("settings", "always_on"),
            gettext_noop("%(count)s tools ride along with every selection, beside the cap."),
            gettext_noop("Keep those that every task may need."),
            count=count,
        )


def the_strategy_has_material(reading: Reading) -> Iterator[Finding]:
    """Find a strategy that has nothing to choose from."""
    strategy = reading.document["settings"]["strategy"]
    needs = _MATERIAL.get(strategy)
    if needs and not any(reading.document[kind] for kind in needs):
        yield warning(
            "strategy_without_material",
            ("settings", "strategy"),
            gettext_noop("The strategy “%(strategy)s” has no rules or phases to choose by."),
            gettext_noop("Add some, or choose the strategy “auto”."),
            strategy=strategy,
        )
