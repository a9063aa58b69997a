"""Make the recorder known to the models that tell it of their writes."""

from catalog.models.written import WrittenManager, tell
from catalog.recording.blocks import Recording
from catalog.recording.sections import OWNER_OF


def start() -> None:
    """Record every change of a draft from now on.

    The rows of a plain many-to-many are written by a manager that Django makes; it is given a
    manager that tells, so that ``phase.tools.set(...)`` and ``Phase.tools.through.objects`` do too.
    """
    for model in OWNER_OF:
        if model._meta.auto_created:  # noqa: SLF001 - Django's public name
            model._meta.local_managers.clear()  # noqa: SLF001
            model.add_to_class("objects", WrittenManager())
    tell(Recording())
