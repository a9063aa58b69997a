"""When not to route: what the pages say of a catalog's own numbers."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from catalog.models import Catalog
from dashboard.advice import Advice, Sizes, advice_for, advise, most_groups, sizes_of
from dashboard.metrics.crossing import Crossing, crossing
from routing.preview import compiled_label
from routing.rollups.folding import catch_up
from routing.spans import hour_of
from tests.dashboard.traffic import Traffic
from tests.samples import published

QUIET = Crossing(selections=0, opened=0, crossed=0, tokens=None)


def sizes(**more: object) -> Sizes:
    values: dict[str, object] = {
        "ref": "shop@1",
        "tools": 30,
        "cap": 7,
        "groups": 5,
        "all_tokens": 8_000,
        "typical_tokens": 2_000,
        "largest": "orders",
        "largest_share": 0.3,
    }
    return Sizes(**(values | more))  # type: ignore[arg-type]


def codes(advice: Advice) -> list[str]:
    return [finding.code for finding in advice.findings]


def test_where_routing_pays_the_numbers_are_said() -> None:
    advice = advise(sizes(), QUIET, catalog="shop")

    assert codes(advice) == []
    assert "All 30 tools to choose from cost 8,000 tokens" in advice.summary
    assert "saves 75 %" in advice.summary


def test_few_tools_need_no_router() -> None:
    [finding] = advise(sizes(tools=6, largest_share=1.0), QUIET, catalog="shop").findings

    assert finding.code == "few_tools"
    assert "with the strategy “all” the agent loses nothing" in finding.text
    assert finding.url == "/catalogs/shop/settings"


def test_a_catalog_that_serves_all_already_is_left_so() -> None:
    [finding] = advise(sizes(tools=4, serves_all=True), QUIET, catalog="shop").findings

    assert finding.text.endswith("This catalog serves all of them: leave it so.")
    assert finding.url == ""


def test_a_selection_that_costs_almost_everything_is_told() -> None:
    costly = sizes(tools=8, all_tokens=1_203, typical_tokens=1_150)
    [finding] = advise(costly, QUIET, catalog="shop").findings

    assert finding.code == "little_saved"
    assert "All 8 tools cost 1,203 tokens" in finding.text
    assert "about 1,150" in finding.text
    assert codes(advise(sizes(all_tokens=1_000, typical_tokens=849), QUIET, catalog="shop")) == []


def test_a_group_that_holds_nearly_everything_is_one_domain() -> None:
    [finding] = advise(sizes(largest_share=0.93), QUIET, catalog="shop").findings

    assert (finding.code, finding.url) == ("one_domain", "/catalogs/shop/groups/orders")
    assert "“orders” holds 93 %" in finding.text


@pytest.mark.parametrize(
    ("opened", "crossed", "told"), [(49, 49, False), (50, 24, False), (50, 25, True)]
)
def test_tasks_that_keep_crossing_the_groups_are_told(
    opened: int, crossed: int, told: bool
) -> None:
    traffic = Crossing(selections=90, opened=opened, crossed=crossed, tokens=900.0)
    advice = advise(sizes(), traffic, catalog="shop")

    assert codes(advice) == (["crossing"] if told else [])
    if told:
        assert "50 % of the last 50 selections" in advice.findings[0].text
        assert "4 or more of the 5" in advice.findings[0].text


def test_most_groups_are_two_thirds_but_two_at_least() -> None:
    assert [most_groups(count) for count in (1, 2, 3, 5, 6, 9)] == [2, 2, 2, 4, 4, 6]


@pytest.mark.django_db
class TestReleases:
    def test_sizes_are_what_the_playground_counts(self) -> None:
        published("back-office")
        release = compiled_label(Catalog.objects.get(name="back-office"))
        found = sizes_of(release)

        assert (found.ref, found.cap, found.groups) == ("back-office@1", 7, 5)
        assert found.tools == len(release.names) - len(release.index.always_on)
        assert found.all_tokens == release.catalog_tokens(None)
        assert found.typical_tokens < found.all_tokens / 2
        assert 0 < found.largest_share < 0.5

    def test_a_catalog_with_routes_is_measured_on_the_widest(self) -> None:
        catalog = published("refunds")
        release = compiled_label(catalog)
        widest = max(release.catalog_tokens(name) for name in release.index.routes)

        assert sizes_of(release).all_tokens == widest
        advice = advice_for(catalog, now=timezone.now())
        assert advice is not None
        assert codes(advice)[0] == "few_tools"

    def test_nothing_is_said_where_nothing_is_live(self) -> None:
        catalog = Catalog.objects.create(name="new", title="New")
        assert advice_for(catalog, now=timezone.now()) is None

    def test_the_advice_costs_two_queries(self, django_assert_num_queries: object) -> None:
        catalog = published("back-office")
        advice_for(catalog, now=timezone.now())
        with django_assert_num_queries(2):  # type: ignore[operator]
            advice_for(catalog, now=timezone.now())


@pytest.mark.django_db
class TestTraffic:
    def count(self, traffic: Traffic, *, days: int = 30, most: int = 2) -> Crossing:
        assert catch_up(now=traffic.now)
        end = hour_of(traffic.now) + 1
        return crossing(catalog=traffic.catalog.pk, start=end - 24 * days, end=end, most=most)

    def test_only_selections_that_chose_groups_count(self) -> None:
        traffic = Traffic()
        traffic.select(groups_count=1)
        traffic.select(groups_count=2, tokens_selected=500)
        traffic.select(groups_count=3, decided_by="all")
        traffic.select(groups_count=2, fallback="low_confidence")
        traffic.select(groups_count=0, fallback="no_match")
        traffic.select(groups_count=5, at=traffic.now - timedelta(days=40))

        assert self.count(traffic) == Crossing(selections=5, opened=2, crossed=1, tokens=260.0)

    def test_without_traffic_there_is_nothing_to_say(self) -> None:
        assert self.count(Traffic()) == QUIET


@pytest.mark.parametrize("path", ["/", "/playground"])
def test_the_pages_show_it_with_a_next_step(signed_in: Client, path: str) -> None:
    published("refunds", strategy="auto")
    published("back-office")

    few = signed_in.get(f"{path}?catalog=refunds").text
    pays = signed_in.get(f"{path}?catalog=back-office").text

    assert "When not to route: refunds@1" in few
    assert '<a href="/catalogs/refunds/settings">Set the strategy “all”</a>' in few
    assert "Routing pays for back-office@1" in pays
    assert "data-finding" not in pays


def test_nothing_live_and_all_catalogs_show_none(signed_in: Client) -> None:
    Catalog.objects.create(name="new", title="New")
    assert 'id="advice"' not in signed_in.get("/playground?catalog=new").text
    assert 'id="advice"' not in signed_in.get("/?catalog=*").text
