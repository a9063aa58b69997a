"""One's own account: the language and the time zone of the pages, and the password."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog.roles import Role
from dashboard.models import Preferences
from dashboard.preferences import keep_preferences, time_zones
from routing.keys import make_key
from tests.drafts import empty_catalog
from tests.members import client_of, member

EVENING = datetime(2026, 3, 4, 22, 30, tzinfo=UTC)


class TestPreferences:
    def test_times_are_the_readers(self, signed_in: Client, user: User) -> None:
        make_key(name="agent", now=EVENING)
        assert "4 Mar 2026" in signed_in.get("/keys").text
        form = {"language": "", "time_zone": "Asia/Tokyo"}
        assert signed_in.post("/profile", form).status_code == 302
        page = signed_in.get("/keys").text
        assert "5 Mar 2026" in page
        assert "2026-03-05T07:30:00+09:00" in page
        # What one reader chose is nobody else's.
        assert timezone.get_current_timezone_name() == "UTC"
        assert "4 Mar 2026" in client_of(User.objects.create_superuser("root")).get("/keys").text

    def test_days_of_charts_are_cut_in_the_readers_zone(
        self, signed_in: Client, user: User
    ) -> None:
        empty_catalog()
        keep_preferences(user=user, time_zone="Asia/Tokyo")
        periods = signed_in.get("/?period=7d").context["periods"]
        assert str(periods.now.zone) == "Asia/Tokyo"
        assert periods.now.first_moment.hour == 0

    def test_the_language_is_the_accounts_wherever_they_sign_in(self, user: User) -> None:
        first = client_of(user)
        first.post("/language", {"language": "es", "next": "/profile"})
        elsewhere = client_of(user).get("/profile", headers={"Accept-Language": "pt"})
        assert 'lang="es"' in elsewhere.text
        assert elsewhere["Content-Language"] == "es"
        assert Preferences.objects.get().time_zone == ""
        first.post("/profile", {"language": "", "time_zone": ""})
        browsers = client_of(user).get("/profile", headers={"Accept-Language": "pt"})
        assert 'lang="pt"' in browsers.text

    def test_what_is_none_is_refused_and_what_is_gone_is_the_sites(
        self, signed_in: Client, user: User
    ) -> None:
        form = {"language": "tlh", "time_zone": "Mars/Olympus"}
        assert signed_in.post("/profile", form).status_code == 422
        signed_in.post("/language", {"language": "tlh"})
        assert not Preferences.objects.exists()
        Preferences.objects.create(user=user, language="tlh", time_zone="../etc/passwd")
        page = signed_in.get("/profile")
        assert page.status_code == 200
        assert 'lang="en"' in page.text

    def test_they_cost_no_query(self, signed_in: Client, user: User) -> None:
        def queries() -> int:
            with CaptureQueriesContext(connection) as asked:
                signed_in.get("/profile")
            return len(asked)

        queries()
        before = queries()
        keep_preferences(user=user, language="pt", time_zone="Europe/Lisbon")
        assert queries() == before

    def test_zones_are_places(self) -> None:
        zones = set(time_zones())
        assert {"UTC", "Europe/Madrid", "America/Sao_Paulo", "Asia/Kathmandu"} <= zones
        assert not {"EST", "Etc/GMT+5", "posixrules"} & zones


class TestOnesOwnPage:
    def test_it_says_which_role_one_has_where(self, db: None) -> None:
        page = client_of(member(empty_catalog("desk"), Role.PUBLISHER)).get("/profile")
        assert "desk" in page.text.partition("<main")[2]
        assert "publisher" in page.text

    def test_a_new_password_ends_the_other_sessions_alone(self, user: User) -> None:
        here, there = client_of(user), client_of(user)
        new = "seven green herons"
        form: dict[str, Any] = {"new_password1": new, "new_password2": new}
        wrong = here.post("/profile/password", form | {"old_password": "wrong"})
        assert wrong.status_code == 422
        assert "This is not your password." in wrong.text
        right = here.post("/profile/password", form | {"old_password": "a long password"})
        assert right.status_code == 302
        assert here.get("/profile").status_code == 200
        assert there.get("/profile").status_code == 302
        assert Client().login(username="ana", password=new)

    @pytest.mark.parametrize(
        ("new", "again"), [("short", "short"), ("12345678901", "12345678901"), ("a " * 9, "b " * 9)]
    )
    def test_a_password_that_is_weak_or_mistyped_is_refused(
        self, signed_in: Client, new: str, again: str
    ) -> None:
        form = {"old_password": "a long password", "new_password1": new, "new_password2": again}
        assert signed_in.post("/profile/password", form).status_code == 422
        assert Client().login(username="ana", password="a long password")
