"""Saved designs with their history, in SQLite or any database SQLAlchemy reaches.

Every save is a version of its own with the author's note; nothing is overwritten. Designs belong
to a workspace, which is known only by its key: whoever has no key sees nothing of it. The database
holds a hash of the key.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from sqlalchemy import (
    DateTime,
    ForeignKey,
    Select,
    String,
    Text,
    UniqueConstraint,
    create_engine,
    event,
    func,
    select,
)
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship

from odds.errors import InputError
from paytables.draft import Draft, read_draft

DATABASE = "PAYTABLES_DATABASE"
"""Environment variable: the database's URL, such as ``postgresql+psycopg://host/name``."""
WORKSPACE = "PAYTABLES_WORKSPACE"
"""Environment variable: the key of the workspace that every session opens (one's own machine)."""
MAX_DESIGNS = 500
"""Designs in a workspace."""
MAX_VERSIONS = 1000
"""Versions of a design."""
MIN_KEY = 12
"""The fewest characters of a workspace key."""
_ATTEMPTS = 20


class _Base(DeclarativeBase):
    pass


class _Design(_Base):
    __tablename__ = "design"
    __table_args__ = (UniqueConstraint("owner", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    owner: Mapped[str] = mapped_column(String(64), index=True)
    name: Mapped[str] = mapped_column(String(120))
    versions: Mapped[list[_Version]] = relationship(
        back_populates="design", cascade="all, delete-orphan", order_by="_Version.number"
    )


class _Version(_Base):
    __tablename__ = "version"
    __table_args__ = (UniqueConstraint("design_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    design_id: Mapped[int] = mapped_column(ForeignKey("design.id", ondelete="CASCADE"), index=True)
    number: Mapped[int]
    saved_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    author: Mapped[str] = mapped_column(String(80))
    note: Mapped[str] = mapped_column(Text)
    content: Mapped[str] = mapped_column(Text)
    design: Mapped[_Design] = relationship(back_populates="versions")


@dataclass(frozen=True, slots=True)
class SavedDesign:
    """A saved design.

    Attributes:
        name: Its name in the workspace.
        versions: How many versions there are.
        saved_at: When the latest was saved, in UTC.
    """

    name: str
    versions: int
    saved_at: datetime


@dataclass(frozen=True, slots=True)
class SavedVersion:
    """One version of a saved design.

    Attributes:
        number: Counted from 1.
        saved_at: When, in UTC.
        author: Who saved it, as they wrote it.
        note: What they noted.
        draft: The design.
    """

    number: int
    saved_at: datetime
    author: str
    note: str
    draft: Draft


def new_key() -> str:
    """A workspace key that cannot be guessed."""
    return secrets.token_urlsafe(15)


def database_url() -> str:
    """The database of the environment, or a file in the user's data folder."""
    if url := os.environ.get(DATABASE):
        return url
    base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return f"sqlite:///{base / 'blackjack-paytables' / 'designs.sqlite'}"


class Store:
    """The saved designs of one database.

    Args:
        url: A URL as SQLAlchemy reads it.

    Raises:
        InputError: The URL cannot be used, or the database not reached.

    Example:
        >>> store = Store("sqlite://")
        >>> store.save("an unguessable key", "Mine", Draft(name="Mine"), note="first")
        1
        >>> store.save("an unguessable key", "Mine", Draft(name="Mine", decks=8), note="8 decks")
        2
        >>> [saved.note for saved in store.history("an unguessable key", "Mine")]
        ['8 decks', 'first']
        >>> store.designs("another long key")
        []
    """

    def __init__(self, url: str) -> None:
        try:
            self._engine = create_engine(url)
            if self._engine.url.get_backend_name() == "sqlite":
                if (file := self._engine.url.database) and file != ":memory:":
                    Path(file).parent.mkdir(parents=True, exist_ok=True)
                event.listen(self._engine, "connect", _set_up_sqlite)
            _Base.metadata.create_all(self._engine)
        except (ArgumentError, NoSuchModuleError, ImportError, OSError, SQLAlchemyError) as error:
            reason = type(error).__name__
            raise InputError(
                DATABASE, reason, "the URL of a database that can be reached"
            ) from None

    def close(self) -> None:
        """Give back the connections."""
        self._engine.dispose()

    def save(self, key: str, name: str, draft: Draft, *, note: str = "", author: str = "") -> int:
        """Save a version of a design; returns its number.

        Raises:
            InputError: A name, note or key is empty or too long, or the workspace is full.
        """
        owner, name, note, author = _owner(key), name.strip(), note.strip(), author.strip()
        if not 1 <= len(name) <= 120:
            raise InputError("name", name[:60], "a name of 1 to 120 characters")
        if len(note) > 2000 or len(author) > 80:
            raise InputError("note", note[:60], "at most 2000 characters, and 80 for the author")
        for _ in range(_ATTEMPTS):
            try:
                return self._save(owner, name, draft, note, author)
            except IntegrityError:  # another session of the workspace saved at this moment
                continue
        return self._save(owner, name, draft, note, author)

    def _save(self, owner: str, name: str, draft: Draft, note: str, author: str) -> int:
        with Session(self._engine) as session, session.begin():
            design = session.scalar(_named(owner, name))
            if design is None:
                mine = select(func.count()).select_from(_Design).where(_Design.owner == owner)
                if (session.scalar(mine) or 0) >= MAX_DESIGNS:
                    raise InputError("workspace", "full", f"at most {MAX_DESIGNS} designs")
                design = _Design(owner=owner, name=name)
                session.add(design)
                session.flush()
            latest = select(func.max(_Version.number)).where(_Version.design_id == design.id)
            number = (session.scalar(latest) or 0) + 1
            if number > MAX_VERSIONS:
                raise InputError("design", "full", f"at most {MAX_VERSIONS} versions")
            session.add(
                _Version(
                    design_id=design.id,
                    number=number,
                    saved_at=datetime.now(UTC),
                    author=author,
                    note=note,
                    content=draft.model_dump_json(exclude_defaults=True),
                )
            )
            return number

    def designs(self, key: str) -> list[SavedDesign]:
        """The designs of a workspace, the one saved last first."""
        latest = func.max(_Version.saved_at)
        query = (
            select(_Design.name, func.count(_Version.id), latest)
            .join(_Version)
            .where(_Design.owner == _owner(key))
            .group_by(_Design.id, _Design.name)
            .order_by(latest.desc())
        )
        with Session(self._engine) as session:
            return [SavedDesign(name, n, _utc(at)) for name, n, at in session.execute(query)]

    def history(self, key: str, name: str) -> list[SavedVersion]:
        """The versions of a design, the latest first; none if there is no such design."""
        with Session(self._engine) as session:
            design = session.scalar(_named(_owner(key), name))
            return [
                SavedVersion(v.number, _utc(v.saved_at), v.author, v.note, read_draft(v.content))
                for v in reversed(design.versions if design else [])
            ]

    def delete(self, key: str, name: str) -> None:
        """Delete a design with its history, if there is one."""
        with Session(self._engine) as session, session.begin():
            if design := session.scalar(_named(_owner(key), name)):
                session.delete(design)


def _named(owner: str, name: str) -> Select[_Design]:
    return select(_Design).where(_Design.owner == owner, _Design.name == name)


def _owner(key: str) -> str:
    if len(key) < MIN_KEY:
        raise InputError("workspace key", "too short", f"at least {MIN_KEY} characters")
    return hashlib.sha256(key.encode("utf-8")).hexdigest()


def _utc(at: datetime) -> datetime:
    return at if at.tzinfo else at.replace(tzinfo=UTC)  # SQLite forgets the zone


def _set_up_sqlite(connection: object, _: object) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA busy_timeout=5000")
    cursor.close()


@cache
def the_store() -> Store:
    """The store of this process.

    Raises:
        InputError: The database cannot be reached.
    """
    return Store(database_url())
