"""Keep rows as they were written, by the database itself.

Code can be gone round: a bulk update, a shell, a migration. A trigger cannot.
"""

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class AppendOnly(Operation):
    """Refuse every change of a row; new rows and deletions stay possible.

    ``fields`` are field names of the model and narrow this to their columns, where another may
    change: an author is set to null when the account is deleted. ``emptied`` are fields that may
    be set to null, and to nothing else.
    """

    reversible = True
    reduces_to_sql = True

    def __init__(
        self, model_name: str, fields: tuple[str, ...] = (), emptied: tuple[str, ...] = ()
    ) -> None:
        self.model_name = model_name
        self.fields = fields
        self.emptied = emptied

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Return what a migration file needs to make this operation again."""
        return (type(self).__name__, [self.model_name, self.fields, self.emptied], {})

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Change nothing of the models' state."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Create the triggers."""
        model = to_state.apps.get_model(app_label, self.model_name)
        meta = model._meta  # noqa: SLF001 - Django's public way to a table's name
        columns = ", ".join(f'"{meta.get_field(name).column}"' for name in self.fields)
        table = meta.db_table
        triggers = {f"{table}_keep": (columns and f"OF {columns}", "")}
        for name in self.emptied:
            column = meta.get_field(name).column
            triggers[f"{table}_keep_{column}"] = (
                f'OF "{column}"',
                f'WHEN (NEW."{column}" IS NOT NULL)',
            )
        message = f"{table} is append-only"
        act = f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
        if schema_editor.connection.vendor == "postgresql":
            act = f"EXECUTE FUNCTION {table}_keep()"
            schema_editor.execute(
                f"CREATE FUNCTION {table}_keep() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN RAISE EXCEPTION '{message}' USING ERRCODE = '23000'; END $$"
            )
        for trigger, (of, when) in triggers.items():
            schema_editor.execute(
                f'CREATE TRIGGER {trigger} BEFORE UPDATE {of} ON "{table}" '
                f"FOR EACH ROW {when} {act}"
            )

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Drop the triggers."""
        model = from_state.apps.get_model(app_label, self.model_name)
        meta = model._meta  # noqa: SLF001 - Django's public way to a table's name
        table = meta.db_table
        on_postgresql = schema_editor.connection.vendor == "postgresql"
        columns = [meta.get_field(name).column for name in self.emptied]
        for trigger in (f"{table}_keep", *(f"{table}_keep_{column}" for column in columns)):
            of = f' ON "{table}"' if on_postgresql else ""
            schema_editor.execute(f"DROP TRIGGER {trigger}{of}")
        if on_postgresql:
            schema_editor.execute(f"DROP FUNCTION {table}_keep()")

    def describe(self) -> str:
        """Return the line that ``migrate`` prints."""
        return f"Keep {self.model_name} append-only"


class Rewritable(AppendOnly):
    """Let rows be changed again, until an ``AppendOnly`` follows.

    SQLite builds a table anew for most changes of it, and its triggers are lost on the way: a
    migration that changes an append-only table puts this before, and ``AppendOnly`` after.
    """

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Drop the trigger."""
        super().database_backwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Create the trigger."""
        super().database_forwards(app_label, schema_editor, to_state, from_state)

    def describe(self) -> str:
        """Return the line that ``migrate`` prints."""
        return f"Let {self.model_name} be changed"
