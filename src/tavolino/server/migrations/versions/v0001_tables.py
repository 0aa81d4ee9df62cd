"""Tables and their entries."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("key", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("opened_at", sa.BigInteger, nullable=False),
    )
    op.create_index("tables_id", "tables", ["id"], unique=True)
    op.create_index("tables_lobby", "tables", ["listed", "opened_at"])
    op.create_table(
        "entries",
        sa.Column("table_key", sa.BigInteger, sa.ForeignKey("tables.key", name="entries_table"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("message", sa.Text),
        sa.Column("who", sa.Text),
        sa.Column("body", sa.Text, nullable=False),
    )
    for name, columns, unique, where in (
        ("entries_message", ["table_key", "message"], True, "message IS NOT NULL"),
        ("entries_who", ["who"], False, "who IS NOT NULL"),
        ("entries_kind", ["table_key", "kind", "number"], False, "kind <> 'moved'"),
    ):
        op.create_index(
            name, "entries", columns, unique=unique, sqlite_where=sa.text(where), postgresql_where=sa.text(where)
        )
