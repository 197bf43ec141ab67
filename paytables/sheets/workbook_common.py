"""Pages that the workbooks of a bet and of a table share: intervals, cross-check, words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from paytables.sheets.model import (
    BetSheet,
    BetSimulation,
    GameSimulation,
    Identity,
    RtpLine,
    Sheet,
    Term,
)
from paytables.sheets.workbook_style import (
    MONEY,
    NUMBER,
    PERCENT,
    PROBABILITY,
    WHOLE,
    Book,
    Column,
    Formula,
    Page,
    pieces,
)

WIDTHS = (38, 96)
"""Characters of the two columns of a page of texts."""


def rtp_page(
    book: Book,
    lines: Sequence[RtpLine],
    *,
    rtp: float,
    variance: float,
    stake: float,
    changed: str | None,
) -> None:
    """The interval of the actual RTP by rounds: the normal one live, the exact one as computed.

    Args:
        book: The workbook, with the names ``return_to_player``, ``standard_deviation``, ``stake``.
        lines: The intervals.
        rtp: The value of the first name.
        variance: The square of the value of the second.
        stake: The value of the third.
        changed: The name of the cell that says whether inputs were changed, if there are any.
    """
    if not lines:
        return
    page = book.page("RTP of N rounds")
    exact = (
        "The exact interval is that of the distribution of the total, for the pays of this sheet"
    )
    page.title(
        "Actual RTP of N rounds",
        "Rounds are independent, each from a full shoe. Normal interval: RTP ± z x standard "
        "deviation / (stake x √N).",
        "It is called valid where its error is estimated to be at most 0.5 % in probability at "
        "each end.",
        *([f"{exact}; it turns grey when inputs are changed."] if changed else []),
    )
    columns = [
        Column("Rounds N", WHOLE, 14),
        Column("Confidence", "0.0#%", 12),
        Column("Normal, low", PERCENT, 13),
        Column("Normal, high", PERCENT, 13),
        Column("Normal one valid", width=12),
        Column("Its estimated error", "0.000000", 13),
        Column("Exact, low", PERCENT, 13),
        Column("Exact, high", PERCENT, 13),
        Column("How the exact one was worked out", width=46),
    ]
    page.widths([column.width for column in columns])
    page.header(columns, freeze=True)
    first = page.row
    for line in lines:
        rounds, level = page.here(page.row, 0), page.here(page.row, 1)
        half = NormalDist().inv_cdf(0.5 + line.confidence / 2) * math.sqrt(variance / line.rounds)
        band = f"NORMSINV(0.5+{level}/2)*standard_deviation/(stake*SQRT({rounds}))"
        valid = {True: "yes", False: "no", None: "not known"}[line.normal_valid]
        page.line(
            [
                line.rounds,
                line.confidence,
                Formula(f"return_to_player-{band}", rtp - half / stake),
                Formula(f"return_to_player+{band}", rtp + half / stake),
                valid,
                line.normal_error,
                line.low,
                line.high,
                line.method,
            ],
            columns,
        )
    if changed:
        page.grey_if(first, 4, page.row - 1, 8, changed)


def cross_check_page(book: Book, found: BetSimulation | GameSimulation | None) -> None:
    """The simulated cross-check."""
    if found is None:
        return
    page = book.page("Cross-check")
    page.widths([46, 16, 16, 16, 16, 16, 16, 12, 12])
    page.title("Independent cross-check: a simulation")
    for text in (found.method, f"Random numbers: {found.generator}, seed {found.seed}."):
        page.paragraph(text, 6, 125)
    page.row += 1
    if isinstance(found, GameSimulation):
        _game_check(page, found)
    else:
        _bet_check(page, found)


def _bet_check(page: Page, found: BetSimulation) -> None:
    columns = [
        Column("Tier"),
        Column("Probability", PROBABILITY),
        Column("Expected rounds", MONEY),
        Column("Least that is not unusual (0.5 %)", WHOLE),
        Column("Greatest that is not unusual (99.5 %)", WHOLE),
        Column("Observed rounds", WHOLE),
        Column("Observed frequency", PROBABILITY),
        Column("z", "0.00"),
        Column("Inside"),
    ]
    page.header(columns)
    rounds = page.here(page.row + len(found.lines) + 2, 1, fixed=True)
    for line in found.lines:
        chance, observed = page.here(page.row, 1), page.here(page.row, 5)
        expected = float(line.probability.value * found.rounds)
        page.line(
            [
                line.title,
                float(line.probability.value),
                Formula(f"{chance}*{rounds}", expected),
                line.low,
                line.high,
                line.observed,
                Formula(f"{observed}/{rounds}", line.observed / found.rounds),
                line.z,
                "OK" if line.inside else "outside",
            ],
            columns,
        )
        page.flag(page.row - 1, 8, "OK")
    page.row += 1
    page.heading("The whole of it")
    page.pairs(
        [
            ("Rounds in which the bet could be made", found.rounds, WHOLE),
            ("Rounds dealt", found.dealt, WHOLE),
            ("Chi-square over the outcomes", found.chi_square, NUMBER),
            ("Degrees of freedom", found.degrees_of_freedom, WHOLE),
            ("Probability of as large a chi-square by chance", found.p_value, NUMBER),
            ("Largest |z| of the lines", found.largest_z, NUMBER),
            ("Observed house edge, pays of this sheet", found.edge, PERCENT),
            ("Its standard error", found.edge_standard_error, PERCENT),
            ("(observed - exact) / standard error", found.edge_z, NUMBER),
        ]
    )


def _game_check(page: Page, found: GameSimulation) -> None:
    form = "0.00000000"
    columns = [
        Column("Figure"),
        Column("As analysed", form),
        Column("As simulated", form),
        Column("Its standard error", form),
        Column("99 % interval, low", form),
        Column("99 % interval, high", form),
        Column("z", "0.00"),
        Column("Inside"),
    ]
    page.pairs([("Rounds", found.rounds, WHOLE), ("Largest |z|", found.largest_z, "0.00")])
    page.row += 1
    page.header(columns)
    for line in found.lines:
        page.line(
            [
                line.name,
                line.expected,
                line.observed,
                line.standard_error,
                line.low,
                line.high,
                line.z,
                "OK" if line.inside else "outside",
            ],
            columns,
        )
        page.flag(page.row - 1, 7, "OK")


def identity_rows(identity: Identity) -> list[tuple[str, str]]:
    """Names and values of what the sheet was made from."""
    return [
        ("Name", identity.name),
        ("Variant", identity.variant),
        ("Version of the design", identity.version),
        ("Date of the sheet", identity.date),
        ("Software", identity.software),
        ("SHA-256 of the inputs", identity.inputs_sha256),
        ("Command that makes it again", identity.command),
        ("Source", identity.source),
    ]


def rules_page(book: Book, sheet: BetSheet) -> None:
    """The rules of a bet in words."""
    rules = sheet.rules
    page = book.page("Rules")
    page.widths(WIDTHS)
    page.title(f"{sheet.identity.title}: rules")
    missed = "units; no tier on it is hit with probability"
    page.texts(
        [
            ("Rule", rules.rule),
            ("Cards", rules.cards),
            ("Deal", "\n".join(f"{i}. {step}" for i, step in enumerate(rules.deal, start=1))),
            ("Precedence of tiers", rules.precedence),
            ("Payment", rules.payment),
            ("Pushes", rules.pushes),
            ("Strategy assumed", rules.strategy),
            ("Condition", rules.condition),
            ("Pack", rules.pack),
            ("Shoe", rules.shoe),
            ("Shuffle", rules.shuffle),
            *(
                (f"Wager: {w.name}", f"{w.stake.fraction} {missed} {w.missed.fraction}")
                for w in rules.wagers
            ),
            *(("Note", note) for note in rules.notes),
            *(("Warning", warning) for warning in sheet.warnings),
        ],
        WIDTHS[1],
    )


def words_page(
    book: Book,
    sheet: Sheet,
    *,
    conditions: Sequence[tuple[str, str]] = (),
    glossary: Sequence[Term] = (),
    bet_file: str = "",
) -> None:
    """What the words mean, how figures are rounded, and the inputs in full.

    Args:
        book: The workbook.
        sheet: The sheet.
        conditions: Tiers and their conditions.
        glossary: The words of the conditions.
        bet_file: The bet as a file.
    """
    page = book.page("Definitions")
    page.widths(WIDTHS)
    page.title("Definitions")
    page.texts([(term.written, term.meaning) for term in sheet.definitions], WIDTHS[1])
    for title, rows in (
        ("Conditions of the tiers", list(conditions)),
        ("Words of the conditions", [(term.written, term.meaning) for term in glossary]),
        ("Rounding", [("", text) for text in sheet.rounding.text]),
        ("Inputs", _long("Canonical inputs, hashed in UTF-8", sheet.identity.inputs)),
        ("The bet as a file", _long("TOML", bet_file)),
    ):
        if rows:
            page.row += 1
            page.heading(title)
            page.texts(rows, WIDTHS[1])


def _long(name: str, text: str) -> list[tuple[str, str]]:
    """A text that may be longer than a cell takes, in rows."""
    return [
        (name if number == 0 else "(goes on, without a break)", piece)
        for number, piece in enumerate(pieces(text))
    ]
