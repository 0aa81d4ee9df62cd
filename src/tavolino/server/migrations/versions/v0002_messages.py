"""A message acts once because its table remembers it; an index for that was a third of the cost of a move."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.drop_index("entries_message", "entries")
