"""What everybody may read without a key: the shapes that Toolcrib promises."""

from functools import cache
from importlib.resources import files

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Router

from catalog.document import FORMAT
from routing.api.bodies import json_response

router = Router(tags=["shapes"])


@router.get("/document/{document_format}", summary="Read the JSON Schema of a document")
def get_document_schema(request: HttpRequest, document_format: int) -> HttpResponse:
    """Return the JSON Schema of the canonical document, by its ``format``."""
    if document_format != FORMAT:
        raise Http404
    return json_response(_document_schema())


@cache
def _document_schema() -> bytes:
    return files("catalog.document").joinpath("document.schema.json").read_bytes()
