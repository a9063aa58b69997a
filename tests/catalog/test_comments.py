"""Comments on a draft: made by every member, settled by editors and whoever made one."""

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from catalog.models import Catalog, Comment
from catalog.roles import Role
from tests.drafts import draft_of
from tests.members import client_of, member

BASE = "/catalogs/back-office"
PAGE = f"{BASE}/comments"


@pytest.fixture
def catalog(db: None) -> Catalog:
    return draft_of()


def test_a_viewer_remarks_on_a_tool_and_an_editor_settles_it(catalog: Catalog) -> None:
    tool = catalog.tools.get(name="find_payment")
    viewer = member(catalog, Role.VIEWER, name="ben")
    ben = client_of(viewer)
    address = tool.get_absolute_url()
    sent = {"kind": "tools", "row": tool.pk, "text": "Does <b>this</b> read twice?"}
    answer = ben.post(PAGE, {**sent, "next": address})
    assert answer["Location"] == address
    page = ben.get(address).content.decode()
    assert "Does &lt;b&gt;this&lt;/b&gt; read twice?" in page
    comment = catalog.comments.get()
    assert (comment.by, comment.subject) == (viewer, "find_payment")
    eva = client_of(member(catalog, Role.EDITOR))
    assert 'badge bg-orange-lt ms-2">1' in eva.get(f"{BASE}/versions").content.decode()
    eva.post(f"{PAGE}/{comment.pk}/settle", {"on": "1"})
    assert not catalog.comments.open().exists()
    assert "read twice" not in eva.get(address).content.decode()
    assert "settled by" in eva.get(f"{PAGE}?show=settled").content.decode()
    eva.post(f"{PAGE}/{comment.pk}/settle", {"on": "0"})
    assert catalog.comments.open().get().settled_by_name == ""


def test_a_viewer_settles_their_own_and_no_other(catalog: Catalog) -> None:
    ben, eva = (client_of(member(catalog, Role.VIEWER, name=name)) for name in ("ben", "eva"))
    ben.post(PAGE, {"text": "On all of it."})
    comment = catalog.comments.get()
    assert comment.kind == ""
    assert eva.post(f"{PAGE}/{comment.pk}/settle", {"on": "1"}).status_code == 403
    assert ben.post(f"{PAGE}/{comment.pk}/settle", {"on": "1"}).status_code == 302
    assert not catalog.comments.open().exists()


def test_a_remark_follows_a_new_name_and_outlives_its_part(
    signed_in: Client, catalog: Catalog
) -> None:
    group = catalog.groups.get(name="stock")
    signed_in.post(PAGE, {"kind": "groups", "row": group.pk, "text": "Split it."})
    group.name = "stores"
    group.save()
    assert f'href="{BASE}/groups/stores"' in signed_in.get(PAGE).content.decode()
    group.delete()
    assert "stock, deleted since" in signed_in.get(PAGE).content.decode()


def test_what_says_nothing_or_is_of_no_part_is_refused(signed_in: Client, catalog: Catalog) -> None:
    foreign = draft_of("refunds").tools.all()[0]
    assert signed_in.post(PAGE, {"text": "  "}).status_code == 422
    assert signed_in.post(PAGE, {"text": "x" * 2001}).status_code == 422
    for kind, row, status in (
        ("tools", foreign.pk, 404),
        ("settings", catalog.pk, 404),
        ("nothing", 1, 404),
        ("tools", "", 400),
        ("tools", "x", 400),
    ):
        sent = {"kind": kind, "row": row, "text": "x"}
        assert signed_in.post(PAGE, sent).status_code == status, kind
    assert not Comment.objects.exists()


def test_the_database_keeps_comments_whole(catalog: Catalog) -> None:
    for wrong in ({"text": ""}, {"text": "x", "kind": "tools"}, {"text": "x", "row": 1}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Comment.objects.create(catalog=catalog, at=timezone.now(), by_name="eva", **wrong)
