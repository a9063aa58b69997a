"""The page of the rule tester."""

from django.test import Client

from tests.drafts import draft_of, empty_catalog

PAGE = "/catalogs/back-office/rules/-/try"


def test_it_says_which_rule_fires_and_what_it_opens(signed_in: Client, db: None) -> None:
    catalog = draft_of()
    rule = catalog.intentrules.all()[1]
    phrase = rule.phrases[0]
    answer = signed_in.post(PAGE, {"task": f"Please: {phrase.upper()}!"})
    text = answer.content.decode()
    assert rule.get_absolute_url() in text
    assert ", 2:" in text
    for group in rule.groups.all():
        assert group.name in text
    assert "ref=draft" in text


def test_a_channel_is_tried_alone_and_answers_htmx_with_the_part(
    signed_in: Client, db: None
) -> None:
    rule = draft_of().channelrules.all()[0]
    form = {"channel_kind": rule.kind, "channel": rule.value}
    headers = {"HX-Request": "true", "HX-Target": "tried"}
    text = signed_in.post(PAGE, form, headers=headers).content.decode()
    assert text.strip().startswith('<div id="tried"')
    assert "1 rule fires." in text


def test_nothing_fires_and_nothing_typed(signed_in: Client, db: None) -> None:
    empty_catalog()
    page = "/catalogs/empty/rules/-/try"
    assert "0 rules fire." in signed_in.post(page, {"task": "hello"}).content.decode()
    assert "rules fire." not in signed_in.post(page).content.decode()
    assert "rules fire." not in signed_in.get(page).content.decode()
