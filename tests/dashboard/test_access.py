"""What pages show to whom, and what they do to somebody whose role has changed meanwhile."""

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalog.models import Catalog, Membership
from catalog.roles import Role
from routing.keys import make_key
from routing.models import ApiKey
from tests.drafts import draft_of, empty_catalog
from tests.members import client_of, member
from tests.samples import published

WORDS = {
    "es": "Esto requiere el rol “editor” en refunds y el tuyo es “lector”.",
    "pt": "Isto exige o papel “editor” em refunds, e o seu é “leitor”.",
}
READABLE = ("groups", "groups/orders", "tools", "tools/read_order", "settings", "versions")


@pytest.fixture
def refunds(db: None, settings: Any) -> Catalog:
    """Return a published catalog of four tools."""
    settings.ENCODER = "none"
    return published("refunds")


def sendable(page: str) -> list[str]:
    """Return what of a page can be sent: the forms of its content with a button that works.

    Whoever may read may comment, and that changes nothing of what is read.
    """
    content = re.sub(
        r'<form[^>]*action="[^"]*/comments\b.*?</form>',
        "",
        page.partition("<main")[2],
        flags=re.DOTALL,
    )
    forms = re.findall(r'<form[^>]*method="post".*?</form>', content, re.DOTALL)
    works = re.compile(r'<button(?![^>]* disabled)[^>]*type="submit"')
    return [form for form in forms if works.search(form)]


def words_of(response: Any) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.text)).split())


class TestWhatAViewerSees:
    @pytest.mark.parametrize("path", READABLE)
    def test_every_page_can_be_read_and_says_why_no_more(self, refunds: Catalog, path: str) -> None:
        page = client_of(member(refunds, Role.VIEWER)).get(f"/catalogs/refunds/{path}")
        needed = "publisher" if path == "versions" else "editor"
        assert f"you need the role “{needed}”; yours is “viewer”." in words_of(page)
        assert not sendable(page.text)
        content = page.text.partition("<main")[2]
        controls = re.findall(r'<(?:button|input)[^>]*(?:role="switch"|name="cell")[^>]*>', content)
        assert all(" disabled" in control for control in controls)
        assert bool(controls) == (path in {"groups", "groups/orders", "tools"})

    @pytest.mark.parametrize("path", READABLE)
    def test_who_may_change_it_sees_no_note(self, refunds: Catalog, path: str) -> None:
        refunds.tools.update(description="Another.")  # so that there is something to publish
        publisher = client_of(member(refunds, Role.PUBLISHER))
        page = publisher.get(f"/catalogs/refunds/{path}").text
        assert "data-role-needed" not in page
        assert sendable(page)

    def test_no_link_leads_to_a_refusal(self, refunds: Catalog) -> None:
        client = client_of(member(refunds, Role.VIEWER))
        paths = ["/", "/playground", "/keys", "/catalogs/", "/catalogs/refunds/versions/1"]
        paths += [f"/catalogs/refunds/{path}" for path in READABLE]
        links = {
            unescape(link): path
            for path in paths
            for link in re.findall(r'<a [^>]*href="(/[^"]*)"', client.get(path).text)
        }
        refused = {
            (path, link) for link, path in links.items() if client.get(link).status_code >= 400
        }
        assert not refused

    def test_the_playground_chooses(self, refunds: Catalog) -> None:
        client = client_of(member(refunds, Role.VIEWER))
        form = {"task": "Read order 7", "ref": "live", "format": "native", "route": "order_status"}
        response = client.post("/playground?catalog=refunds", form)
        assert response.status_code == 200
        assert "read_order" in response.text

    def test_somebody_without_a_catalog_is_told_how_to_get_one(self, refunds: Catalog) -> None:
        client = client_of(member(None, None))
        for path in ("/", "/playground", "/catalogs/"):
            assert "manage.py member CATALOG eva viewer" in client.get(path).text
        assert "New catalog" not in client.get("/catalogs/").text


class TestWhatIsRefused:
    def test_it_says_which_role_it_needs(self, refunds: Catalog) -> None:
        response = client_of(member(refunds, Role.VIEWER)).get("/catalogs/refunds/tools/-/new")
        assert response.status_code == 403
        said = "This needs the role “editor” in refunds, and yours is “viewer”."
        assert said in words_of(response)

    @pytest.mark.parametrize("language", ["es", "pt"])
    def test_it_says_so_in_the_readers_language(self, refunds: Catalog, language: str) -> None:
        client = client_of(member(refunds, Role.VIEWER))
        headers = {"Accept-Language": language}
        response = client.get("/catalogs/refunds/tools/-/new", headers=headers)
        assert "This needs" not in response.text
        assert WORDS[language] in words_of(response)

    def test_a_role_that_was_taken_meanwhile_counts_no_more(self, refunds: Catalog) -> None:
        eva = member(refunds, Role.PUBLISHER)
        client, page = client_of(eva), "/catalogs/refunds/settings"
        form = client.get(page).context["form"].initial | {"max_tools": "3"}
        Membership.objects.filter(user=eva).update(role=Role.VIEWER)
        assert client.post(page, form).status_code == 403
        Membership.objects.filter(user=eva).delete()
        assert client.post(page, form).status_code == 404
        refunds.refresh_from_db()
        assert refunds.max_tools != 3

    def test_an_archived_catalog_is_not_there(self, refunds: Catalog) -> None:
        client = client_of(member(refunds, Role.ADMINISTRATOR))
        Catalog.objects.update(archived=True)
        for path in ("/?catalog=refunds", *(f"/catalogs/refunds/{path}" for path in READABLE)):
            assert client.get(path).status_code == 404


class TestTwoPeople:
    @pytest.fixture
    def two(self, refunds: Catalog) -> tuple[Client, Client]:
        """Return eva, an administrator of the harbour, and ida, one of refunds."""
        harbour = empty_catalog("harbour")
        eva = member(harbour, Role.ADMINISTRATOR)
        ida = member(refunds, Role.ADMINISTRATOR, name="ida")
        return client_of(eva), client_of(ida)

    def test_each_picks_among_their_own(self, two: tuple[Client, Client]) -> None:
        eva, ida = two
        for client, own, other in ((eva, "harbour", "refunds"), (ida, "refunds", "harbour")):
            for path in ("/", "/playground", "/catalogs/", "/keys", "/keys/new", "/?catalog=*"):
                named = re.findall(rf"\b({own}|{other})\b(?!:)", client.get(path).text)
                assert set(named) == {own}, path

    @pytest.mark.parametrize("path", ["/", "/playground", "/keys/new"])
    def test_the_others_catalog_is_not_there(self, two: tuple[Client, Client], path: str) -> None:
        eva, ida = two
        assert eva.get(f"{path}?catalog=refunds").status_code == 404
        assert eva.get(f"{path}?catalog=nowhere").status_code == 404
        assert ida.get(f"{path}?catalog=refunds").status_code == 200

    def test_a_session_that_remembers_a_catalog_does_not_open_it(self, refunds: Catalog) -> None:
        eva = member(refunds, Role.VIEWER)
        client = client_of(eva)
        client.get("/?catalog=refunds")
        Membership.objects.all().delete()
        assert "refunds" not in client.get("/").text

    def test_a_maker_administers_what_they_made(self, two: tuple[Client, Client]) -> None:
        eva, ida = two
        eva.post("/start", {"name": "mine", "title": "Mine"})
        made = Membership.objects.get(catalog__name="mine")
        assert (made.user.username, made.role) == ("eva", Role.ADMINISTRATOR)
        assert ida.get("/catalogs/mine/tools").status_code == 404


class TestKeys:
    def test_only_those_whose_every_catalog_is_administered_are_seen(
        self, refunds: Catalog
    ) -> None:
        now, desk, shop = timezone.now(), empty_catalog("desk"), empty_catalog("shop")
        eva = member(desk, Role.ADMINISTRATOR)
        Membership.objects.create(user=eva, catalog=refunds, role=Role.PUBLISHER)
        Membership.objects.create(user=eva, catalog=shop, role=Role.ADMINISTRATOR)
        for name, catalogs in {
            "own": [desk],
            "both": [desk, shop],
            "half": [desk, refunds],
            "foreign": [refunds],
            "orphan": [],
            "all": None,
        }.items():
            make_key(name=f"{name}-key", now=now, catalogs=catalogs)
        page, client = client_of(eva).get("/keys").text, client_of(eva)
        assert re.findall(r'class="key-name">([^<]*)<', page) == ["both-key", "own-key"]
        for key in ApiKey.objects.exclude(name__in=["own-key", "both-key"]):
            for path in (f"/keys/{key.pk}/rotate", f"/keys/{key.pk}/revoke"):
                form = {"prefix": key.prefix}
                assert client.get(path).status_code == client.post(path, form).status_code == 404
        assert not ApiKey.objects.exclude(revoked_at=None).exists()
        root = client_of(User.objects.create_superuser("root"))
        assert root.get("/keys").text.count("key-name") == 6

    def test_a_key_reaches_no_further_than_its_maker(self, refunds: Catalog) -> None:
        desk = empty_catalog("desk")
        eva = member(desk, Role.ADMINISTRATOR)
        Membership.objects.create(user=eva, catalog=refunds, role=Role.PUBLISHER)
        client, form = client_of(eva), {"name": "agent", "actions": ["select"]}
        every = client.post("/keys/new", form | {"all_catalogs": "on"})
        other = client.post("/keys/new", form | {"catalogs": [desk.pk, refunds.pk]})
        assert every.status_code == other.status_code == 422
        assert not ApiKey.objects.exists()
        both = client.post("/keys/new", form | {"all_catalogs": "on", "catalogs": [desk.pk]})
        assert both.status_code == 200
        key = ApiKey.objects.get()
        assert (key.all_catalogs, [one.name for one in key.catalogs.all()]) == (False, ["desk"])

    def test_the_name_of_a_key_that_is_not_seen_is_free(self, refunds: Catalog) -> None:
        make_key(name="agent", now=timezone.now(), catalogs=[refunds])
        desk = empty_catalog("desk")
        client = client_of(member(desk, Role.ADMINISTRATOR))
        form = {"name": "agent", "actions": ["select"], "catalogs": [desk.pk]}
        assert client.post("/keys/new", form).status_code == 200

    def test_who_administers_nothing_is_told_so(self, refunds: Catalog) -> None:
        client = client_of(member(refunds, Role.PUBLISHER))
        page = client.get("/keys")
        assert "Keys belong to administrators." in page.text
        assert "/keys/new" not in page.text
        assert "Keys are made by the administrators" in client.get("/keys/new").text


class TestSettings:
    def test_an_editor_changes_settings_and_not_whether_text_is_kept(
        self, refunds: Catalog
    ) -> None:
        client, page = client_of(member(refunds, Role.EDITOR)), "/catalogs/refunds/settings"
        form = client.get(page).context["form"].initial | {"max_tools": "3", "keep_text": ""}
        assert client.post(page, form).status_code == 302
        refunds.refresh_from_db()
        assert (refunds.max_tools, refunds.keep_text) == (3, True)
        assert client.post(f"{page}/text", {"kept": "none"}).status_code == 403


@pytest.mark.parametrize(
    ("path", "most"),
    [("/catalogs/", 6), ("/catalogs/back-office/groups", 9), ("/catalogs/back-office/tools", 9)],
)
def test_a_role_costs_hardly_a_query(
    db: None, django_assert_num_queries: DjangoAssertNumQueries, path: str, most: int
) -> None:
    client = client_of(member(draft_of("back-office"), Role.EDITOR))
    client.get(path)  # the session notes the catalog
    with django_assert_num_queries(most):
        assert client.get(path).status_code == 200
