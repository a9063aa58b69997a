"""Find references to spans that are not there, where the database does not look.

On PostgreSQL references to spans are no constraints (``migrating``). Spans and what refers to them
belong to one run, which is deleted as a whole; so nothing is ever found here.
"""

from collections.abc import Iterator

from django.apps import apps
from django.db import IntegrityError
from django.db.models import Exists, Field, Model, OuterRef

from routing.models import Span


def references_to_spans() -> "Iterator[tuple[type[Model], Field[object, object]]]":
    """Yield the fields that refer to a span, with their models."""
    for model in apps.get_models():
        for field in model._meta.concrete_fields:  # noqa: SLF001
            if field.remote_field is not None and field.related_model is Span:
                yield model, field


def check_references() -> None:
    """Raise ``IntegrityError`` where a row refers to a span that there is not."""
    for model, field in references_to_spans():
        named = model._base_manager.exclude(**{field.attname: None})  # noqa: SLF001
        spans = Span.objects.filter(pk=OuterRef(field.attname))
        broken = named.filter(~Exists(spans)).values_list("pk", flat=True).first()
        if broken is not None:
            table = model._meta.db_table  # noqa: SLF001
            raise IntegrityError(f"{table} {broken}: {field.name} is a span that there is not.")
