"""A message acts once because its table remembers it; the index for that was much of what a move cost."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.drop_index("entries_message", "entries")
