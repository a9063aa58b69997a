"""What pages are made of: icons that exist, templates and styles that keep the policy."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import override_settings

from dashboard.context import PLACES

ROOT = Path(settings.BASE_DIR)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
OWN_STATIC = ROOT / "dashboard" / "static"


def markup_of(template: Path) -> str:
    """Return a template without its comments."""
    comment = r"\{% comment %\}.*?\{% endcomment %\}"
    return re.sub(comment, "", template.read_text(), flags=re.DOTALL)


def symbols() -> set[str]:
    sprite = (OWN_STATIC / "dashboard" / "icons.svg").read_text()
    return set(re.findall(r'<symbol id="([^"]+)"', sprite))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_the_icons_of_a_template_are_in_the_sprite(template: Path) -> None:
    text = markup_of(template)
    named = re.findall(r"icons\.svg' %\}#([a-z0-9-]+)\"", text)
    named += re.findall(r"icon=\"([a-z0-9-]+)\"", text)
    assert set(named) <= symbols()


def test_the_sprite_holds_no_icon_without_a_use() -> None:
    markup = "".join(markup_of(template) for template in TEMPLATES)
    # After the sprite's name, as an argument of an include, or in a branch of either.
    used = set(re.findall(r"(?:#|icon=\"|%\}|:')([a-z0-9-]+)(?=[\"'{])", markup))
    assert symbols() - used - {place.icon for place in PLACES} == set()


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_a_template_has_nothing_that_the_policy_stops(template: Path) -> None:
    comments = r"\{% comment %\}.*?\{% endcomment %\}"
    # What tags say to each other, such as ``with one=…``, reaches no browser.
    text = re.sub(rf"{comments}|\{{%.*?%\}}", " ", template.read_text(), flags=re.DOTALL)
    assert not re.search(r"\sstyle=|\son[a-z]+=|hx-on|<style|javascript:|hx-vals=.js:", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", text)


def test_no_style_sheet_or_script_fetches_from_elsewhere() -> None:
    apps = ("catalog", "routing", "dashboard")  # and not what collectstatic copied
    for path in (path for app in apps for path in (ROOT / app).glob("static/**/*")):
        if path.suffix in {".css", ".js", ".svg"}:
            text = path.read_text()
            assert "@import" not in text, path
            assert "sourceMappingURL" not in text, path
            assert not re.search(r"url\(\s*[\"']?(?:https?:)?//", text), path


def test_the_files_can_be_collected_under_hashed_names(tmp_path: Path) -> None:
    storages = settings.STORAGES | {
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    }
    with override_settings(STORAGES=storages, STATIC_ROOT=tmp_path):
        call_command("collectstatic", interactive=False, verbosity=0)
    assert list((tmp_path / "vendor" / "tabler").glob("tabler.min.*.css"))


def test_what_is_vendored_has_its_licence_beside_it() -> None:
    readme = (OWN_STATIC / "vendor" / "README.md").read_text()
    for path in (OWN_STATIC / "vendor").rglob("*"):
        if path.is_file() and path.name != "README.md":
            assert f"`{path.relative_to(OWN_STATIC / 'vendor')}`" in readme, path
    assert finders.find("vendor/chartjs/LICENSE.md")
