"""Cases in a table are read as those in JSON, and a fault is told with the line to mend."""

from __future__ import annotations

import pytest

from routing.evaluation.case_tables import parse_file
from routing.evaluation.faults import BadInput
from routing.selection import Channel

TABLE = """task,expected_tools,expected_groups,not_expected,tags,history,channel,vague,weight
"Refund it, please","read_order; issue_refund",orders refunds,close_account,"cross, new","first
second",queue:mail,yes,2.5

Sing me a song,,,,,,,,
"""


def test_a_table_says_what_json_says() -> None:
    full, nothing = parse_file(TABLE.encode(), source="x")

    assert full.task == "Refund it, please"
    assert full.expected_tools == ("read_order", "issue_refund")
    assert full.expected_groups == ("orders", "refunds")
    assert full.not_expected == ("close_account",)
    assert full.tags == ("cross", "new")
    assert full.history == ("first", "second")
    assert full.channel == Channel("queue", "mail")
    assert full.vague
    assert (full.weight, full.where) == (2.5, "x:2")
    assert nothing.expects_nothing
    assert nothing.where == "x:5"


def test_a_table_may_part_its_cells_by_semicolons() -> None:
    (read,) = parse_file(b"task;expected_tools\nFind it;a b\n", source="x")

    assert read.expected_tools == ("a", "b")


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        ("", 1, "the file is empty"),
        ("task,expected_tools\n", 1, "there is no case in it"),
        ("task,tools\nFind it,a\n", 1, "expected_tools"),
        ("task,expected_tools,colour\nFind it,a,red\n", 1, "no column “colour”"),
        ('task,expected_tools\n"a\nb",x\nFind it\n', 4, "this row has 1 cells"),
        ("task,expected_tools\n ,a\n", 2, "task: a text"),
        ("task,expected_tools,vague\nFind it,a,perhaps\n", 2, "vague: yes"),
        ("task,expected_tools,weight\nFind it,a,heavy\n", 2, "weight: a number"),
        ("task,expected_tools,weight\nFind it,a,nan\n", 2, "weight: a number"),
        ("task,expected_tools,history\nFind it,a,[1\n", 2, "history: a list"),
        ("task,expected_tools,not_expected\nFind it,a,a\n", 2, "“a” is expected as well"),
        ('task,expected_tools\n"Find it,a\n', 2, "this is not CSV"),
    ],
)
def test_a_fault_is_told_with_its_line(content: str, line: int, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_file(content.encode(), source="x")

    assert said in " ".join(str(fault) for fault in caught.value.lines if fault.line == line)
