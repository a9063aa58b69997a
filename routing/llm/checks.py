"""System checks: a router model that could only fail is told of at the start."""

from importlib.util import find_spec
from typing import Any

from django.conf import settings
from django.core import checks

from routing.llm.configuring import BadRouterSetting, read_settings

_HINT = "Until it is mended “auto” answers for “llm”. See docs/llm-router.md."


@checks.register()
def check_router(**_: Any) -> list[checks.CheckMessage]:
    """Warn of a router model that cannot be asked; selections are made without it."""
    try:
        router = read_settings(settings)
    except BadRouterSetting as error:
        return [checks.Warning(str(error), hint=_HINT, id="routing.W001")]
    if router is not None and find_spec(router.provider) is None:
        missing = f"LLM_ROUTER needs the package {router.provider}: pip install 'toolcrib[llm]'."
        return [checks.Warning(missing, hint=_HINT, id="routing.W002")]
    return []
