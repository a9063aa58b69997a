"""The pages of the catalog lead to no page above them; the frame around them does."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_catalog_names_no_url_of_the_apps_above_it() -> None:
    sources = [*(ROOT / "templates" / "catalog").rglob("*.html"), *(ROOT / "catalog").rglob("*.py")]
    named = re.compile(r"""["'](dashboard|api):\w+["']""")

    assert len(sources) > 60
    assert [path for path in sources if named.search(path.read_text("utf-8"))] == []
