"""The PAR sheet of the main game, built from a table; the same inputs give the same sheet."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

from odds.errors import InputError
from odds.game import GameOdds, analyze
from odds.outcomes import round_outcomes
from odds.rules import Rules, parse_fraction
from odds.shoe import Shoe
from odds.simulate import simulate
from odds.strategy import check_regime
from paytables.presets import TablePreset, load_preset, preset_names
from paytables.readings import ReadingResult, price_readings
from paytables.rule_effects import RuleEffects, rule_effects
from paytables.rule_fields import rule_fields, show_rules, summarize_rules
from paytables.sheets import game_words
from paytables.sheets.cross_check import Z
from paytables.sheets.game_parts import (
    chart_section,
    exposure_section,
    interval_lines,
    simulation_section,
    spread_section,
    upcard_lines,
)
from paytables.sheets.identity import (
    checked_date,
    checked_version,
    command_of,
    identity_of,
    rounding_policy,
    shoe_option,
)
from paytables.sheets.model import (
    AssumptionLine,
    EffectLine,
    ExactNumber,
    GameFigures,
    GameRules,
    GameSheet,
    Identity,
    ReadingLine,
    Term,
)

Progress: TypeAlias = Callable[[float, str], None]

ROUNDS = 4_000_000
SEED = 1
MAXIMUM_BET = Fraction(100)
SEATS = 7
EXACTNESS = (
    "Card counts, rules and pays are exact; probabilities and values are float64, with an error "
    "below 1e-12."
)

exact_number = ExactNumber.of


def game_sheet(
    table: TablePreset | Rules | str,
    rules: Rules | None = None,
    *,
    date: str | date,
    shoe: Shoe | None = None,
    version: str = "1",
    strategy: str = "CDZ-",
    max_bet: Fraction | int | str = MAXIMUM_BET,
    seats: int = SEATS,
    rounds: int = ROUNDS,
    seed: int = SEED,
    effects: bool = True,
    exact: bool = False,
    progress: Progress | None = None,
) -> GameSheet:
    """The PAR sheet of the main game; half a minute or more with resplits and all rule effects.

    Args:
        table: A preset, its name, or rules of one's own.
        rules: Other rules than the preset's.
        date: The date of the sheet.
        shoe: What is dealt from instead of full decks; no effects of rules are given then.
        version: The version of the design.
        strategy: The regime, a key of `odds.strategy.REGIMES`.
        max_bet: The largest initial bet, in currency.
        seats: How many can bet, for the exposure.
        rounds: Rounds of the simulated cross-check; 0 leaves it out.
        seed: Its seed.
        effects: Whether to work out what every single rule change does.
        exact: Whether to work out the expected value as a fraction as well.
        progress: Called with (fraction done, what); raising cancels.

    Raises:
        InputError: A value is out of range; see also `odds.game.analyze`.

    Example:
        >>> one = Rules(decks=1, max_split_hands=2)
        >>> sheet = game_sheet(one, date="2026-11-30", rounds=20_000, effects=False)
        >>> sheet.figures.regime, len(sheet.chart.grids)
        ('CDZ-', 3)
    """
    report = progress or (lambda done, what: None)
    day, design, regime = checked_date(date), checked_version(version), check_regime(strategy)
    if isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 0 or rounds == 1:
        raise InputError("rounds", rounds, "a whole number, 0 for no simulation")
    preset = _preset_of(table)
    played = preset.rules if rules is None else rules
    bet = parse_fraction("max_bet", max_bet)
    exposed = exposure_section(played, bet, seats)

    def part(start: float, end: float) -> Progress:
        return lambda done, what: report(start + (end - start) * done, what)

    odds = analyze(played, shoe, regime, part(0.0, 0.05), exact=exact)
    spread = round_outcomes(odds, part(0.05, 0.3))
    seen = simulate(odds, rounds, seed, progress=part(0.3, 0.4)) if rounds else None
    readings = price_readings(preset, played, shoe, regime, part(0.4, 0.6))
    changes = None
    if effects and shoe is None:
        changes = rule_effects(played, regime, progress=part(0.6, 1.0))
    options: dict[str, object] = {
        "shoe": None if shoe is None else list(shoe.counts),
        "strategy": regime,
        "maximum_bet": str(bet),
        "seats": seats,
        "rounds": rounds,
        "seed": seed,
        "effects": effects,
        "exact": exact,
        "date": day,
        "version": design,
    }
    sheet = GameSheet(
        identity=_identity(preset, played, shoe, options),
        rules=_rules(preset, odds, readings),
        figures=_figures(odds),
        spread=spread_section(spread),
        rtp_intervals=interval_lines(odds, spread, seen),
        exposure=exposed,
        upcards=upcard_lines(odds),
        chart=chart_section(odds),
        effects=() if changes is None else _effects(changes),
        impossible=() if changes is None else changes.impossible,
        simulation=None if seen is None else simulation_section(odds, spread, seen),
        definitions=tuple(
            Term(written=word, meaning=meaning)
            for word, meaning in (*game_words.DEFINITIONS, *([] if seen is None else [Z]))
        ),
        rounding=rounding_policy(
            "Figures of the main game are kept with 12 decimals: their error is below that."
        ),
    )
    report(1.0, "done")
    return sheet


def _preset_of(table: TablePreset | Rules | str) -> TablePreset:
    if isinstance(table, Rules):
        return TablePreset("", "Blackjack", "", "", table, (), ())
    return load_preset(table) if isinstance(table, str) else table


def _identity(
    preset: TablePreset, rules: Rules, shoe: Shoe | None, options: dict[str, object]
) -> Identity:
    shown = show_rules(rules)
    inputs = {
        "title": preset.title,
        "source": preset.source,
        "rules": shown,
        "notes": list(preset.notes),
        "assumptions": [a.model_dump(mode="json") for a in preset.assumptions],
        **options,
    }
    changed = rules != preset.rules
    return identity_of(
        name=preset.title if preset.name else f"Blackjack: {rules}",
        variant="changed rules" if changed else "",
        version=str(options["version"]),
        day=str(options["date"]),
        inputs=inputs,
        command=_command(preset, rules, shoe, options),
        source=preset.source,
    )


def _command(
    preset: TablePreset, rules: Rules, shoe: Shoe | None, options: dict[str, object]
) -> str:
    """The command that makes the sheet again.

    Empty for rules without a preset, and for a shoe that cannot be given by ranks.
    """
    text = None if shoe is None else shoe_option(shoe)
    if not preset.name or (shoe is not None and text is None):
        return ""
    packaged = preset.name in preset_names()
    words = [preset.name, "--game"] if packaged else ["--file", Path(preset.name).name]
    for field in rule_fields():
        value = getattr(rules, field.name)
        if value == getattr(preset.rules, field.name):
            continue
        flag = field.name.replace("_", "-")
        if field.name == "hit_soft_17":
            words.append("--h17" if value else "--s17")
        elif field.kind == "flag":
            words.append(f"--{flag}" if value else f"--no-{flag}")
        else:
            words += [f"--{flag}", field.show(value)]
    words += [] if options["effects"] else ["--no-effects"]
    words += ["--exact"] if options["exact"] else []
    return command_of(
        words,
        {
            "shoe": text,
            "strategy": options["strategy"],
            "max-bet": options["maximum_bet"],
            "seats": options["seats"],
            "rounds": options["rounds"],
            "seed": options["seed"],
            "version": options["version"],
            "date": options["date"],
            "output": "sheet.pdf",
        },
    )


def _rules(preset: TablePreset, odds: GameOdds, readings: list[ReadingResult]) -> GameRules:
    rules = odds.rules
    full = odds.shoe.full_decks
    assumptions = []
    for assumption in preset.assumptions:
        own = [result for result in readings if result.assumption is assumption]
        assumptions.append(
            AssumptionLine(
                topic=assumption.topic,
                gap=assumption.gap,
                reading=assumption.reading,
                remark=assumption.remark,
                alternatives=tuple(
                    ReadingLine(
                        reading=result.reading.reading,
                        change=game_words.change_in_words(result.reading.change),
                        house_edge=result.house_edge,
                        difference=None
                        if result.house_edge is None
                        else result.house_edge - odds.house_edge,
                        problem=result.problem or "",
                    )
                    for result in own
                ),
            )
        )
    return GameRules(
        summary=tuple(summarize_rules(rules)),
        lines=game_words.rule_lines(rules),
        order=game_words.order_of_a_round(rules),
        settled=game_words.SETTLED,
        shuffle=game_words.SHUFFLE,
        shoe=f"{odds.shoe}, {odds.shoe.size} cards" if full else str(odds.shoe),
        decks=full,
        notes=preset.notes,
        assumptions=tuple(assumptions),
    )


def _figures(odds: GameOdds) -> GameFigures:
    insurance = None
    if odds.rules.insurance and odds.shoe.by_value[0]:
        tens = Fraction(odds.shoe.by_value[9], odds.shoe.size - 1)
        insurance = exact_number(1 - 3 * tens)
    value = odds.exact_expected_value
    return GameFigures(
        house_edge=odds.house_edge,
        rtp=1 - odds.house_edge,
        expected_value=odds.expected_value,
        element_of_risk=odds.element_of_risk,
        average_action=odds.average_action,
        exact_expected_value=None if value is None else exact_number(value),
        regime=odds.regime,
        regime_definition=odds.regime_text,
        exactness=EXACTNESS,
        insurance_edge=insurance,
    )


def _effects(changes: RuleEffects) -> tuple[EffectLine, ...]:
    return tuple(
        EffectLine(
            rule=effect.rule,
            label=effect.label,
            change=game_words.change_in_words(effect.change),
            house_edge=effect.house_edge,
            difference=effect.difference,
        )
        for effect in changes.effects
    )
