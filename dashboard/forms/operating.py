"""The operating point of the draft: the settings that the curve of an evaluation is over."""

from catalog.forms.watched import WatchedForm
from catalog.models import Catalog

OPERATING = ("threshold", "max_tools", "inclusive")


class OperatingForm(WatchedForm):
    """Threshold, cap and inclusiveness of the draft, which take effect with a version."""

    watched = OPERATING

    class Meta:
        model = Catalog
        fields = OPERATING
