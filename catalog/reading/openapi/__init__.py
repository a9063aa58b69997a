"""OpenAPI 3.0 and 3.1: each operation is a tool."""

from catalog.reading.openapi.operations import is_openapi, read_openapi

__all__ = ["is_openapi", "read_openapi"]
