"""Which runs explore: a small, sticky share whose selections are inclusive.

Agents can only call what they were offered, so that a cut that is wrong would never show. What the
exploring runs call shows it.
"""

from hashlib import blake2b


def explores(*, key: int, run_id: str, share: float) -> bool:
    """Tell whether a run explores: the same answer for all its selections."""
    digest = blake2b(f"{key}:{run_id}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") < share * 2**64
