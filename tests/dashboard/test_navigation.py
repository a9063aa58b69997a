"""The frame around every page: which catalog, which pages, and at what cost."""

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.db import connection
from django.http import Http404, HttpRequest
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import ResolverMatch, reverse

from catalog.models import Catalog
from dashboard.context import PLACES, Navigation, current_catalog, navigation


@pytest.fixture
def catalogs(db: None) -> list[Catalog]:
    """Return three catalogs, made out of order; one more is archived."""
    Catalog.objects.create(name="archived", title="Old", archived=True)
    return [Catalog.objects.create(name=name, title=name.title()) for name in ("b", "c", "a")]


def request_of(
    user: User | AnonymousUser, path: str = "/", *, in_session: str = "", **kwargs: str
) -> HttpRequest:
    request = RequestFactory().get(path)
    request.user = user
    request.session = SessionStore()
    if in_session:
        request.session["catalog"] = in_session
    name = "groups" if "catalog" in kwargs else "keys"
    request.resolver_match = ResolverMatch(
        lambda: None, (), kwargs, name, ["catalog"], ["catalog"], route=""
    )
    return request


def frame_of(request: HttpRequest) -> Navigation:
    frame = navigation(request)["navigation"]
    assert isinstance(frame, Navigation)
    return frame


def name_of(catalog: Catalog | None) -> str | None:
    return catalog.name if catalog else None


def test_every_place_of_the_sidebar_exists() -> None:
    for place in PLACES:
        reverse(place.view_name, kwargs={"catalog": "a"} if place.of_catalog else {})


def test_a_missing_page_does_not_break_the_frame(
    user: User, catalogs: list[Catalog], settings: pytest.FixtureRequest
) -> None:
    settings.ROOT_URLCONF = "tests.dashboard.no_pages"  # type: ignore[attr-defined]
    assert frame_of(request_of(user)).entries == []


@pytest.mark.parametrize(
    ("path", "in_session", "in_path", "expected"),
    [
        ("/", "", {}, "a"),
        ("/", "c", {}, "c"),
        ("/?catalog=b", "c", {}, "b"),
        ("/?catalog=b", "c", {"catalog": "a"}, "a"),
        ("/", "gone", {}, "a"),
        ("/", "archived", {}, "a"),
    ],
)
def test_the_path_then_the_query_then_the_session_names_the_catalog(
    user: User,
    catalogs: list[Catalog],
    path: str,
    in_session: str,
    in_path: dict[str, str],
    expected: str,
) -> None:
    request = request_of(user, path, in_session=in_session, **in_path)
    assert name_of(current_catalog(request=request)) == expected
    frame = frame_of(request)
    assert name_of(frame.catalog) == expected
    assert [choice.catalog.name for choice in frame.choices] == ["a", "b", "c"]
    assert [choice.is_current for choice in frame.choices].count(True) == 1
    assert request.session["catalog"] == expected


@pytest.mark.parametrize("asked", ["nothing", "archived"])
def test_a_catalog_that_may_not_be_seen_is_not_replaced_by_another(
    user: User, catalogs: list[Catalog], asked: str
) -> None:
    with pytest.raises(Http404):
        current_catalog(request=request_of(user, f"/?catalog={asked}"))


def test_view_and_frame_share_one_query(user: User, catalogs: list[Catalog]) -> None:
    request = request_of(user)
    with CaptureQueriesContext(connection) as queries:
        current_catalog(request=request)
        list(frame_of(request).choices)
    assert len(queries) == 1


def test_nobody_costs_no_query(client: Client, catalogs: list[Catalog]) -> None:
    request = request_of(AnonymousUser())
    with CaptureQueriesContext(connection) as queries:
        assert frame_of(request).catalog is None
        assert client.get("/sign-in").status_code == 200
    assert len(queries) == 0


def test_without_a_catalog_the_frame_stands(user: User) -> None:
    frame = frame_of(request_of(user))
    assert frame.catalog is None
    assert list(frame.choices) == []


def test_choosing_keeps_the_rest_of_the_query_but_not_the_page(
    user: User, catalogs: list[Catalog]
) -> None:
    frame = frame_of(request_of(user, "/keys?catalog=a&period=7d&page=3"))
    assert frame.choices[1].url == "/keys?catalog=b&period=7d"


def test_choosing_on_a_page_of_a_catalog_opens_that_page_of_another(
    user: User, catalogs: list[Catalog]
) -> None:
    frame = frame_of(request_of(user, "/catalogs/a/groups", catalog="a"))
    assert frame.choices[1].url == reverse("catalog:groups", kwargs={"catalog": "b"})


def test_choosing_on_the_page_of_one_tool_opens_the_other_catalogs_groups(
    user: User, catalogs: list[Catalog]
) -> None:
    frame = frame_of(request_of(user, "/catalogs/a/tools/x", catalog="a", tool="x"))
    assert frame.choices[1].url == reverse("catalog:groups", kwargs={"catalog": "b"})


def test_the_page_and_what_lies_under_it_are_marked(user: User, catalogs: list[Catalog]) -> None:
    for path in ("/catalogs/a/groups", "/catalogs/a/groups/new"):
        entries = frame_of(request_of(user, path, catalog="a")).entries
        assert [entry.url for entry in entries if entry.is_current] == ["/catalogs/a/groups"]
