"""The HTTP library: httpx2, or httpx, its older name, where an agent has only that."""

try:
    import httpx2 as httpx
except ModuleNotFoundError:
    import httpx  # type: ignore[no-redef]

__all__ = ["httpx"]
