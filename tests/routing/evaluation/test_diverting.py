"""Tasks that another version sends elsewhere are told by where from and where to."""

from routing.evaluation.diverting import Destination, destination, diversions, renamed_groups


def to(*groups: str, tools: tuple[str, ...] = ("pay",), fallback: str = "") -> Destination:
    return destination(groups=groups, tools=tools, fallback=fallback)


def test_tasks_are_gathered_by_their_way_the_most_first() -> None:
    found = diversions(
        [
            (1, to("billing"), to("stock")),
            (2, to("billing", "stock"), to("stock", "billing")),
            (3, to("billing"), to("stock")),
            (4, to("billing"), to("billing", tools=("refund",))),
            (5, to("stock"), to(fallback="low_confidence")),
            (6, to("billing"), to("billing")),
        ]
    )

    assert [(way.before.names, way.after, way.keys) for way in found] == [
        (("billing",), Destination("groups", ("stock",)), (1, 3)),
        (("stock",), Destination("fallback", ("low_confidence",)), (5,)),
    ]


def test_without_groups_a_task_goes_otherwise_to_other_tools() -> None:
    assert to(tools=("b", "a")) == Destination("tools", ("a", "b"))
    assert to(tools=()) == Destination("nothing")
    (way,) = diversions([("x", to(tools=("a",)), to(tools=("b",)))])
    assert way.keys == ("x",)


def test_a_group_is_known_by_its_tools_where_only_its_name_changed() -> None:
    before = {"bills": frozenset({"pay"}), "stock": frozenset({"count"}), "a": frozenset({"x"})}
    after = {"billing": frozenset({"pay"}), "stock": frozenset({"sum"}), "b": frozenset({"y"})}

    assert renamed_groups(before, after) == {"bills": "billing"}
    twins = {"one": frozenset({"pay"}), "two": frozenset({"pay"}), "stock": frozenset({"count"})}
    assert renamed_groups(before, twins) == {}
