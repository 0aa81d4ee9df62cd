"""One identity on several devices: the personal link, and the browsers that came by it."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "links",
        sa.Column("hash", sa.Text, primary_key=True),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
    )
    op.create_index("links_who", "links", ["who"])
    op.create_table(
        "devices",
        sa.Column("hash", sa.Text, primary_key=True),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("revoked", sa.Boolean, nullable=False),
    )
    op.create_index("devices_who", "devices", ["who"])
