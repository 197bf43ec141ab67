from __future__ import annotations

import base64
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from odds.errors import InputError
from odds.shoe import Shoe
from paytables.bets import load_catalog
from paytables.draft import MAX_LINK, MAX_TEXT, Draft, TierDraft, decode_draft, read_draft
from paytables.shoe_text import set_counts


def packed(text: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(text)).decode().rstrip("=")


def test_every_paytable_of_the_catalogue_survives_as_draft_and_as_link() -> None:
    for bet in load_catalog().values():
        for variant, paytable in bet.paytables.items():
            draft = Draft.of(paytable, (bet.name, variant))
            assert draft.read().paytable == paytable
            link = draft.encode()
            assert decode_draft(link) == draft
            assert len(link) < 2000  # what every browser and chat program takes


tiers = st.builds(
    TierDraft,
    name=st.text(max_size=20),
    when=st.text(max_size=200),
    pays=st.text(max_size=20),
    meter=st.text(max_size=9),
)


@given(
    st.text(max_size=40),
    st.lists(tiers, max_size=5),
    st.integers(1, 12),
    st.text(max_size=60),
    st.booleans(),
)
def test_whatever_is_typed_is_kept_and_read_without_a_crash(
    name: str, typed: list[TierDraft], decks: int, shoe: str, has_meter: bool
) -> None:
    numbered = tuple(tier.changed(key=number) for number, tier in enumerate(typed))
    draft = Draft(name=name, tiers=numbered, decks=decks, shoe=shoe, has_meter=has_meter)
    assert decode_draft(draft.encode()) == draft
    reading = draft.read()
    assert (reading.paytable is None) == bool(reading.problems)


def test_problems_say_where() -> None:
    draft = Draft(
        name="Mine",
        tiers=(
            TierDraft(key=3, name="a", when="pair(player) and pare(player)", pays="5"),
            TierDraft(key=1, name="b", when="pair(player)", pays="12o"),
            TierDraft(key=2, name="c", when="", pays=""),
        ),
    )
    reading = draft.read()
    assert reading.paytable is None
    condition = reading.of_tier(3, "when")
    assert condition is not None
    assert condition.position == len("pair(player) and ")
    assert "did you mean 'pair'" in condition.message
    assert reading.of_tier(1, "pays") is not None
    assert reading.of_tier(1, "when") is None
    assert reading.of_tier(2, "when") is not None
    assert reading.of_tier(2, "pays") is not None


@pytest.mark.parametrize(
    "pays", ["1/0", "1e99", "9" * 100, "nan", "inf", "1000001", "--1", "1e-400"]
)
def test_a_pay_out_of_range_is_a_problem(pays: str) -> None:
    draft = Draft(name="Mine", tiers=(TierDraft(name="a", when="pair(player)", pays=pays),))
    assert not draft.read().good


def test_tiers_are_added_moved_and_removed_by_key() -> None:
    draft = Draft(name="Mine").add_tier().add_tier().add_tier()
    assert [tier.key for tier in draft.tiers] == [1, 2, 3]
    assert [tier.key for tier in draft.move_tier(3, -1).tiers] == [1, 3, 2]
    assert draft.move_tier(1, -1) == draft
    fewer = draft.remove_tier(2)
    assert [tier.key for tier in fewer.tiers] == [1, 3]
    assert [tier.key for tier in fewer.add_tier().tiers] == [1, 3, 4]
    names = [tier.name for tier in fewer.add_tier().add_tier().tiers]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    "link",
    [
        "",
        "A",
        "%%%",
        packed(b"[]"),
        packed(b"not json"),
        packed(b"\xff\xfe"),
        packed(b'{"name": 1}'),
        packed(b'{"unknown": "key"}'),
        packed(b'{"decks": 13}'),
        packed(b'{"tiers": [{"key": 1}, {"key": 1}]}'),
        packed(b'{"name": "' + b"a" * 500 + b'"}'),
        packed(b"[" * 50_000),
        packed(b" " * (MAX_TEXT + 1)),  # small as a link, large when unpacked
        packed(b'{"name": "ok"}')[:-4],
        "A" * (MAX_LINK + 1),
    ],
)
def test_a_bad_link_is_refused(link: str) -> None:
    with pytest.raises(InputError):
        decode_draft(link)


def test_a_stored_design_is_checked() -> None:
    assert read_draft('{"name": "Mine"}').name == "Mine"
    with pytest.raises(InputError, match="design"):
        read_draft("{}}")


def test_a_custom_shoe_is_read() -> None:
    paytable = load_catalog()["Sweet 16"].paytable()
    draft = Draft.of(paytable).changed(decks=6, shoe="A=20, 7H=0")
    shoe = draft.read().shoe
    assert shoe is not None
    assert (shoe.by_rank[0], shoe.by_rank[6], shoe.size) == (20, 18, 302)
    assert draft.changed(shoe="B=1").read().of("shoe") is not None
    assert not draft.changed(without="Z").read().good


@pytest.mark.parametrize("text", ["A", "A=x", "11=3", "A=1 A=2", "A=-1", "7Z=1", "A=99999"])
def test_counts_that_make_no_sense(text: str) -> None:
    with pytest.raises(InputError):
        set_counts(Shoe.decks(6), text)


def test_suits_of_a_rank_are_filled_evenly() -> None:
    shoe = set_counts(Shoe.decks(1), "K=6,10=2,AS=3")
    assert shoe.counts[48:] == (2, 2, 1, 1)
    assert shoe.counts[36:40] == (1, 1, 0, 0)
    assert shoe.counts[:4] == (3, 1, 1, 1)


def test_spaces_stay_while_typing_and_do_not_matter() -> None:
    draft = Draft(name=" Mine ", tiers=(TierDraft(name="a", when=" pair(player) ", pays=" 5 "),))
    assert draft.tiers[0].when == " pair(player) "
    paytable = draft.read().paytable
    assert paytable is not None
    assert (paytable.name, paytable.tiers[0].when, paytable.tiers[0].pays) == (
        "Mine",
        "pair(player)",
        5,
    )
    blank = draft.with_tier(0, when="  ", pays=" ").read()
    assert {problem.field for problem in blank.problems} == {"when", "pays"}
