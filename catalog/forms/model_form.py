"""Django's form of a model, which takes the model as a type."""

from typing import TYPE_CHECKING, Any

from django import forms

if TYPE_CHECKING:
    from django.forms import ModelForm
else:

    class ModelForm(forms.ModelForm):
        """Django's own, which type checkers alone know to be generic."""

        def __class_getitem__(cls, _model: Any) -> type:
            return cls


__all__ = ["ModelForm"]
