"""Look-alikes: tools, or groups, that a task could not tell apart. Pure: no Django, no clock."""

from routing.lookalikes.keys import part_keys
from routing.lookalikes.looking import look_alikes
from routing.lookalikes.pair import Flip, LookAlike
from routing.lookalikes.samples import count_samples

__all__ = ["Flip", "LookAlike", "count_samples", "look_alikes", "part_keys"]
