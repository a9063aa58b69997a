"""The form of a comment."""

from collections.abc import Mapping
from typing import Any

from django import forms

from catalog.forms.model_form import ModelForm
from catalog.models import Comment
from catalog.models.comment import LONGEST


class CommentForm(ModelForm[Comment]):
    """What is remarked."""

    class Meta:
        model = Comment
        fields = ["text"]
        widgets = {"text": forms.Textarea(attrs={"rows": 2, "maxlength": LONGEST})}

    def __init__(self, data: Mapping[str, Any] | None = None) -> None:
        # It stands beside the form of a part, whose fields have the usual ids.
        super().__init__(data, auto_id="comment_%s")
