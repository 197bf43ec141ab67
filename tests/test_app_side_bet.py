from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from odds.errors import InputError
from odds.shoe import Shoe
from odds.sidebets import bet_odds
from paytables.bets import load_catalog, load_paytable, parse_bet, paytable_toml
from paytables.draft import Draft, decode_draft
from paytables.metrics import evaluate, meter_result
from paytables.toml_text import MAX_FILE_BYTES
from paytables.ui.bet_form import matching_bets
from paytables.ui.toolbar import draft_of_file, file_name
from paytables.ui.work import MAX_COMPARED, MAX_STEPS, Work, catalogue_draft
from tests.ui_helpers import html, link_of, metric, notes, opened

# 8 decks: 64 ways for the ace and five of hearts, among 416 * 415 / 2
WAYS = Fraction(64, 416 * 415 // 2)
SWEET = Fraction(4, 83)
AS_PLAYED = "rules 14.4 and 14.5, as the table plays"


@pytest.fixture
def app() -> AppTest:
    return opened("side_bet")


def percent(value: Fraction) -> str:
    return f"{100 * float(value):.4f} %"


def test_opens_with_the_published_sweet_16(app: AppTest) -> None:
    assert app.title[0].value == "Sweet 16, 160/16/12/6"
    assert metric(app, "House edge") == percent(SWEET)
    assert metric(app, "Return to player") == percent(1 - SWEET)
    assert metric(app, "Top award") == "160"
    assert metric(app, "Hit frequency") == percent(
        evaluate(load_paytable("Sweet 16"), 8).hit_frequency
    )
    assert not app.warning
    assert not app.error


def test_a_pay_changes_the_edge_to_the_exact_value_and_back(app: AppTest) -> None:
    app.text_input(key="tier-1-pays").set_value("200").run()
    assert metric(app, "House edge") == percent(SWEET - 40 * WAYS)
    assert metric(app, "Top award") == "200"
    app.button(key="undo").click().run()
    assert metric(app, "House edge") == percent(SWEET)
    assert app.text_input(key="tier-1-pays").value == "160"
    app.button(key="redo").click().run()
    assert app.text_input(key="tier-1-pays").value == "200"
    assert metric(app, "House edge") == percent(SWEET - 40 * WAYS)


def test_every_second_edit_counts_too(app: AppTest) -> None:
    for pays in ("161", "162", "163", "164"):
        app.text_input(key="tier-1-pays").set_value(pays).run()
        assert metric(app, "House edge") == percent(SWEET - (int(pays) - 160) * WAYS)
    app.text_input(key="tier-2-pays").set_value("33/2").run()
    assert metric(app, "Return to player") == percent(
        evaluate(load_paytable("Sweet 16").with_pays(sweet=164, suited="33/2"), 8).rtp
    )


def test_decks_and_a_custom_shoe(app: AppTest) -> None:
    app.slider(key="draft-decks").set_value(6).run()
    assert metric(app, "House edge") == percent(evaluate(load_paytable("Sweet 16"), 6).edge)
    app.text_input(key="draft-shoe").set_value("AH=0").run()
    # without the ace of hearts the top tier cannot come
    assert any("Ace and five of hearts" in w.value and "shoe" in w.value for w in app.warning)
    cards = list(Shoe.decks(6).counts)
    cards[1] = 0
    left = bet_odds(load_paytable("Sweet 16").bet, shoe=Shoe(tuple(cards)))
    assert f"{left.total:,} combinations" in " ".join(c.value for c in app.caption)
    assert f"<td>{left.tier('mixed').ways:,}</td>" in html(app)
    app.text_input(key="draft-shoe").set_value("AX=0").run()
    assert app.text_input(key="draft-shoe").value == "AX=0"
    assert notes(app)


def test_a_wrong_entry_is_marked_and_loses_nothing(app: AppTest) -> None:
    app.text_input(key="tier-2-when").set_value("total(player) = 16").run()
    app.text_input(key="tier-3-pays").set_value("1o").run()
    assert "last design that could be read" in app.error[0].value
    marked = " ".join(notes(app))
    assert "Character 15" in marked
    assert "write == to compare" in marked
    assert metric(app, "House edge") == percent(SWEET)
    assert app.text_input(key="tier-2-when").value == "total(player) = 16"
    assert app.text_input(key="tier-3-pays").value == "1o"
    # a reload of the address has both, wrong as they are
    again = opened("side_bet", link=link_of(app))
    assert again.text_input(key="tier-2-when").value == "total(player) = 16"
    assert again.text_input(key="tier-3-pays").value == "1o"
    app.text_input(key="tier-2-when").set_value("total(player) == 16 and suited(player)")
    app.text_input(key="tier-3-pays").set_value("10").run()
    assert not app.error
    assert metric(app, "House edge") == percent(
        evaluate(load_paytable("Sweet 16").with_pays(color=10), 8).edge
    )


def test_hostile_text_is_shown_as_text(app: AppTest) -> None:
    evil = "<img src=x onerror=alert(1)>"
    app.text_input(key="tier-1-when").set_value(evil).run()
    app.text_input(key="tier-1-label").set_value(evil).run()
    assert evil not in html(app)
    assert "&lt;" in " ".join(notes(app))
    app.text_input(key="tier-1-when").set_value("suited(player)").run()
    assert evil not in html(app)
    assert not app.exception


PICTURE = "![x](https://example.com/x.png)"


def shown_as_markdown(app: AppTest) -> str:
    kinds = ("title", "markdown", "caption", "error", "warning", "info", "toast")
    texts = [str(element.value) for kind in kinds for element in app.get(kind)]
    return "\n".join([*texts, *(str(entry.label) for entry in app.text_input)])


def test_names_cannot_put_a_picture_on_the_page() -> None:
    named = catalogue_draft("Sweet 16", "160/16/12/6").changed(
        name=PICTURE, variant="*b*", source=f"https://example.org/a_b {PICTURE}"
    )
    for tier in named.tiers:
        named = named.with_tier(tier.key, label=PICTURE)
    hidden = named.with_tier(1, when="total(player) == 16")
    never = named.with_tier(1, when="total(player) == 16 and total(player) == 15")
    for draft, said in ((named, "Published pays from"), (hidden, "hidden"), (never, "never be")):
        app = opened("side_bet", draft)
        app.button(key="add-to-comparison").click().run()
        assert said in shown_as_markdown(app)
        assert r"!\[x\](https" in app.title[0].value
        assert r"!\[x\](https" in app.toast[0].value
        assert PICTURE not in shown_as_markdown(app)
    assert "https://example.org/a_b " in shown_as_markdown(app)
    assert PICTURE not in shown_as_markdown(opened("target", named))
    # other names alone are no change of the edge
    edge = next(m for m in opened("side_bet", named).metric if m.label == "House edge")
    assert not edge.delta


@pytest.mark.parametrize(
    "when",
    [
        "__import__('os').system('id')",
        "(" * 500,
        "player.__class__",
        " and ".join(["suited(player)"] * 300),
        "9999 * 9999 * 9999 > 1",
    ],
)
def test_a_hostile_condition_is_refused(app: AppTest, when: str) -> None:
    app.text_input(key="tier-1-when").set_value(when).run()
    assert not app.exception
    assert notes(app)
    assert metric(app, "House edge") == percent(SWEET)


def test_tiers_are_added_moved_and_removed(app: AppTest) -> None:
    app.button(key="down-1").click().run()
    assert any("is hidden" in w.value for w in app.warning)
    app.button(key="up-1").click().run()
    assert not app.warning
    app.button(key="remove-4").click().run()
    assert metric(app, "House edge") == percent(SWEET + 7 * Fraction(16, 415))
    app.button(key="add-tier").click().run()
    assert len(notes(app)) == 2
    app.text_input(key="tier-4-when").set_value("total(player) == 16")
    app.text_input(key="tier-4-pays").set_value("6").run()
    assert metric(app, "House edge") == percent(SWEET)
    app.text_input(key="tier-4-when").set_value("total(player) == 30").run()
    assert any("can never be hit" in w.value for w in app.warning)


def test_catalogue_search_and_the_published_paytable(app: AppTest) -> None:
    app.text_input(key="catalogue-search").set_value("perfect").run()
    assert "Perfect Pairs" in app.selectbox(key="catalogue-bet").options
    assert "Insurance" not in app.selectbox(key="catalogue-bet").options
    app.selectbox(key="catalogue-bet").select("Perfect Pairs").run()
    app.selectbox(key="catalogue-variant").select("30/10/5").run()
    app.slider(key="draft-decks").set_value(8).run()
    assert metric(app, "House edge") == percent(Fraction(14, 415))
    app.text_input(key="tier-1-pays").set_value("25").run()
    edge = next(m for m in app.metric if m.label == "House edge")
    assert edge.delta == f"{500 * 1456 / 86320:+.4f} points"
    app.button(key="reset-bet").click().run()
    assert app.text_input(key="tier-1-pays").value == "30"


def test_search_looks_at_names_cards_rules_and_pays() -> None:
    assert matching_bets("upcard") != []
    assert set(matching_bets("25/2.5")) >= {"Royal Match"}
    assert matching_bets("no such words at all") == []
    assert len(matching_bets("")) == len(set(matching_bets("")))


def test_a_new_bet(app: AppTest) -> None:
    app.button(key="new-bet").click().run()
    assert app.title[0].value == "New bet"
    # 6 decks, by hand: 5 of 311 second cards are the same card, 18 more of the same rank
    assert metric(app, "House edge") == percent(1 - Fraction(5 * 21 + 18 * 9, 311))
    app.button(key="undo").click().run()
    assert app.title[0].value == "Sweet 16, 160/16/12/6"


@pytest.mark.parametrize("view", ["Charts", "Example hands", "Words", "Formula", "Meter"])
def test_every_view_of_a_progressive(view: str) -> None:
    app = opened("side_bet", catalogue_draft("Progressive Aces", "4 decks, cards guaranteed"))
    app.text_input(key="draft-amount").set_value("50000").run()
    app.segmented_control(key="side-bet-view").set_value(view).run()
    assert not app.exception
    found = evaluate(load_paytable("Progressive Aces"), 4, meter=50_000)
    assert metric(app, "House edge") == percent(found.edge)
    if view == "Meter":
        even = meter_result(found).break_even
        assert even is not None
        assert metric(app, "Break-even meter") == f"{float(even):,.2f}"
    if view == "Example hands":
        assert "A♠" in html(app)


def test_pays_are_rewritten_without_a_change_of_the_edge(app: AppTest) -> None:
    app.button(key="rewrite-pays").click().run()
    assert app.text_input(key="tier-1-pays").value == "161"
    assert metric(app, "House edge") == percent(SWEET)
    # read to one instead, every hit is worth one unit more
    app.segmented_control(key="draft-paid").set_value("to one").run()
    assert metric(app, "House edge") == percent(SWEET - Fraction(1, 13))


def test_a_bet_that_follows_the_strategy() -> None:
    app = opened("side_bet", catalogue_draft("Super Sevens", AS_PLAYED))
    assert metric(app, "House edge") == percent(
        evaluate(load_paytable("Super Sevens", AS_PLAYED)).edge
    )
    assert any("cards drawn by the best strategy" in c.value for c in app.caption)


def test_a_damaged_link_is_told_and_the_page_works() -> None:
    app = opened("side_bet", link="nonsense")
    assert "link cannot be read" in app.error[0].value
    assert metric(app, "House edge") == percent(SWEET)


@pytest.mark.parametrize("origin", [("Nothing",), ("Sweet 16", "none such"), ("Nope", "x"), ("x",)])
def test_a_link_with_an_unknown_origin(origin: tuple[str, ...]) -> None:
    app = opened("side_bet", catalogue_draft("Sweet 16", "160/16/12/6").changed(opened=origin))
    assert metric(app, "House edge") == percent(SWEET)


def test_a_design_from_outside_reads_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a table's name is short, and temporary folders are not
    secret = Path("./secret.toml")
    secret.write_text("password = 'open sesame'")
    draft = catalogue_draft("Super Sevens", AS_PLAYED)
    draft = draft.changed(table=f"./{secret}")
    assert [p.field for p in draft.read().problems] == ["table"]
    app = opened("side_bet", draft)
    shown = " ".join([html(app), *(e.value for e in app.error)])
    assert "secret" not in shown
    assert "choose the table" in shown
    app.selectbox(key="draft-table").select("super-sevens").run()
    assert not app.error
    text = paytable_toml(load_paytable("Super Sevens", AS_PLAYED)).replace(
        "super-sevens", f"./{secret}"
    )
    again = draft_of_file(text.encode(), "x.toml")
    assert again.read().paytable is None


def test_two_sessions_stay_apart(app: AppTest) -> None:
    other = opened("side_bet")
    app.text_input(key="tier-1-pays").set_value("200").run()
    other.run()
    assert other.text_input(key="tier-1-pays").value == "160"
    assert metric(other, "House edge") == percent(SWEET)


def test_a_file_is_opened_as_it_was_downloaded() -> None:
    paytable = load_paytable("Perfect Pairs", "30/10/5")
    draft = draft_of_file(paytable_toml(paytable).encode(), "mine.toml")
    assert draft.read().paytable == paytable
    assert parse_bet(paytable_toml(paytable)).paytable() == paytable


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe\x00",
        b"name = ",
        b"name = 'x'\n[[tiers]]\nname = 'a'\nwhen = 'eval(1)'\npays = 1",
        b"name = 'x'\n[[tiers]]\nname = 'a'\nwhen = 'pair(player)'\npays = 1e300",
        b"a = " + b"[" * 3000,
        b"a." * 3000 + b"a = 1",
        b"x = 1\n" * (MAX_FILE_BYTES // 6 + 1),
    ],
)
def test_a_broken_file_is_refused_with_a_reason(data: bytes) -> None:
    with pytest.raises(InputError) as caught:
        draft_of_file(data, "bad.toml")
    assert len(str(caught.value)) < 600


def test_file_names_are_plain() -> None:
    assert file_name(Draft(name="../../etc/passwd")) == "etc-passwd.toml"
    assert file_name(Draft(name="♠♥")) == "bet.toml"


def test_undo_is_bounded_and_a_new_edit_ends_redo() -> None:
    work = Work(Draft())
    for number in range(MAX_STEPS + 20):
        work.change(Draft(name=str(number)))
    assert len(work.past) == MAX_STEPS
    work.undo()
    assert work.draft.name == str(MAX_STEPS + 18)
    work.change(Draft(name="other"))
    work.redo()
    assert work.draft.name == "other"


def test_the_comparison_is_bounded() -> None:
    work = Work(Draft())
    for _ in range(MAX_COMPARED + 1):
        work.compare("same", Draft())
    assert [name for name, _ in work.compared] == ["same", *(f"same ({n})" for n in (2, 3, 4))]
    assert work.notice is not None


def test_the_address_holds_the_design(app: AppTest) -> None:
    app.text_input(key="tier-1-pays").set_value("200").run()
    assert decode_draft(link_of(app)).tiers[0].pays == "200"


def test_pauses_in_typing_are_one_edit(app: AppTest) -> None:
    box = app.text_input(key="tier-1-when")
    before = box.value
    for typed in ("pair(player) ", "pair(player) and ", "pair(player) and suited(player)"):
        app.text_input(key="tier-1-when").set_value(typed).run()
        assert app.text_input(key="tier-1-when").value == typed
    app.button(key="undo").click().run()
    assert app.text_input(key="tier-1-when").value == before
    app.button(key="redo").click().run()
    assert app.text_input(key="tier-1-when").value == "pair(player) and suited(player)"


def test_every_bet_of_the_catalogue_opens_without_a_warning(app: AppTest) -> None:
    for name in load_catalog():
        app.selectbox(key="catalogue-bet").select(name).run()
        assert not app.exception, name
        assert not app.error, name
        assert not app.warning, name
        assert metric(app, "House edge") == percent(evaluate(load_paytable(name)).edge), name
