"""The shared partials that other pages include."""

from django import forms
from django.contrib import messages
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.core.paginator import Paginator
from django.template.loader import render_to_string
from django.test import RequestFactory


class NameForm(forms.Form):
    """A form with a field of each kind that a partial lays out in its own way."""

    name = forms.CharField(help_text="Lower case.", widget=forms.TextInput({"class": "mono"}))
    kind = forms.ChoiceField(choices=[("a", "A")])
    enabled = forms.BooleanField(required=False)
    effects = forms.MultipleChoiceField(
        choices=[("read", "reads"), ("write", "writes")], widget=forms.CheckboxSelectMultiple
    )


def field_of(form: forms.Form, name: str) -> str:
    return render_to_string("_field.html", {"field": form[name]})


def test_help_and_errors_are_tied_to_the_control() -> None:
    html = field_of(NameForm({"name": ""}), "name")
    assert 'aria-describedby="id_name_helptext id_name_error"' in html
    assert 'aria-invalid="true"' in html
    assert 'id="id_name_helptext"' in html
    assert 'id="id_name_error"' in html
    assert 'class="form-control mono is-invalid"' in html
    assert '<label class="form-label required" for="id_name">' in html


def test_each_kind_of_control_has_its_class_and_label() -> None:
    form = NameForm({"effects": ["write"]})
    assert 'class="form-select is-invalid"' in field_of(form, "kind")
    assert field_of(form, "enabled").count("form-check-input") == 1
    effects = field_of(form, "effects")
    assert effects.count('class="form-check-input"') == 2
    assert effects.count("<label") == 2
    assert effects.count("checked") == 1
    assert "<legend" in effects


def test_an_error_is_escaped() -> None:
    form = NameForm({"name": "a", "kind": "<b>", "effects": ["read"]})
    assert "&lt;b&gt;" in field_of(form, "kind")


def test_the_links_of_a_list_keep_the_query() -> None:
    request = RequestFactory().get("/tools?q=order&page=2")
    page = Paginator(range(5000), 5).page(2)
    html = render_to_string("_pagination.html", {"page": page, "target": "#rows"}, request)
    assert 'href="?q=order&amp;page=3"' in html
    assert 'href="?q=order&amp;page=1000"' in html  # no thousands separator in an address
    assert 'aria-current="page">2<' in html
    assert 'hx-target="#rows"' in html
    assert "6 to 10 of 5000" in html


def test_one_page_needs_no_links() -> None:
    page = Paginator(range(5), 5).page(1)
    assert not render_to_string("_pagination.html", {"page": page}).strip()


def test_an_empty_state_says_what_to_do() -> None:
    html = render_to_string(
        "_empty.html",
        {"title": "No tool", "command": 'echo "a" & b', "action_url": "/n", "action_label": "New"},
    )
    assert "<code>echo &quot;a&quot; &amp; b</code>" in html
    assert 'data-copy="echo &quot;a&quot; &amp; b"' in html
    assert '<a class="btn btn-primary" href="/n">New</a>' in html


def test_a_fragment_adds_its_messages_to_the_page() -> None:
    request = RequestFactory().get("/")
    request.session = SessionStore()
    request._messages = FallbackStorage(request)  # type: ignore[attr-defined]
    messages.error(request, "Not <saved>.")
    html = render_to_string("_messages.html", {"oob": True}, request)
    assert 'hx-swap-oob="beforeend"' in html
    assert 'data-level="error"' in html
    assert "Not &lt;saved&gt;." in html
