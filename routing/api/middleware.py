"""The last word on what leaves the API."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from routing.api.problems import Problem

_TITLES = {400: "Malformed request", 404: "Not found", 405: "Method not allowed"}


def problem_documents(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Turn the plain errors that Django and ninja answer by themselves into problem documents.

    They refuse a wrong host or method before a view runs, in HTML or plain text.
    """

    def handle(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        title = _TITLES.get(response.status_code)
        if (
            title is None
            or not request.path_info.startswith("/api/")
            or response["Content-Type"] == "application/problem+json"
        ):
            return response
        allow = {"Allow": response["Allow"]} if response.has_header("Allow") else {}
        slug = title.lower().replace(" ", "-")
        detail = f"{request.method} is not answered at this address."
        if response.status_code == 404:
            detail = "There is nothing at this address. See /api/v1/docs."
        elif response.status_code == 400:
            detail = "The request could not be read; its host may not be among ALLOWED_HOSTS."
        return Problem(response.status_code, slug, title, detail, headers=allow).response()

    return handle
