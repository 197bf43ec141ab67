"""The document model: `BetSheet` for a side bet, `GameSheet` for the main game.

Fields have names, not cells, so that JSON and its schema come from here and every writer shows the
same figures.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import Field, TypeAdapter

from paytables.sheets.bet_model import (
    BetRules,
    BetSheet,
    BetSimulation,
    BetTotals,
    DecksLine,
    MeterLine,
    MeterSection,
    OutcomeCount,
    OutcomeLine,
    Rest,
    SensitivityLine,
    SimulatedLine,
    TierLine,
    Wager,
)
from paytables.sheets.figures import (
    DIGITS,
    SCHEMA_VERSION,
    Analysed,
    Cap,
    ExactNumber,
    Exposure,
    Identity,
    Rounded,
    RoundingPolicy,
    RtpLine,
    SheetModel,
    Term,
    TierExposure,
    round_number,
)
from paytables.sheets.game_model import (
    AssumptionLine,
    ChartException,
    ChartGrid,
    ChartLine,
    EffectLine,
    GameFigures,
    GameRules,
    GameSheet,
    GameSimulation,
    NetLine,
    ReadingLine,
    RuleLine,
    SimulatedFigure,
    Spread,
    StrategyChart,
    UpcardLine,
)

Sheet: TypeAlias = BetSheet | GameSheet
SHEET: TypeAdapter[Sheet] = TypeAdapter(Annotated[Sheet, Field(discriminator="kind")])
"""Reads a sheet of either kind back: ``SHEET.validate_json(text)``."""

__all__ = [
    "DIGITS",
    "SCHEMA_VERSION",
    "SHEET",
    "Analysed",
    "AssumptionLine",
    "BetRules",
    "BetSheet",
    "BetSimulation",
    "BetTotals",
    "Cap",
    "ChartException",
    "ChartGrid",
    "ChartLine",
    "DecksLine",
    "EffectLine",
    "ExactNumber",
    "Exposure",
    "GameFigures",
    "GameRules",
    "GameSheet",
    "GameSimulation",
    "Identity",
    "MeterLine",
    "MeterSection",
    "NetLine",
    "OutcomeCount",
    "OutcomeLine",
    "ReadingLine",
    "Rest",
    "Rounded",
    "RoundingPolicy",
    "RtpLine",
    "RuleLine",
    "SensitivityLine",
    "Sheet",
    "SheetModel",
    "SimulatedFigure",
    "SimulatedLine",
    "Spread",
    "StrategyChart",
    "Term",
    "TierExposure",
    "TierLine",
    "UpcardLine",
    "Wager",
    "round_number",
]
