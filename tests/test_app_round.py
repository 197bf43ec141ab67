"""The parts of the main-game page that are computed when asked for."""

from __future__ import annotations

import json
import re
import time
from fractions import Fraction
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from odds.game import analyze
from odds.outcomes import round_outcomes
from odds.shoe import Shoe
from paytables.cli import app as command
from paytables.jobs import Job, Pool, State
from paytables.presets import load_preset
from paytables.rule_fields import parse_rules
from paytables.shoe_text import set_counts
from paytables.ui import asked, running
from paytables.ui.asked import Asked
from paytables.ui.exact_value import decimal
from paytables.ui.own_chart import text_of_file
from paytables.ui.table_link import CHART, MAX_CHART
from paytables.ways import chart_edge, parse_chart
from tests import job_functions, ui_helpers
from tests.ui_helpers import cells, html, metric

CHANGED = {"decks": 1, "max_split_hands": 1, "max_split_hands_aces": 1}
ONE_DECK = parse_rules(CHANGED, load_preset("sweet16").rules)
"""Quick to compute: no splits."""
FEW = "2=0, 3=0, 4=0, 5=0, 6=0"
"""A shoe of fewer hands, for what takes long."""
ENTRIES: dict[str, Any] = {f"rule-{name}": value for name, value in CHANGED.items()}


@pytest.fixture(autouse=True)
def alone(worker_pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "pool", lambda: worker_pool)
    asked.kept.clear()


@pytest.fixture
def app() -> AppTest:
    return started(ENTRIES)


def _page() -> None:
    from paytables.ui import main_game

    main_game.page()


def started(entries: dict[str, Any]) -> AppTest:
    app = AppTest.from_function(_page, default_timeout=60)
    for key, value in entries.items():
        app.session_state[key] = value
    app.run()
    assert not app.exception
    return app


def cli(*arguments: str) -> Any:
    given = [*arguments, "--json"]
    result = CliRunner().invoke(command, given, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


def test_nothing_is_computed_before_it_is_asked_for(app: AppTest) -> None:
    parts = [f"main-{name}" for name in ("spread", "players", "effects", "removal", "exact")]
    assert all(app.button(key=f"{part}-start") for part in parts)
    assert not any(f"asked-{part}" in app.session_state for part in parts)


def test_a_round_swings_and_what_was_computed_stays(app: AppTest) -> None:
    ui_helpers.asked(app, "main-spread")
    found = round_outcomes(analyze(ONE_DECK))
    law = found.distribution
    assert law is not None
    before = metric(app, "Standard deviation")
    assert before == f"{found.standard_deviation:.6f}"
    for name, sign in (("Win", 1), ("Push", 0), ("Loss", -1)):
        chance = sum(p for net, p in law.items() if (net > 0) - (net < 0) == sign)
        assert metric(app, name) == f"{100 * chance:.4f} %"
    caption = "Distribution of the net result"
    assert cells(app, caption, "+1.5")[1] == f"{law[Fraction(3, 2)]:.12f}"
    parts = [
        float(cells(app, caption, sign + net)[3].rstrip(" %"))
        for sign in "+−"
        for net in ("1", "2")
    ]
    assert 85 < sum(parts) < 100  # of the variance; the rest is naturals, pushes and surrenders
    # naturals of one deck: 2 x 4/52 x 16/51
    share = cells(app, "What happens in a round", "Blackjack of the player")[1]
    assert share == f"{100 * 2 * 4 / 52 * 16 / 51:.4f} %"
    assert cells(app, "What happens in a round", "A pair is split")[2] == "never"
    # every player has two cards or more, and the dealer of one deck between 2 and 3 on average
    player, dealer, both = (
        float(cells(app, "What happens in a round", f"Cards of {name}")[1])
        for name in ("the player", "the dealer", "both")
    )
    assert 2 < player < 3
    assert 2 < dealer < 3
    assert player + dealer == pytest.approx(both, abs=1.1e-6)
    expected = cells(app, "What the house wins at one seat", "1,000,000")[1]
    mean = float(sum(net * Fraction(chance) for net, chance in law.items()))
    assert expected == f"{-1e6 * mean:+,.1f}".replace("-", "−")
    # it follows the table, and what was computed once stays
    job = app.session_state["asked-main-spread"].job
    app.number_input(key="rule-decks").set_value(2).run()
    assert any("has changed since" in c.value for c in app.caption)
    assert not [m for m in app.metric if m.label == "Standard deviation"]
    app.number_input(key="rule-decks").set_value(1).run()
    assert metric(app, "Standard deviation") == before
    # another session has it at once, and nobody computes it again
    other = started(ENTRIES)
    assert metric(other, "Standard deviation") == before
    assert app.session_state["asked-main-spread"].job is job
    assert "asked-main-spread" not in other.session_state


def test_seats_share_the_dealer(app: AppTest) -> None:
    ui_helpers.asked(app, "main-seats")
    caption = "Standard deviation of a round of the table, units"
    single = round_outcomes(analyze(ONE_DECK)).standard_deviation
    assert cells(app, caption, "1")[1] == f"{single:.6f}"
    covariance = float(metric(app, "Covariance of two seats"))
    for seats in (2, 3, 7):
        row = cells(app, caption, f"{seats}")
        variance = seats * single**2 + seats * (seats - 1) * covariance
        assert float(row[1]) == pytest.approx(variance**0.5, abs=1e-5)
        assert row[3] == f"{(seats * single**2) ** 0.5:.6f}"
    # seats win and lose together: the same dealer busts for all of them
    assert 0.3 < covariance / single**2 < 0.5


def test_rules_under_which_it_cannot_be_computed_are_told() -> None:
    app = started(
        {
            "rule-decks": 1,
            "counts": FEW,
            "rule-peek": "none",
            "rule-dealer_blackjack_takes": "busted_plus_one",
            "rule-surrender": "none",
        }
    )
    ui_helpers.asked(app, "main-exact")
    assert "“Unpeeked blackjack takes” is busted\\_plus\\_one" in app.error[0].value
    assert app.button(key="main-exact-start")


def wait_for(job: Job) -> None:
    deadline = time.monotonic() + 20
    while not job.ended:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_computation_is_cancelled(app: AppTest, worker_pool: Pool) -> None:
    job = worker_pool.submit("someone", job_functions.wait, 60)
    app.session_state["asked-main-removal"] = Asked((ONE_DECK, None, True), job)
    app.run()
    assert app.button(key="main-removal-start").disabled
    app.button(key="main-removal-cancel").click().run()
    wait_for(job)
    app.run()
    assert job.state is State.CANCELLED
    assert "Stopped" in app.info[0].value
    assert not app.button(key="main-removal-start").disabled


def test_one_thing_at_a_time_and_the_next_waits(app: AppTest, worker_pool: Pool) -> None:
    app.session_state["session-id"] = "me"
    first = worker_pool.submit("me", job_functions.wait, 60)
    app.button(key="main-spread-start").click().run()
    app.button(key="main-removal-start").click().run()
    for part in ("main-spread", "main-removal"):
        assert app.session_state[f"asked-{part}"].job is None
        assert app.button(key=f"{part}-start").disabled
    # one of them is withdrawn, the other one starts when the first has ended
    app.button(key="main-removal-withdraw").click().run()
    assert not app.button(key="main-removal-start").disabled
    assert app.session_state["asked-main-spread"].job is None
    first.cancel()
    wait_for(first)
    app.run()
    wait_for(app.session_state["asked-main-spread"].job)
    app.run()
    assert metric(app, "Standard deviation")
    assert "asked-main-removal" not in app.session_state


def unstyled(app: AppTest) -> str:
    return re.sub(r"<style>.*?</style>", "", html(app), flags=re.DOTALL)


def test_how_people_play_as_the_command_line_says() -> None:
    app = started({"rule-decks": 1})
    assert app.button(key="own-chart-begin").disabled
    ui_helpers.asked(app, "main-players")
    found = cli("play", "sweet16", "--decks", "1")
    names = {"Best play by the cards": "CDZ-", "Best chart by total": "basic"}
    names |= {"Mimics the dealer": "mimic-dealer", "Never busts": "never-bust"}
    names |= {"Always insures": "always-insure", "Never surrenders": "no-surrender"}
    names |= {"Never doubles soft": "no-soft-double"}
    edges = {way["name"]: way["house_edge"] for way in found["ways"]}
    assert set(edges) == set(names.values())
    for shown, name in names.items():
        row = cells(app, "House edge by how people play", shown)
        assert row[1] == f"{100 * edges[name]:.4f} %"
    # the grids of the best chart follow those by the cards
    for caption, row, printed in (
        ("Hard totals", "16", found["chart"]["hard"]["16"]),
        ("Soft totals", "A,7", found["chart"]["soft"]["18"]),
        ("Pairs", "9,9", found["chart"]["pairs"]["9"]),
    ):
        grid = [t for t in html(app).split("<table") if f"<caption>{caption}" in t][-1]
        line = next(r for r in grid.split("<tr>") if f'<th scope="row">{row}</th>' in r)
        assert re.findall(r">(\w+)</td>", line) == printed.split()
    # half of the money from the best chart, half from mimics
    app.number_input(key="mix-mimic-dealer").set_value(100).run()
    mean = (edges["basic"] + edges["mimic-dealer"]) / 2
    assert any(f"**{100 * mean:.4f} %**" in m.value for m in app.markdown)
    # a chart of one's own that starts from the best one; cells that differ get a frame
    app.button(key="own-chart-begin").click().run()
    assert own_edge(app) == percent(edges["basic"])
    assert "pt-differs-cell" not in unstyled(app)
    text = app.text_area(key=CHART).value
    app.text_area(key=CHART).set_value(text.replace('16 = "S', '16 = "H', 1)).run()
    assert unstyled(app).count("pt-differs-cell") == 1


STANDS = """[hard]
"4-11" = "H H H H H H H H H H"
"12-21" = "S S S S S S S S S S"
[soft]
"12-17" = "H H H H H H H H H H"
"18-21" = "S S S S S S S S S S"
"""


def own_edge(app: AppTest) -> str:
    return metric(app, "House edge by this chart")


def percent(value: float) -> str:
    return f"{100 * value:.4f} %"


def test_a_chart_of_ones_own_is_priced_and_kept(app: AppTest) -> None:
    app.text_area(key=CHART).set_value(STANDS).run()
    edge = chart_edge(ONE_DECK, parse_chart(STANDS))
    assert own_edge(app) == percent(edge)
    # a wrong row: the text stays, the figures are the last that could be read
    wrong = STANDS.replace("H S", "H X").replace('"4-11" = "H', '"4-11" = "X')
    app.text_area(key=CHART).set_value(wrong).run()
    assert "“hard.4-11” is X H" in app.error[0].value
    assert "last chart that could be read" in app.error[0].value
    assert app.text_area(key=CHART).value == wrong
    assert own_edge(app) == percent(edge)
    app.button(key="own-chart-undo").click().run()
    assert app.text_area(key=CHART).value == STANDS
    assert not app.error
    # another table: not priced until asked for
    app.number_input(key="rule-decks").set_value(2).run()
    assert not [m for m in app.metric if m.label == "House edge by this chart"]
    app.button(key="own-chart-price").click().run()
    two = parse_rules({"decks": 2}, ONE_DECK)
    assert own_edge(app) == percent(chart_edge(two, parse_chart(STANDS)))


def test_a_cell_of_the_chart_is_changed(app: AppTest) -> None:
    app.text_area(key=CHART).set_value(STANDS).run()
    app.selectbox(key="own-chart-row").select("hard 12").run()
    app.selectbox(key="own-chart-up").select(10).run()
    code = next(s for s in app.selectbox if str(s.key).startswith("own-chart-code"))
    assert code.value == "S"
    code.select("H").run()
    app.button(key="own-chart-change").click().run()
    hit = parse_chart(app.text_area(key=CHART).value)
    before = parse_chart(STANDS)
    assert hit.hard[12][10] == "H"
    assert {**hit.hard[12], 10: "S"} == before.hard[12]
    assert (hit.soft, hit.pairs) == (before.soft, before.pairs)
    assert own_edge(app) == percent(chart_edge(ONE_DECK, hit))
    assert chart_edge(ONE_DECK, hit) < chart_edge(ONE_DECK, before)


def test_what_is_typed_just_before_a_cell_is_changed_is_kept(app: AppTest) -> None:
    app.text_area(key=CHART).set_value(STANDS).run()
    app.selectbox(key="own-chart-row").select("hard 12").run()
    next(s for s in app.selectbox if str(s.key).startswith("own-chart-code")).select("H").run()
    # text and click reach the app together
    typed = STANDS.replace('"4-11" = "H', '"4-11" = "Dh')
    app.text_area(key=CHART).set_value(typed)
    app.button(key="own-chart-change").click().run()
    chart, before = parse_chart(app.text_area(key=CHART).value), parse_chart(typed)
    assert chart.hard == {**before.hard, 12: {**before.hard[12], 2: "H"}}
    # a text that cannot be read is not replaced by an earlier one
    next(s for s in app.selectbox if str(s.key).startswith("own-chart-code")).select("S").run()
    app.text_area(key=CHART).set_value("[hard")
    app.button(key="own-chart-change").click().run()
    assert app.text_area(key=CHART).value == "[hard"
    assert "The cell was not changed" in app.error[0].value


def test_the_address_holds_the_chart(app: AppTest) -> None:
    app.text_area(key=CHART).set_value(STANDS + "# mine").run()
    link = app.query_params["table"]
    again = AppTest.from_function(_page, default_timeout=60)
    asked.kept.clear()
    again.query_params["table"] = link[0] if isinstance(link, list) else link
    again.run()
    assert again.text_area(key=CHART).value == STANDS + "# mine"
    assert again.button(key="own-chart-price")


def test_a_link_cannot_put_a_picture_on_the_page() -> None:
    text = "![x](https://example.com/x.png)"
    app = started({CHART: f'[hard]\n"5" = "{text}"', "seen": text})
    assert len(app.error) == 2
    for error in app.error:
        assert "![x](" not in error.value
        assert r"!\[x\](https" in error.value


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff\xfe", "UTF-8"),
        (b"x" * 100_001, "at most 100,000"),
        (b"[hard", "bad TOML"),
        (b"hard = 1", "hard, soft and pairs only"),
        (b"[hart]\n", "hard, soft or pairs"),
        (b'[hard]\n"\xc2\xb2" = "H"\n', "a total from 4"),
        (b'[hard]\n"5" = "H H"\n', "ten codes"),
        (b"[hard]\n5 = [1]\n", "ten codes"),
        (b"[hard]\n5 = {x = 1}\n", "ten codes"),
    ],
)
def test_a_file_that_is_no_chart_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(ValueError, match="allowed is") as error:
        text_of_file(data)
    assert said in str(error.value)


def test_an_uploaded_chart_too_long_to_keep_loses_its_comments_only() -> None:
    assert text_of_file(STANDS.encode()) == STANDS
    long = text_of_file((STANDS + "#" + "x" * 2000 + "\n#" + "y" * 2000).encode())
    assert len(long) <= MAX_CHART
    assert parse_chart(long, "a") == parse_chart(STANDS, "a")


def test_the_exact_fraction() -> None:
    app = started({**ENTRIES, "counts": FEW})
    ui_helpers.asked(app, "main-exact")
    found = analyze(ONE_DECK, set_counts(Shoe.decks(1), FEW), exact=True)
    exact = found.exact_expected_value
    assert exact is not None
    codes = [element.value for element in app.code]
    assert str(exact) in codes
    assert decimal(exact) in codes
    error = float(Fraction(found.expected_value) - exact)
    assert any(f"{found.expected_value!r} is off by {error:+.1e}" in c.value for c in app.caption)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(-1, 3), "-0.333333333333333333333333333333"),
        (Fraction(2, 3), "0.666666666666666666666666666667"),
        (Fraction(-7, 4), "-1.750000000000000000000000000000"),
        (Fraction(1, 10**30), "0.000000000000000000000000000001"),
        (Fraction(6, 10**31), "0.000000000000000000000000000001"),
    ],
)
def test_decimals(value: Fraction, text: str) -> None:
    assert decimal(value) == text


def test_effects_of_removal_are_those_of_the_depleted_shoe(app: AppTest) -> None:
    ui_helpers.asked(app, "main-removal")
    whole = analyze(ONE_DECK)
    caption = "Effects of removal, percentage points, and tags"
    for value, name in ((5, "5"), (1, "A"), (10, "10")):
        less = analyze(ONE_DECK, Shoe.decks(1).remove_value(value))
        effect = less.expected_value - whole.expected_value
        assert cells(app, caption, name)[1] == f"{100 * effect:+.5f}".replace("-", "−")
    row = cells(app, caption, "betting correlation")
    hi_lo, one, two, three = (float(cell) for cell in row[2:])
    assert 0.9 < hi_lo <= one <= two <= three <= 1
    # by the strategy of the full shoe the effects of all cards add up to nothing
    app.radio(key="removal-played").set_value(False).run()
    ui_helpers.asked(app, "main-removal")
    names = ["2", "3", "4", "5", "6", "7", "8", "9", "A"]
    effects = [float(cells(app, caption, name)[1].replace("−", "-")) for name in names]
    ten = float(cells(app, caption, "10")[1].replace("−", "-"))
    assert 4 * sum(effects) + 16 * ten == pytest.approx(0, abs=52 * 0.5e-5)
