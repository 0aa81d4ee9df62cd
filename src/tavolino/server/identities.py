"""Who a browser is: by the token in its cookie, or, on further devices, by one that a personal link gave it.

A browser's first token is its identity: what we store is its hash, and nothing needs to be looked up. A personal link
lets another browser act as the same person: it gets a token of its own, which the database maps to the identity. Link
and devices can be revoked, the first browser among them. The database has only hashes.
"""

import secrets

from sqlalchemy import Connection, Engine, delete, func, insert, select

from tavolino.server.clock import wall_ms
from tavolino.server.database import devices, links, transaction
from tavolino.server.guard import identity
from tavolino.server.store import Store

WATCHER = "watcher:"
"""How the name of a socket begins that has no identity: it can watch, but holds no seat."""
BY_LINK = "d."
"""How the token of a further device begins: no other token contains a dot."""
MOST_DEVICES = 20
"""Of one person; a further one replaces the oldest."""
REVOKED = select(devices.c.hash).where(devices.c.revoked)


class Identities:
    """The identities of all browsers, as this process knows them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._revoked: set[str] = set()
        """First browsers that were signed out: few, so that a cookie is known without asking the database."""
        self._forgotten: set[str] = set()
        """Whose data was deleted while this process runs: nobody acts as them any more."""

    async def start(self) -> None:
        """Read who was signed out; also when another process has signed someone out."""

        def read(engine: Engine) -> set[str]:
            with engine.connect() as connection:
                return set(connection.execute(REVOKED).scalars())

        self._revoked = await self._store.run(read)

    async def who(self, token: str | None) -> str | None:
        """Return the identity that a token stands for; None if it stands for none, or not any more."""
        known = identity(token)
        if token is None or known is None or not token.startswith(BY_LINK):
            return None if known in self._revoked or known in self._forgotten else known

        def read(engine: Engine) -> str | None:
            with engine.connect() as connection:
                found = select(devices.c.who).where(devices.c.hash == known, ~devices.c.revoked)
                return connection.execute(found).scalar()

        return await self._store.run(read)

    async def still(self, who: str, device: str) -> bool:
        """Whether a browser, by the hash of its token, still stands for the person it was taken for."""
        if who.startswith(WATCHER):
            return True
        if device == who:
            return who not in self._revoked and who not in self._forgotten

        def read(engine: Engine) -> bool:
            with engine.connect() as connection:
                found = select(devices.c.who).where(devices.c.hash == device, ~devices.c.revoked)
                return connection.execute(found).scalar() == who

        return await self._store.run(read)

    async def others(self, who: str, token: str | None) -> tuple[bool, int]:
        """Return whether a person has a link, and on how many other browsers they are known."""
        mine = identity(token)

        def read(engine: Engine) -> tuple[bool, int]:
            with engine.connect() as connection:
                has = connection.execute(select(links.c.hash).where(links.c.who == who)).first() is not None
                count = select(func.count()).where(devices.c.who == who, ~devices.c.revoked, devices.c.hash != mine)
                first = mine != who and who not in self._revoked
                return has, connection.execute(count).scalar_one() + first

        return await self._store.run(read)

    async def make_link(self, who: str) -> str:
        """Return the token of a new link; an earlier one stops working."""
        token, at = secrets.token_urlsafe(24), wall_ms()

        def write(engine: Engine) -> None:
            with transaction(engine) as connection:
                _drop_links(connection, who)
                connection.execute(insert(links).values(hash=identity(token), who=who, made_at=at))

        await self._store.run(write)
        return token

    async def revoke_link(self, who: str) -> None:
        """Let a person's link stop working; browsers that came by it stay."""

        def write(engine: Engine) -> None:
            with transaction(engine) as connection:
                _drop_links(connection, who)

        await self._store.run(write)

    async def follow(self, link: str) -> tuple[str, str] | None:
        """Return a token for this browser and whom it stands for; None if the link does not work."""
        known, token, at = identity(link), BY_LINK + secrets.token_urlsafe(24), wall_ms()
        mine = identity(token)

        def write(engine: Engine) -> str | None:
            with transaction(engine) as connection:
                who: str | None = connection.execute(select(links.c.who).where(links.c.hash == known)).scalar()
                if who is None:
                    return None
                connection.execute(delete(devices).where(devices.c.hash == mine))  # from an attempt that broke off
                older = select(devices.c.hash).where(devices.c.who == who, ~devices.c.revoked)
                too_many = older.order_by(devices.c.made_at.desc()).offset(MOST_DEVICES - 1)
                gone = list(connection.execute(too_many).scalars())
                connection.execute(delete(devices).where(devices.c.hash.in_(gone)))
                connection.execute(insert(devices).values(hash=mine, who=who, made_at=at, revoked=False))
                return who

        found = await self._store.run(write)
        return None if found is None else (token, found)

    def shut_out(self, who: str, out: bool = True) -> None:
        """Let nobody act as a person whose data is being deleted; or let them act again, if that failed."""
        (self._forgotten.add if out else self._forgotten.discard)(who)

    async def forget(self, who: str) -> None:
        """Delete a person's link and devices: all their browsers are strangers then."""

        def write(engine: Engine) -> None:
            with transaction(engine) as connection:
                _drop_links(connection, who)
                connection.execute(delete(devices).where(devices.c.who == who))

        await self._store.run(write)

    async def sign_out_others(self, who: str, token: str | None) -> None:
        """Let a person's link and all their other browsers stop working, the first one too."""
        mine, at = identity(token), wall_ms()

        def write(engine: Engine) -> None:
            with transaction(engine) as connection:
                _drop_links(connection, who)
                connection.execute(delete(devices).where(devices.c.who == who, devices.c.hash != mine))
                if mine != who:
                    connection.execute(insert(devices).values(hash=who, who=who, made_at=at, revoked=True))

        await self._store.run(write)
        await self.start()


def _drop_links(connection: Connection, who: str) -> None:
    connection.execute(delete(links).where(links.c.who == who))
