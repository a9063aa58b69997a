"""The HTTP library: httpx2, or httpx, its older name, where an agent has only that."""

try:
    import httpx2 as httpx
except ModuleNotFoundError:
    import httpx  # type: ignore[no-redef]

__all__ = ["httpx", "is_transport_error"]


def is_transport_error(error: Exception) -> bool:
    """Tell whether a connection failed, of either library: a handler may use the other one."""
    return any(
        kind.__name__ == "TransportError" and kind.__module__.partition(".")[0].startswith("httpx")
        for kind in type(error).__mro__
    )
