from __future__ import annotations

import dataclasses
import threading
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from odds.game import analyze
from odds.rules import Rules
from odds.shoe import Shoe
from paytables.draft import pack_text
from paytables.jobs import Pool
from paytables.presets import load_preset
from paytables.rule_effects import RuleEffect, RuleEffects
from paytables.rule_fields import parse_rules, rule_fields
from paytables.ui import asked, running
from paytables.ui.analysis import BoundedCache, edge_of, expected_value_parts
from tests import ui_helpers

APP = str(Path(__file__).parents[1] / "app.py")


@pytest.fixture
def app() -> AppTest:
    return started()


def started() -> AppTest:
    app = AppTest.from_file(APP, default_timeout=60).run()
    assert not app.exception
    return app


def metric(app: AppTest, label: str) -> str:
    return next(m.value for m in app.metric if m.label == label)


def html(app: AppTest) -> str:
    return "\n".join(element.proto.body for element in app.get("html"))


def test_first_page_shows_the_first_preset(app: AppTest) -> None:
    assert app.title[0].value == "Sweet 16 table"
    assert not app.error
    assert [m.label for m in app.metric][:4] == [
        "House edge",
        "Expected value",
        "Element of risk",
        "Average action",
    ]


def test_every_rule_is_on_the_form_with_its_text(app: AppTest) -> None:
    widgets = {w.key: w for w in [*app.toggle, *app.selectbox, *app.number_input]}
    for field in rule_fields():
        widget = widgets[f"rule-{field.name}"]
        assert widget.label == field.label
        assert field.text.replace("`", "**") in widget.help


def test_picking_a_table_and_a_rule_shows_the_published_edge(app: AppTest) -> None:
    # six decks, S17, DAS, to four hands: -0.004028702361154149 by an independent analyzer
    app.selectbox(key="preset").select("greektown").run()
    app.selectbox(key="rule-split_ace_ten").select("21").run()
    assert metric(app, "House edge") == "0.4029 %"
    assert metric(app, "Expected value") == "-0.00402870"
    assert any("A split ace-ten is: beats_21 → 21" in c.value for c in app.caption)


def test_back_to_the_rules_of_the_table(app: AppTest) -> None:
    before = metric(app, "House edge")
    app.number_input(key="rule-decks").set_value(2).run()
    assert metric(app, "House edge") != before
    next(b for b in app.button if "Back" in b.label).click().run()
    assert app.number_input(key="rule-decks").value == 8
    assert metric(app, "House edge") == before


def test_the_strategy_of_split_hands(app: AppTest) -> None:
    # six decks, S17, DAS, one split, late surrender: -0.003842824465524062 under CDP1
    app.number_input(key="rule-decks").set_value(6)
    app.selectbox(key="strategy").select("CDP1").run()
    assert metric(app, "Expected value") == "-0.00384282"


def test_contradiction_is_reported_and_nothing_is_lost(app: AppTest) -> None:
    app.number_input(key="rule-max_split_hands_aces").set_value(4)
    before = metric(app, "House edge")
    app.run()
    assert "“Hands from a pair of aces” is 4" in app.error[0].value
    assert "at most “Hands from a pair of 2 to 10”, which is 2" in app.error[0].value
    assert app.number_input(key="rule-max_split_hands_aces").value == 4
    assert metric(app, "House edge") == before
    app.number_input(key="rule-max_split_hands").set_value(4).run()
    assert not app.error
    assert metric(app, "House edge") != before


def test_a_bad_pay_is_reported_and_stays_on_the_form() -> None:
    app = AppTest.from_file(APP, default_timeout=60)
    app.session_state["rule-blackjack_pays"] = "three to two"
    app.run()
    assert "“Blackjack pays, to one” is three to two" in app.error[0].value
    assert app.selectbox(key="rule-blackjack_pays").value == "three to two"
    assert metric(app, "House edge") == "0.4100 %"
    app.selectbox(key="rule-blackjack_pays").select("6:5").run()
    assert not app.error
    assert metric(app, "House edge") != "0.4100 %"


def test_a_rule_without_meaning_is_disabled_and_remembered(app: AppTest) -> None:
    takes = "rule-dealer_blackjack_takes"
    assert app.selectbox(key=takes).disabled
    app.selectbox(key="rule-peek").select("none").run()
    app.selectbox(key=takes).select("original").run()
    assert not app.error
    app.selectbox(key="rule-peek").select("ace_ten").run()
    assert app.selectbox(key=takes).disabled
    assert not app.error
    app.selectbox(key="rule-peek").select("none").run()
    assert app.selectbox(key=takes).value == "original"


def test_hand_inspector(app: AppTest) -> None:
    app.text_input(key="hand-cards").set_value("A,10").run()
    app.selectbox(key="hand-up").select(1).run()
    # 8 decks less three cards: 127 tens among 413
    facts = " ".join(m.value for m in app.markdown)
    assert f"Insurance: {3 * 127 / 413 - 1:+.6f}" in facts
    assert f"Even money against waiting: {1 - 1.5 * (1 - 127 / 413):+.6f}" in facts


@pytest.mark.parametrize("typed", ["", "8,B", "10,10,10", "8", "<b>8</b>"])
def test_an_impossible_hand_is_reported(app: AppTest, typed: str) -> None:
    app.text_input(key="hand-cards").set_value(typed).run()
    assert len(app.error) == 1
    assert not app.exception
    assert metric(app, "House edge")


def test_two_tens_where_only_one_rank_may_be_split(app: AppTest) -> None:
    app.selectbox(key="preset").select("six-deck-h17").run()
    app.text_input(key="hand-cards").set_value("10,10").run()
    table = next(h for h in html(app).split("<table") if "Value of every action" in h)
    assert ">split<" in table
    app.toggle(key="hand-same-rank").set_value(False).run()
    table = next(h for h in html(app).split("<table") if "Value of every action" in h)
    assert ">split<" not in table


def test_cards_out_of_the_shoe(app: AppTest) -> None:
    app.text_input(key="seen").set_value("A,A,A,A").run()
    left = Shoe.decks(8).remove("AS", "AH", "AD", "AC")
    edge = analyze(load_preset("sweet16").rules, left).house_edge
    assert metric(app, "House edge") == f"{100 * edge:.4f} %"
    assert any("412 cards left of 8 decks" in c.value for c in app.caption)
    app.text_input(key="seen").set_value("A,1").run()
    assert "seen" in app.error[0].value
    assert app.text_input(key="seen").value == "A,1"


def test_a_custom_shoe_by_counts(app: AppTest) -> None:
    app.text_input(key="counts").set_value("A=20 5=0").run()
    cards = list(Shoe.decks(8).counts)
    cards[0:4], cards[16:20] = [5] * 4, [0] * 4
    edge = analyze(load_preset("sweet16").rules, Shoe(tuple(cards))).house_edge
    assert metric(app, "House edge") == f"{100 * edge:.4f} %"
    app.text_input(key="counts").set_value("A=20 5=").run()
    assert "counts such as A=20" in app.error[0].value
    assert app.text_input(key="counts").value == "A=20 5="


def with_link(link: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params["table"] = link
    app.run()
    assert not app.exception
    return app


def test_the_address_holds_the_table(app: AppTest) -> None:
    app.selectbox(key="preset").select("greektown").run()
    app.selectbox(key="rule-blackjack_pays").select("6:5")
    app.text_input(key="seen").set_value("A,1").run()  # a wrong entry is part of it
    link = app.query_params["table"]
    again = with_link(link[0] if isinstance(link, list) else link)
    assert again.title[0].value == "Greektown table"
    assert again.selectbox(key="rule-blackjack_pays").value == "6:5"
    assert again.text_input(key="seen").value == "A,1"
    assert again.error[0].value == app.error[0].value


@pytest.mark.parametrize(
    "link",
    [
        "nonsense",
        pack_text("[]"),
        pack_text('{"rule-decks": 13}'),
        pack_text('{"rule-decks": true}'),
        pack_text('{"rule-peek": "x"}'),
        pack_text('{"rule-peek": []}'),
        pack_text('{"preset": "/etc/x.toml"}'),
        pack_text('{"seen": 5}'),
        pack_text('{"other": 5}'),
        pack_text("[" * 20_000),
    ],
)
def test_a_bad_link_is_told_and_the_page_works(link: str) -> None:
    app = with_link(link)
    assert "link cannot be read" in app.error[0].value
    assert metric(app, "House edge") == "0.4100 %"


def test_chart_has_a_value_for_every_cell(app: AppTest) -> None:
    grids = html(app)
    # hard 5 to 19, soft 13 to 20, ten pairs; ten upcards each
    assert grids.count('<td class="pt-') == (15 + 8 + 10) * 10
    assert grids.count("aria-label=") >= 330
    assert "hard 16 against 10: surrender, else hit" in grids


def test_readings_are_priced_on_request(app: AppTest) -> None:
    app.selectbox(key="preset").select("six-deck-h17").run()
    assert "pt-up" not in html(app).split("Not described")[-1].split("<style")[0]
    next(b for b in app.button if b.label == "Price every reading").click().run()
    assert not app.exception
    # peek and late surrender: an independent analyzer has 0.5806347172081578 %
    row = next(r for r in html(app).split("<tr>") if "comes too late" in r)
    assert "0.5806 %" in row
    app.number_input(key="rule-decks").set_value(8).run()
    assert any("has changed since" in c.value for c in app.caption)


def test_the_effect_of_each_rule(
    app: AppTest, worker_pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "pool", lambda: worker_pool)
    few = {"decks": 1, "max_split_hands": 1, "max_split_hands_aces": 1}  # quick to compute
    for name, value in few.items():
        app.number_input(key=f"rule-{name}").set_value(value)
    ui_helpers.asked(app, "main-effects")
    rules = parse_rules(few, load_preset("sweet16").rules)
    after = analyze(dataclasses.replace(rules, hit_soft_17=True)).house_edge
    row = next(r for r in html(app).split("<tr>") if "Dealer hits soft 17 (H17)" in r)
    assert f"{100 * after:.4f} %" in row
    assert f"{100 * (after - analyze(rules).house_edge):+.4f}" in row
    app.selectbox(key="effect-chosen").select("Dealer hits soft 17 (H17)").run()
    app.button(key="effect-apply").click().run()
    assert app.toggle(key="rule-hit_soft_17").value
    assert metric(app, "House edge") == f"{100 * after:.4f} %"
    assert any("has changed since" in c.value for c in app.caption)


def test_an_entry_just_before_a_change_of_the_rules_is_kept(app: AppTest) -> None:
    rules = load_preset("sweet16").rules
    other = dataclasses.replace(rules, hit_soft_17=True)
    change = RuleEffect("hit_soft_17", "H17", {"hit_soft_17": "yes"}, other, 0.006, 0.002)
    asked.kept().put(
        ("main-effects", (rules, "CDZ-")), RuleEffects(rules, "CDZ-", 0.004, (change,), ())
    )
    app.run()
    # the entry and the click reach the app together
    app.number_input(key="rule-decks").set_value(2)
    app.button(key="effect-apply").click().run()
    assert app.toggle(key="rule-hit_soft_17").value
    assert app.number_input(key="rule-decks").value == 2


def test_two_sessions_stay_apart() -> None:
    one, other = started(), started()
    one.selectbox(key="preset").select("greektown").run()
    other.number_input(key="rule-decks").set_value(4).run()
    assert one.title[0].value == "Greektown table"
    assert one.number_input(key="rule-decks").value == 6
    assert other.title[0].value == "Sweet 16 table"


def test_bounded_cache_forgets_what_was_not_used_for_longest() -> None:
    cache: BoundedCache[int] = BoundedCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert (cache.get("a"), cache.get("b"), cache.get("c"), len(cache)) == (1, None, 3, 2)


@pytest.mark.parametrize("name", ["sweet16", "six-deck-h17"])
def test_parts_add_up_to_the_expected_value(name: str) -> None:
    odds = analyze(load_preset(name).rules)
    parts = expected_value_parts(odds)
    assert sum(part.share for part in parts) == pytest.approx(1, abs=1e-12)
    assert sum(part.expected_value for part in parts) == pytest.approx(
        odds.expected_value, abs=1e-12
    )


def test_edges_found_by_threads_at_once_are_right() -> None:
    tables = [
        Rules(decks=2, max_split_hands=n, hit_soft_17=h) for n in (2, 3) for h in (False, True)
    ]
    found: dict[Rules, float] = {}

    def work(rules: Rules) -> None:
        found[rules] = edge_of(rules, None, "CDZ-")

    threads = [threading.Thread(target=work, args=(rules,)) for rules in tables]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {rules: analyze(rules).house_edge for rules in tables}
