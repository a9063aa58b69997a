"""Signing in and out as a person does it."""

from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from tests.browser.conftest import Complaints


def fill_in(page: Page, *, password: str) -> None:
    page.get_by_label("Username").fill("ana")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def test_a_wrong_password_is_said_and_the_right_one_opens(
    clean_page: Page, complaints: Complaints, user: User
) -> None:
    clean_page.goto("/sign-in?next=/sign-in")
    expect(clean_page.get_by_label("Username")).to_be_focused()
    fill_in(clean_page, password="wrong")
    expect(clean_page.get_by_role("alert")).to_contain_text("correct username and password")
    expect(clean_page.get_by_label("Username")).to_have_value("ana")

    fill_in(clean_page, password="a long password")
    expect(clean_page).to_have_url("/start")  # there is no catalog yet


def test_the_limit_is_said(clean_page: Page, complaints: Complaints, user: User) -> None:
    complaints.expect_status(429)
    clean_page.goto("/sign-in")
    for _ in range(10):
        fill_in(clean_page, password="wrong")
        expect(clean_page.get_by_role("alert")).to_contain_text("correct username and password")
    fill_in(clean_page, password="a long password")
    expect(clean_page.get_by_role("alert")).to_contain_text("Too many failed attempts")


def test_language_and_theme_are_chosen_before_signing_in(
    clean_page: Page, transactional_db: None
) -> None:
    clean_page.emulate_media(color_scheme="light")
    clean_page.goto("/sign-in")
    root = clean_page.locator("html")
    expect(root).to_have_attribute("data-bs-theme", "light")

    clean_page.get_by_role("button", name="Light or dark").click()
    expect(root).to_have_attribute("data-bs-theme", "dark")
    clean_page.reload()
    expect(root).to_have_attribute("data-bs-theme", "dark")

    clean_page.get_by_role("button", name="Language").click()
    clean_page.get_by_role("button", name="Español").click()
    expect(root).to_have_attribute("lang", "es")
    expect(clean_page).to_have_url("/sign-in")


def test_the_system_decides_the_theme_until_a_person_does(
    clean_page: Page, transactional_db: None
) -> None:
    clean_page.emulate_media(color_scheme="dark")
    clean_page.goto("/sign-in")
    root = clean_page.locator("html")
    expect(root).to_have_attribute("data-bs-theme", "dark")
    clean_page.emulate_media(color_scheme="light")
    expect(root).to_have_attribute("data-bs-theme", "light")
