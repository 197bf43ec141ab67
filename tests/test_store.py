from __future__ import annotations

import threading
from pathlib import Path

import pytest

from odds.errors import InputError
from paytables import store as module
from paytables.draft import Draft, TierDraft
from paytables.store import DATABASE, Store, database_url, new_key

KEY, OTHER = "the first workspace", "the other workspace"


@pytest.fixture
def store(tmp_path: Path):  # type: ignore[no-untyped-def]
    opened = Store(f"sqlite:///{tmp_path / 'folder' / 'designs.sqlite'}")
    yield opened
    opened.close()


def test_every_save_is_kept_with_its_note(store: Store) -> None:
    drafts = [Draft(name="Mine", decks=n, tiers=(TierDraft(pays="12o"),)) for n in (1, 2, 3)]
    for draft in drafts:
        store.save(KEY, "Mine", draft, note=f"{draft.decks} decks", author="Ann")
    history = store.history(KEY, "Mine")
    assert [version.draft for version in history] == drafts[::-1]
    first = history[0]
    assert (first.number, first.note, first.author) == (3, "3 decks", "Ann")
    assert history[0].saved_at >= history[1].saved_at
    assert [(d.name, d.versions) for d in store.designs(KEY)] == [("Mine", 3)]


def test_workspaces_stay_apart(store: Store) -> None:
    store.save(KEY, "Mine", Draft(name="first"))
    store.save(OTHER, "Mine", Draft(name="second"))
    assert store.history(KEY, "Mine")[0].draft.name == "first"
    assert store.history(OTHER, "Mine")[0].draft.name == "second"
    store.delete(OTHER, "Mine")
    assert store.designs(OTHER) == []
    assert store.history(KEY, "Mine")


def test_the_key_is_not_in_the_file(store: Store, tmp_path: Path) -> None:
    store.save(KEY, "Mine", Draft(name="first"))
    store.close()
    for file in (tmp_path / "folder").iterdir():
        assert KEY.encode() not in file.read_bytes()


def test_it_is_there_after_a_restart(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'designs.sqlite'}"
    first = Store(url)
    first.save(KEY, "Mine", Draft(name="kept"))
    first.close()
    second = Store(url)
    assert second.history(KEY, "Mine")[0].draft.name == "kept"
    second.close()


def test_saves_at_once_get_numbers_of_their_own(store: Store) -> None:
    numbers: list[int] = []

    def save() -> None:
        numbers.extend(store.save(KEY, "Mine", Draft(name="x")) for _ in range(5))

    threads = [threading.Thread(target=save) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(numbers) == list(range(1, 16))


@pytest.mark.parametrize(
    ("key", "name", "note"),
    [("short", "Mine", ""), (KEY, " ", ""), (KEY, "x" * 121, ""), (KEY, "Mine", "x" * 2001)],
)
def test_bad_saves_are_refused(store: Store, key: str, name: str, note: str) -> None:
    with pytest.raises(InputError):
        store.save(key, name, Draft(), note=note)
    assert store.designs(KEY) == []


def test_a_workspace_and_a_history_are_bounded(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_DESIGNS", 2)
    monkeypatch.setattr(module, "MAX_VERSIONS", 2)
    for name in ("a", "b", "b"):
        store.save(KEY, name, Draft())
    for name in ("b", "c"):
        with pytest.raises(InputError):
            store.save(KEY, name, Draft())
    store.save(OTHER, "c", Draft())


def test_names_are_text_and_no_sql(store: Store) -> None:
    name = "x'; DROP TABLE design; --"
    store.save(KEY, name, Draft(name="kept"))
    assert store.history(KEY, name)[0].draft.name == "kept"


@pytest.mark.parametrize(
    "url", ["nonsense", "nosuch://x", "sqlite:////proc/none/x", "postgresql+nosuch://h/d"]
)
def test_a_bad_address_is_one_clear_error(url: str) -> None:
    with pytest.raises(InputError, match=DATABASE):
        Store(url)


def test_the_address_comes_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(DATABASE, "postgresql+psycopg://localhost/designs")
    assert database_url() == "postgresql+psycopg://localhost/designs"
    monkeypatch.delenv(DATABASE)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert database_url() == f"sqlite:///{tmp_path}/blackjack-paytables/designs.sqlite"


def test_keys_differ() -> None:
    assert len({new_key() for _ in range(100)}) == 100
