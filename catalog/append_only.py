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
    change: an author is set to null when the account is deleted.
    """

    reversible = True
    reduces_to_sql = True

    def __init__(self, model_name: str, fields: tuple[str, ...] = ()) -> None:
        self.model_name = model_name
        self.fields = fields

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Return what a migration file needs to make this operation again."""
        return (type(self).__name__, [self.model_name, self.fields], {})

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Change nothing of the models' state."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Create the trigger."""
        model = to_state.apps.get_model(app_label, self.model_name)
        meta = model._meta  # noqa: SLF001 - Django's public way to a table's name
        columns = ", ".join(f'"{meta.get_field(name).column}"' for name in self.fields)
        columns = columns and f"OF {columns}"
        table = meta.db_table
        message = f"{table} is append-only"
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(
                f"CREATE FUNCTION {table}_keep() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN RAISE EXCEPTION '{message}' USING ERRCODE = '23000'; END $$"
            )
            schema_editor.execute(
                f'CREATE TRIGGER {table}_keep BEFORE UPDATE {columns} ON "{table}" '
                f"FOR EACH ROW EXECUTE FUNCTION {table}_keep()"
            )
        else:
            schema_editor.execute(
                f'CREATE TRIGGER {table}_keep BEFORE UPDATE {columns} ON "{table}" '
                f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
            )

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Drop the trigger."""
        table = from_state.apps.get_model(app_label, self.model_name)._meta.db_table  # noqa: SLF001
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f'DROP TRIGGER {table}_keep ON "{table}"')
            schema_editor.execute(f"DROP FUNCTION {table}_keep()")
        else:
            schema_editor.execute(f"DROP TRIGGER {table}_keep")

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
