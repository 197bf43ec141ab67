from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from odds.errors import InputError
from odds.rules import Rules
from odds.shoe import Shoe
from paytables import cli
from paytables.chart_style import CODE_STYLES
from paytables.presets import Reading, load_preset
from paytables.readings import edge_of, price_readings
from paytables.rule_fields import parse_rules, rule_fields
from paytables.shoe_text import parse_shoe, remove_seen

# Expected values of an independent combinatorial analyzer (Eric Farmer's, version 7.6, in double
# precision) for the presets with one or two rules changed to a game that it can play.
PUBLISHED = [
    ("greektown --split-ace-ten 21", -0.004028702361154149, 1e-12),
    ("sweet16 --decks 6 --strategy CDP1", -0.003842824465524062, 1e-12),
    ("six-deck-h17 --peek ace_ten --surrender late", -0.005806347172081578, 1e-12),
    ("six-deck-h17 --surrender none --strategy CDP1", -0.007790365999495216, 1e-12),
    # Wizard of Odds, blackjack appendix 9: six decks, H17, no peek, DAS
    ("super-sevens --h17", -0.0072705, 1e-5),
    ("super-sevens --h17 --no-double-after-split", -0.0086975, 1e-5),
]


def run(arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exit_info:
        cli.main(arguments.split())
    out, err = capsys.readouterr()
    assert isinstance(exit_info.value.code, int)
    return exit_info.value.code, out, err


@pytest.fixture
def paytables(capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    """Run the command, expect success and silence on stderr, return what it printed."""

    def command(arguments: str) -> str:
        code, out, err = run(arguments, capsys)
        assert (code, err) == (0, "")
        return out

    return command


@pytest.mark.parametrize(("arguments", "expected", "tolerance"), PUBLISHED)
def test_published_expected_values(
    paytables: Callable[[str], str], arguments: str, expected: float, tolerance: float
) -> None:
    found = json.loads(paytables(f"game {arguments} --json"))
    assert found["expected_value"] == pytest.approx(expected, abs=tolerance)
    assert found["house_edge"] == -found["expected_value"]


def test_text_report_holds_the_figures(paytables: Callable[[str], str]) -> None:
    out = paytables("game greektown --split-ace-ten 21")
    assert re.search(r"House edge\s+0\.402870 %", out)
    assert re.search(r"Expected value\s+-0\.004028702361", out)
    assert "Strategy CDZ-: composition-dependent" in out
    assert "error below 1e-12" in " ".join(out.split())
    for heading in ("By upcard", "Hard totals", "Soft totals", "Pairs", "double, else hit"):
        assert heading in out
    # the dealer busts 42.29 % with a 6 up on S17 shoes of many decks, to the digits printed
    assert re.search(r"^ 6 .* 42\.28\s*$", out, re.MULTILINE)


def test_chart_of_the_benchmark_game(paytables: Callable[[str], str]) -> None:
    # Basic strategy for 4 to 8 decks, S17, DAS, no surrender, as every strategy card prints it.
    out = paytables("game greektown --split-ace-ten 21")
    rows = {}
    for line in out[out.index("Hard totals") :].splitlines():
        label, *cells = line.replace("*", "").split() or [""]
        if len(cells) == 10:
            rows[label] = " ".join(cells)
    assert rows["16"] == "S S S S S H H H H H"
    assert rows["12"] == "H H S S S H H H H H"
    assert rows["11"] == "Dh Dh Dh Dh Dh Dh Dh Dh Dh H"
    assert rows["10"] == "Dh Dh Dh Dh Dh Dh Dh Dh H H"
    assert rows["9"] == "H Dh Dh Dh Dh H H H H H"
    assert rows["A,7"] == "S Ds Ds Ds Ds S S H H H"
    assert rows["A,6"] == "H Dh Dh Dh Dh H H H H H"
    assert rows["9,9"] == "P P P P P S P P S S"
    assert rows["8,8"] == "P P P P P P P P P P"
    assert rows["4,4"] == "H H H P P H H H H H"
    assert rows["10,10"] == "S S S S S S S S S S"


def test_chart_is_in_colour_on_a_terminal(
    paytables: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\x1b[" not in paytables("game greektown")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLORTERM", "truecolor")
    out = paytables("game greektown")
    for code in ("H", "S", "Dh", "Ds", "P"):
        look = CODE_STYLES[code].background
        red, green, blue = (int(look[i : i + 2], 16) for i in (1, 3, 5))
        # 48;2 sets a background of 24-bit colour; the code follows in the same cell
        assert re.search(rf"\x1b\[[\d;]*48;2;{red};{green};{blue}m\s*{code}\s", out)


def test_hand_shows_every_action_and_what_the_second_best_costs(
    paytables: Callable[[str], str],
) -> None:
    # six decks, S17, DAS, to four hands: the independent analyzer's values of 8,8 against a ten
    found = json.loads(
        paytables("game greektown --split-ace-ten 21 --hand 8,8 --up T --json"),
    )["hand"]
    assert found["conditional"] is True
    assert found["best"] == "split"
    assert found["second_best"] == "hit"
    values = {"stand": -0.5368532988, "hit": -0.5353610377, "double": -1.0707220766}
    for action, value in values.items():
        assert found["values"][action] == pytest.approx(value, abs=1e-9)
    cost = found["values"]["split"] - found["values"]["hit"]
    assert found["cost_of_second_best"] == pytest.approx(cost, abs=1e-15)
    out = paytables("game greektown --split-ace-ten 21 --hand 8,8 --up T")
    assert "8,8 against 10" in out
    assert "given no" in out
    assert "Best is to split." in out


def test_hand_against_an_ace_shows_insurance_and_even_money(
    paytables: Callable[[str], str],
) -> None:
    # 94 or 95 of the 309 cards left are tens: insurance is worth 3 * 95 / 309 - 1
    out = paytables("game sweet16 --decks 6 --hand A,T --up A")
    assert f"Insurance returns {3 * 95 / 309 - 1:+.6f}" in out
    # waiting pays 3/2 unless the dealer has blackjack: even money gains 1 - 3/2 (1 - 95/309)
    assert f"Even money against waiting: {1 - 1.5 * (1 - 95 / 309):+.6f}" in out


def test_hand_without_peek_is_unconditional(paytables: Callable[[str], str]) -> None:
    out = paytables("game six-deck-h17 --hand T,6 --up A")
    assert "given no" not in out
    assert "not peeked for" in out
    assert "surrender" in out


def test_readings_in_text_and_json(paytables: Callable[[str], str]) -> None:
    out = paytables("game six-deck-h17 --assumptions")
    assert "● No peek" in " ".join(out.split())
    found = json.loads(paytables("game six-deck-h17 --assumptions --json"))
    edges = {reading["reading"]: reading["house_edge"] for reading in found["readings"]}
    limits = [edge for name, edge in edges.items() if name in ("No limit",) or "13 cards" in name]
    # the text's 12 or 13 cards: no difference that float64 could show
    assert limits == [pytest.approx(found["house_edge"], abs=1e-12)] * 2
    # peeking first, late surrender: the independent analyzer's figure (tens are never split)
    late = next(edge for name, edge in edges.items() if "too late" in name)
    assert late == pytest.approx(0.005806347172081578, abs=1e-12)


def test_peeking_is_the_same_as_taking_the_original_bet_only() -> None:
    # Under OBO a dealer blackjack costs one unit whatever was done, as if it had been seen.
    preset = load_preset("six-deck-h17")
    results = price_readings(preset, preset.rules)
    edge = {result.reading.reading: result.house_edge for result in results}
    peeked = edge["A peek under ace and ten, with surrender taken before it"]
    assert edge["The original bet only"] == pytest.approx(peeked, abs=1e-12)


@pytest.mark.parametrize(
    "change",
    [
        {"dealer_blackjack_takes": "original"},
        {"peek": "ace_ten"},
        {"max_split_hands_aces": 4},
        {"hit_split_aces": True},
        {"split_ace_ten": "beats_21"},
        {"surrender": "late"},
        {"surrender": "early_not_ace"},
        {"surrender": "early"},
    ],
)
def test_more_for_the_player_lowers_the_edge(change: dict[str, str | int | bool]) -> None:
    rules = load_preset("super-sevens").rules
    kinder = Reading(reading="kinder", change=change).apply(rules)
    assert edge_of(kinder, None, "CDZ-") < edge_of(rules, None, "CDZ-") - 1e-6


def test_what_a_dealer_blackjack_takes_is_in_order() -> None:
    # Busted bets plus one takes what the original bet is, and further bets on busted hands.
    rules = parse_rules({"max_split_hands": "2"}, load_preset("super-sevens").rules)
    original, busted, everything = (
        edge_of(parse_rules({"dealer_blackjack_takes": takes}, rules), None, "CDZ-")
        for takes in ("original", "busted_plus_one", "all")
    )
    assert original + 1e-6 < busted < everything - 1e-6


def test_a_reading_that_contradicts_a_changed_rule_says_so() -> None:
    preset = load_preset("six-deck-h17")
    rules = parse_rules({"dealer_blackjack_takes": "original"}, preset.rules)
    found = price_readings(preset, rules, edge=lambda *_: 0.01)
    peeked = next(result for result in found if "taken before it" in result.reading.reading)
    assert (peeked.rules, peeked.house_edge) == (None, None)
    assert peeked.problem == "contradicts dealer_blackjack_takes"
    assert sum(result.house_edge is None for result in found) == 2


def test_readings_about_decks_mean_nothing_for_a_given_shoe() -> None:
    preset = load_preset("greektown")
    found = price_readings(preset, preset.rules, Shoe.decks(3), edge=lambda *_: 0.01)
    left_out = [result for result in found if result.house_edge is None]
    assert [result.reading.change for result in left_out] == [{"decks": n} for n in (2, 4, 8)]


def test_progress_of_readings_goes_from_0_to_1_and_can_cancel() -> None:
    preset = load_preset("greektown")
    seen: list[float] = []
    price_readings(
        preset, preset.rules, progress=lambda done, _: seen.append(done), edge=lambda *_: 0.01
    )
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0.0, 1.0)

    def stop(done: float, what: str) -> None:
        if done > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        price_readings(preset, preset.rules, progress=stop, edge=lambda *_: 0.01)


def test_shoe_options_agree_with_each_other(paytables: Callable[[str], str]) -> None:
    fresh = json.loads(paytables("game sweet16 --decks 1 --json"))
    spelled = "A=4,2=4,3=4,4=4,5=4,6=4,7=4,8=4,9=4,T=16"
    custom = json.loads(paytables(f"game sweet16 --shoe {spelled} --json"))
    assert custom["expected_value"] == fresh["expected_value"]
    seen = json.loads(paytables("game sweet16 --decks 1 --seen A,10 --json"))
    less = "A=3,2=4,3=4,4=4,5=4,6=4,7=4,8=4,9=4,T=15"
    custom = json.loads(paytables(f"game sweet16 --shoe {less} --json"))
    assert seen["expected_value"] == custom["expected_value"]


def test_parse_shoe_by_rank() -> None:
    shoe = parse_shoe("A=1, 10=2 J=3, Q:0")
    assert shoe.by_rank == (1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 0, 0)
    assert parse_shoe("T=9").by_value == (0,) * 9 + (9,)


@pytest.mark.parametrize("text", ["", "A", "A=", "A=4,A=4", "B=3", "11=4", "A=1;2=3"])
def test_bad_shoe(text: str) -> None:
    with pytest.raises(InputError):
        parse_shoe(text)


@pytest.mark.parametrize("text", ["", "A,", "X", "10,AA", "2,2,2,2,2"])
def test_bad_seen_cards(text: str) -> None:
    with pytest.raises(InputError):
        remove_seen(Shoe.decks(1), text)


def test_every_rule_has_an_option(paytables: Callable[[str], str]) -> None:
    out = paytables("game --help")
    for field in rule_fields():
        option = "--h17" if field.name == "hit_soft_17" else f"--{field.name.replace('_', '-')}"
        # long names are cut where two of them share a line of 80 columns
        assert option[:12] in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("game sweet61", "nearest is 'sweet16'"),
        ("game", "PRESET"),
        ("gamble", "gamble"),
        ("game sweet16 --wild", "--wild"),
        ("game sweet16 --decks 0", "decks = 0: allowed is a whole number from 1 to 12"),
        ("game sweet16 --decks six", "decks = 'six'"),
        ("game sweet16 --peek maybe", "one of ace_ten, ace, none"),
        ("game sweet16 --blackjack-pays 3/0", "blackjack_pays"),
        ("game sweet16 --double-on 30", "double_on"),
        ("game sweet16 --dealer-blackjack-takes original", "dealer_blackjack_takes"),
        ("game sweet16 --max-split-hands-aces 4", "at most max_split_hands, which is 2"),
        ("game sweet16 --strategy best", "one of CDZ-, CDP1, CDP"),
        ("game sweet16 --hand 8,8", "up = None: allowed is given together with --hand"),
        ("game sweet16 --up T", "hand"),
        ("game sweet16 --hand 8,Z --up T", "card value"),
        ("game sweet16 --hand T,T,5 --up T", "at most 21"),
        ("game sweet16 --decks 1 --hand 3,3,3,3,3 --up T", "cards in the shoe"),
        ("game sweet16 --shoe A=-1", "0 or more"),
        ("game sweet16 --shoe A=3 --decks 2", "--shoe"),
        ("game sweet16 --shoe A=1", "shoe"),
        ("game sweet16 --seen A,Z", "seen"),
        ("game none.toml", "readable file"),
        ("rules sweet61", "nearest is 'sweet16'"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(arguments, capsys)
    assert (code, out) == (2, "")
    assert err.startswith("paytables: ")
    assert err.count("\n") == 1
    assert message in err


def test_own_preset_file(paytables: Callable[[str], str], tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('title = "Mine"\nsource = "house"\n[rules]\ndecks = 2\n', encoding="utf-8")
    found = json.loads(paytables(f"game {path} --json"))
    assert found["rules"] == Rules(decks=2).differences()


def test_rules_lists_presets_and_fields(paytables: Callable[[str], str]) -> None:
    out = paytables("rules")
    assert all(field.name in out for field in rule_fields())
    assert all(name in out for name in ("sweet16", "super-sevens", "greektown", "six-deck-h17"))
    listed = json.loads(paytables("rules --json"))
    assert set(listed["rules"]) == {field.name for field in rule_fields()}


def test_rules_of_a_preset(paytables: Callable[[str], str]) -> None:
    out = paytables("rules greektown")
    assert "greektown_rules.txt" in out
    assert "Resplitting aces" in out
    found = json.loads(paytables("rules greektown --json"))
    assert found["rules"]["max_split_hands"] == "4"
    assert len(found["assumptions"]) == len(load_preset("greektown").assumptions)


def test_no_arguments_show_the_help(paytables: Callable[[str], str]) -> None:
    assert "game" in paytables("")


def test_the_command_as_a_process() -> None:
    code = "from paytables.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "game", "nowhere"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
