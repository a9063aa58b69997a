"""What charts show, asked of the spans themselves: the queries that counts by the hour do without.

Each returns rows of a bucket, the keys and the numbers of a figure. A bucket is a day since 1970
(an hour, where the period is one day), and null in the period before; where a chart is of the whole
period it is true of that and false of the one before.
"""

from collections.abc import Mapping

from django.db import connection

_SPANS = """{alias}.catalog_id = %(catalog)s AND {alias}.name = '{name}' AND {within}"""
_WITHIN = """{alias}.hour >= %(before)s AND {alias}.hour < %(end)s
  AND NOT ({alias}.hour >= %(before_end)s AND {alias}.hour < %(start)s)"""
_BUCKET = "CASE WHEN {hour} >= %(start)s THEN {hour} / %(hours)s END"
_SIDE = "s.hour >= %(start)s"
_DEFAULTED = "('low_confidence', 'no_match')"
# Which of the spans that name a selection say whether it was complete.
_TELLS = """f.selection_id = s.id AND f.catalog_id = %(catalog)s AND f.hour >= %(before)s
  AND (f.decision = 'allowed' OR f.reason = 'tool_not_offered'
  OR (f.name = 'tool_route' AND f.tool IS NOT NULL))"""


def raw_queries() -> Mapping[str, str]:
    """Return the query of each chart by the chart's id, for the database that is used.

    Parameters are ``catalog``, ``start`` and ``end`` (hours) of the period, ``before`` and
    ``before_end`` of the one before, and ``hours`` of a bucket.
    """
    return {
        "asked-for": _grouped("tool_route_expand", 's."group"'),
        "matrix": _matrix(),
        "confidence": _grouped(
            "tool_route",
            f"{_bin(20)}, s.fallback IN {_DEFAULTED}",
            "s.confidence IS NOT NULL",
            bucket=_SIDE,
        ),
        "confidence-trend": _counted("avg(s.confidence)", "s.confidence IS NOT NULL"),
        "reliability": _reliability(),
        "groups": _counted(
            "sum(CASE WHEN s.groups_count > 0 OR e.id IS NOT NULL THEN 1 ELSE 0 END),"
            " sum(coalesce(e.groups_count, s.groups_count)), sum(s.groups_count)",
            joined=_LAST_EXPANSION,
        ),
        "fallbacks": _grouped("tool_route", "s.fallback", "s.fallback <> ''"),
        "decided-by": _grouped("tool_route", "s.decided_by"),
        "coverage": _coverage(),
        "cost": _counted(
            "sum(coalesce(e.tokens_selected, s.tokens_selected)), sum(s.tokens_catalog)",
            joined=_LAST_EXPANSION,
        ),
        "tokens": _counted(
            "sum(s.tokens_catalog - coalesce(e.tokens_selected, s.tokens_selected))",
            joined=_LAST_EXPANSION,
        ),
        "latency": _latency(),
        "tools": _tools(),
        "decisions": _grouped("tool_call", "s.decision"),
        "refusals": _grouped("tool_call", "s.reason", "s.decision = 'refused'"),
        "results": _grouped("tool_result", "s.status"),
        "outcomes": _of_runs("r.outcome, count(*)", grouped=", r.outcome"),
        "silent": _of_runs("count(*)", f"r.outcome IN ('failed', 'needs_human') AND NOT {_ASKED}"),
    }


# The last expansion holds what all of them added up to; none comes before its selection.
_LAST_EXPANSION = """LEFT JOIN (SELECT selection_id, max(id) AS id FROM routing_span
  WHERE catalog_id = %(catalog)s AND name = 'tool_route_expand' AND hour >= %(before)s
  GROUP BY selection_id) l ON l.selection_id = s.id
  LEFT JOIN routing_span e ON e.id = l.id AND e.name = 'tool_route_expand'"""
_IS_FIRST = """s.id IN (SELECT min(id) FROM routing_span
  WHERE catalog_id = %(catalog)s AND name = 'tool_route' GROUP BY run_id)"""
_ASKED = """EXISTS (SELECT 1 FROM routing_span x
  WHERE x.run_id = r.id AND x.catalog_id = %(catalog)s AND x.name = 'tool_route_expand')"""


def _within(alias: str, name: str) -> str:
    return _SPANS.format(alias=alias, name=name, within=_WITHIN.format(alias=alias))


def _bucket(hour: str = "s.hour") -> str:
    return _BUCKET.format(hour=hour)


def _grouped(name: str, keys: str, also: str = "", *, bucket: str = "") -> str:
    """Return the query that counts spans by bucket and some keys."""
    where = _within("s", name) + (f" AND {also}" if also else "")
    select = f"{bucket or _bucket()} AS bucket, {keys}, count(*)"
    return f"SELECT {select} FROM routing_span s WHERE {where} GROUP BY bucket, {keys}"  # noqa: S608


def _counted(numbers: str, also: str = "", *, joined: str = "") -> str:
    """Return the query that adds up numbers of selections by bucket."""
    where = _within("s", "tool_route") + (f" AND {also}" if also else "")
    return (
        f"SELECT {_bucket()} AS bucket, {numbers} FROM routing_span s {joined} "  # noqa: S608
        f"WHERE {where} GROUP BY bucket"
    )


def _each(column: str, alias: str) -> str:
    """Return the table of a list's entries; their value is ``_entry(alias)``."""
    if connection.vendor == "postgresql":
        return f"jsonb_array_elements_text({column}) {alias}"
    return f"json_each({column}) {alias}"


def _cross() -> str:
    return "CROSS JOIN LATERAL" if connection.vendor == "postgresql" else "CROSS JOIN"


def _entry(alias: str) -> str:
    return alias if connection.vendor == "postgresql" else f"{alias}.value"


def _number(alias: str) -> str:
    return f"CAST({_entry(alias)} AS integer)"


def _bin(bins: int) -> str:
    if connection.vendor == "sqlite":
        return f"min({bins - 1}, CAST(s.confidence * {bins} + 1e-9 AS integer))"
    return f"least({bins - 1}, CAST(floor(s.confidence * {bins} + 1e-9) AS integer))"


def _matrix() -> str:
    empty, some = ("'[]'::jsonb", "'[\"\"]'::jsonb")
    if connection.vendor == "sqlite":
        empty, some = ("'[]'", "'[\"\"]'")
    groups = f"CASE WHEN s.groups = {empty} THEN {some} ELSE s.groups END"
    first = f"{_within('s', 'tool_route')} AND {_IS_FIRST}"
    cross = f"routing_span s {_cross()} {_each(groups, 'g')}"
    return f"""SELECT {_SIDE}, {_entry("g")}, NULL, count(*) FROM {cross} WHERE {first}
      GROUP BY 1, 2
      UNION ALL
      SELECT {_SIDE}, {_entry("g")}, e."group", count(DISTINCT s.run_id) FROM {cross}
      JOIN routing_span e ON e.run_id = s.run_id AND e.name = 'tool_route_expand'
      WHERE {first} GROUP BY 1, 2, 3"""  # noqa: S608


def _offers(tool: str, offered: str) -> str:
    return f"EXISTS (SELECT 1 FROM {_each(offered, 'o')} WHERE {_number('o')} = {tool})"  # noqa: S608


def _labelled(also: str = "") -> str:
    """Return selections with calls: their bucket, their confidence, and whether each is complete.

    1 is complete.
    """
    ok = f"f.decision = 'allowed' AND {_offers('f.tool', 's.offered')}"
    return f"""SELECT {_bucket()} AS bucket, s.confidence, s.fallback,
      min(CASE WHEN {ok} THEN 1 ELSE 0 END) AS complete
      FROM routing_span s JOIN routing_span f ON {_TELLS}
      WHERE {_within("s", "tool_route")} {also}
      GROUP BY s.id, s.hour, s.confidence, s.fallback"""  # noqa: S608


def _reliability() -> str:
    served = f"AND s.confidence IS NOT NULL AND s.fallback NOT IN {_DEFAULTED}"
    return f"""SELECT s.bucket IS NOT NULL AS side, {_bin(10)} AS bin, count(*), sum(s.complete)
      FROM ({_labelled(served)}) s GROUP BY side, bin"""  # noqa: S608


def _coverage() -> str:
    length = "jsonb_array_length" if connection.vendor == "postgresql" else "json_array_length"
    sizes = _counted(f"count(*) AS n, sum({length}(s.offered)) AS offered")
    return f"""SELECT a.bucket, a.n, a.offered, b.labelled, b.complete FROM ({sizes}) a
      LEFT JOIN (SELECT bucket, count(*) AS labelled, sum(complete) AS complete
        FROM ({_labelled()}) l GROUP BY bucket) b
      ON coalesce(a.bucket, -1) = coalesce(b.bucket, -1)"""  # noqa: S608


def _latency() -> str:
    where = _within("s", "tool_route")
    if connection.vendor == "postgresql":
        shares = "percentile_disc(array[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY s.latency_us)"
        return f"""SELECT bucket, p[1], p[2], p[3] FROM (SELECT {_bucket()} AS bucket, {shares} AS p
          FROM routing_span s WHERE {where} GROUP BY bucket) q"""  # noqa: S608
    ranks = ", ".join(
        f"max(CASE WHEN at = max(1, CAST(n * {share} + 0.999999 AS integer)) THEN latency_us END)"
        for share in (0.5, 0.95, 0.99)
    )
    return f"""SELECT bucket, {ranks} FROM (SELECT bucket, latency_us,
        row_number() OVER (PARTITION BY bucket ORDER BY latency_us) AS at,
        count(*) OVER (PARTITION BY bucket) AS n
      FROM (SELECT {_bucket()} AS bucket, s.latency_us FROM routing_span s WHERE {where}) i) r
      GROUP BY bucket"""  # noqa: S608


def _tools() -> str:
    def offered(kind: str, name: str) -> str:
        return f"""SELECT {_SIDE}, '{kind}', s.release_id, {_number("o")}, count(*)
          FROM routing_span s {_cross()} {_each("s.offered", "o")}
          WHERE {_within("s", name)} GROUP BY 1, 3, 4"""  # noqa: S608

    def called(kind: str, also: str, joined: str = "") -> str:
        return f"""SELECT {_SIDE}, '{kind}', s.release_id, s.tool, count(*)
          FROM routing_span s {joined}
          WHERE {_within("s", "tool_call")} AND s.tool IS NOT NULL AND {also}
          GROUP BY 1, 3, 4"""  # noqa: S608

    allowed = "s.decision = 'allowed'"
    return " UNION ALL ".join(
        (
            offered("offered", "tool_route"),
            offered("added", "tool_route_expand"),
            called("used", allowed),
            called("missed", "s.reason = 'tool_not_offered'"),
            called(
                "used_added",
                f"{allowed} AND NOT {_offers('s.tool', 'a.offered')}",
                "JOIN routing_span a ON a.id = s.selection_id",
            ),
        )
    )


def _of_runs(numbers: str, also: str = "", *, grouped: str = "") -> str:
    """Return the query that counts runs by the bucket in which they began."""
    hour = "CAST(floor(extract(epoch FROM r.started_at) / 3600) AS integer)"
    moment = "to_timestamp({hour} * 3600.0)"
    if connection.vendor == "sqlite":
        hour = "CAST(strftime('%%s', r.started_at) AS integer) / 3600"
        moment = "strftime('%%Y-%%m-%%d %%H:%%M:%%S', {hour} * 3600, 'unixepoch')"
    at = {
        name: moment.format(hour=f"%({name})s") for name in ("before", "before_end", "start", "end")
    }
    return f"""SELECT {_bucket("b.hour")} AS bucket{", b.outcome" if grouped else ""}, sum(b.n)
      FROM (SELECT {hour} AS hour, {numbers.replace("count(*)", "count(*) AS n")}
        FROM routing_run r WHERE r.catalog_id = %(catalog)s
        AND r.started_at >= {at["before"]} AND r.started_at < {at["end"]}
        AND NOT (r.started_at >= {at["before_end"]} AND r.started_at < {at["start"]})
        {f"AND {also}" if also else ""} GROUP BY 1{grouped}) b
      GROUP BY 1{", 2" if grouped else ""}"""  # noqa: S608
