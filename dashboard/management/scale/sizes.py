"""How much room what is recorded takes: rows, words, indexes and counts apart."""

from collections.abc import Mapping

from django.db import connection

_KINDS = {
    "routing_span": "spans",
    "routing_text": "words of spans",
    "routing_run": "runs",
    "routing_toolcall": "calls",
    "routing_hourlycount": "counts",
    "routing_dailycount": "counts",
    "routing_weeklycount": "counts",
}
INDEXES = "indexes of {}"


def sizes() -> Mapping[str, int]:
    """Return bytes on disk by what they hold; indexes and keys of a table are counted apart."""
    measure = _on_postgresql if connection.vendor == "postgresql" else _on_sqlite
    found: dict[str, int] = {}
    for table, (rows, indexes) in measure().items():
        kind = next((kind for start, kind in _KINDS.items() if _is_of(table, start)), "")
        name = kind or "everything else"
        found[name] = found.get(name, 0) + rows
        name = INDEXES.format(kind) if kind else name
        found[name] = found.get(name, 0) + indexes
    return found


def _is_of(table: str, start: str) -> bool:
    """Tell whether a table is another or one of its partitions."""
    return table == start or table.startswith(f"{start}_")


def _on_sqlite() -> Mapping[str, tuple[int, int]]:
    with connection.cursor() as cursor:
        cursor.execute(
            # In pages: its bytes of more than 2 GB come out negative.
            "SELECT m.tbl_name, m.type = 'table', sum(d.pageno) * (SELECT page_size FROM"
            " pragma_page_size) FROM dbstat d JOIN sqlite_schema m ON m.name = d.name"
            " WHERE d.aggregate = 1 GROUP BY 1, 2"
        )
        rows = cursor.fetchall()
    found: dict[str, tuple[int, int]] = {}
    for table, is_table, size in rows:
        own, indexes = found.get(table, (0, 0))
        found[table] = (own + size, indexes) if is_table else (own, indexes + size)
    return found


def _on_postgresql() -> Mapping[str, tuple[int, int]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, pg_table_size(c.oid), pg_indexes_size(c.oid) FROM pg_class c"
            " JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE c.relkind = 'r' AND n.nspname = current_schema()"
        )
        return {name: (own, indexes) for name, own, indexes in cursor.fetchall()}
