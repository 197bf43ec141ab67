"""How a round swings: deviation, distribution, how often what happens, and many rounds."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

import altair as alt
import streamlit as st

from odds.covariance import TableSpread
from odds.outcomes import RoundOutcomes
from odds.round_cards import RoundCards
from paytables.chart_style import percent
from paytables.ui import bet_tables, computations
from paytables.ui.asked import computed
from paytables.ui.bet_charts import GAIN, LOSS
from paytables.ui.table_form import TableChoice, explain

_PUSH = "#8a938f"
_MANY = (100, 1_000, 10_000, 100_000, 1_000_000)
_Z = NormalDist().inv_cdf(0.975)


def swings(choice: TableChoice) -> None:
    """Draw the tab."""
    st.markdown(
        "How far the net result of a round lies from its expected value, and how often what "
        "happens, when every hand is played by the strategy of this page."
    )
    _one_seat(choice)
    _seats(choice)


def _one_seat(choice: TableChoice) -> None:
    spread: computations.Spread | None = computed(
        "main-spread",
        "Compute the spread",
        "Spread of a round",
        computations.spread_of,
        choice.rules,
        choice.shoe,
        choice.strategy,
        explain=explain,
    )
    if spread is None:
        return
    found = spread.outcomes
    _figures(found)
    left, right = st.columns(2, gap="medium")
    if found.distribution is None:
        left.info(
            "The distribution is known where a pair becomes two hands at most: beyond, it needs "
            "the joint law of all hands of a split. The deviation above is exact for any number.",
            icon=":material/info:",
        )
    else:
        with left:
            _chart(found.distribution)
        left.html(_distribution(found, found.distribution))
    right.html(_happens(found, spread.cards))
    right.html(_many_rounds(found))
    st.caption(
        "Units of the initial bet, dealer blackjacks included, insurance not. The dealer draws "
        "only where a hand depends on it. Float64 with an error below 1e-12; only the intervals "
        "of many rounds are approximate: they take the total "
        "as normal and each round as dealt from a full shoe."
    )


def _seats(choice: TableChoice) -> None:
    st.markdown("**Several seats at the table**: they share the dealer, so they win together.")
    found: TableSpread | None = computed(
        "main-seats",
        "Compute the covariance of two seats",
        "Covariance of two seats",
        computations.seats_of,
        choice.rules,
        choice.shoe,
        choice.strategy,
        explain=explain,
    )
    if found is None:
        return
    rows = [
        (
            f"{seats}",
            f"{found.table_standard_deviation(seats):.6f}",
            f"{found.table_standard_deviation(seats) / seats:.6f}",
            f"{sqrt(seats * found.variance):.6f}",
        )
        for seats in range(1, 8)
    ]
    left, right = st.columns(2, gap="medium")
    with left, st.container(horizontal=True, gap="small"):
        st.metric(
            "Covariance of two seats",
            f"{found.covariance:.6f}",
            border=True,
            help=f"Of the net results of two seats in one round: {found.covariance!r}",
        )
        st.metric(
            "Correlation",
            f"{found.correlation:.6f}",
            border=True,
            help="The covariance by the variance of one seat.",
        )
    left.caption(
        "One unit a seat, every seat plays by the strategy of this page on its own cards only. The "
        "variance of n seats is n Var + n (n − 1) Cov. Float64, error below 1e-12."
    )
    right.html(
        bet_tables.rows_table(
            "Standard deviation of a round of the table, units",
            ("seats", "of all seats together", "per unit bet", "if seats were independent"),
            rows,
        )
    )


def _figures(found: RoundOutcomes) -> None:
    chances = [("Win", 1), ("Push", 0), ("Loss", -1)]
    with st.container(horizontal=True, gap="small", key="swing-figures"):
        st.metric(
            "Standard deviation",
            f"{found.standard_deviation:.6f}",
            border=True,
            help=f"Of a round's net result: {found.standard_deviation!r}",
        )
        st.metric(
            "Variance",
            f"{found.variance:.6f}",
            border=True,
            help=f"Its square, in units squared: {found.variance!r}",
        )
        for name, sign in chances:
            chance = found.chance(sign)
            if chance is not None:
                st.metric(
                    name,
                    percent(chance),
                    border=True,
                    help=f"Rounds with a net {name.lower()}, all hands of the round together."
                    if sign
                    else "Rounds in which exactly what was bet comes back.",
                )


def net_name(net: Fraction) -> str:
    """A net result with its sign.

    Example:
        >>> net_name(Fraction(3, 2)), net_name(Fraction(-1)), net_name(Fraction(0))
        ('+1.5', '−1', '0')
    """
    sign = "+" if net > 0 else "−" if net < 0 else ""
    return sign + bet_tables.number(abs(net))


def _chart(law: Mapping[Fraction, float]) -> None:
    rows = [
        {
            "net": net_name(net),
            "chance": 100 * chance,
            "label": f"{100 * chance:.2f}",
            "result": "win" if net > 0 else "loss" if net < 0 else "push",
        }
        for net, chance in law.items()
    ]
    base = alt.Chart(
        alt.InlineData(values=rows), height=270, title="Net result of a round, % of rounds"
    ).encode(
        x=alt.X("net:N", sort=None, title=None, axis=alt.Axis(labelAngle=0)),
        y=alt.Y("chance:Q", title=None, axis=None),
    )
    bars = base.mark_bar(cornerRadius=2).encode(
        color=alt.Color(
            "result:N",
            scale=alt.Scale(domain=["win", "push", "loss"], range=[GAIN, _PUSH, LOSS]),
            legend=None,
        ),
        tooltip=["net:N", "result:N", alt.Tooltip("chance:Q", title="% of rounds", format=".6f")],
    )
    labels = base.mark_text(dy=-7, color=_PUSH).encode(text="label:N")
    words = ", ".join(f"{row['net']} in {row['label']} %" for row in rows)
    st.altair_chart(bars + labels, alt=f"Bars: chance of each net result of a round: {words}.")


def _distribution(found: RoundOutcomes, law: Mapping[Fraction, float]) -> str:
    rows = [
        (
            net_name(net),
            f"{chance:.12f}",
            bet_tables.one_in(Fraction(1 / chance)) if chance > 0 else "never",
            percent(chance * (float(net) - found.mean) ** 2 / found.variance, 2),
        )
        for net, chance in law.items()
    ]
    return bet_tables.rows_table(
        "Distribution of the net result",
        ("net, units", "probability", "1 in", "part of the variance"),
        rows,
    )


def _happens(found: RoundOutcomes, cards: RoundCards) -> str:
    shares = (
        ("Blackjack of the player", found.natural),
        ("A pair is split", found.split),
        ("A hand is doubled", found.double),
        ("The hand is surrendered", found.surrender),
    )
    means = (
        ("Doubled hands", found.doubles),
        ("Hands after splitting", found.hands),
        ("Cards of the player", cards.player_cards),
        ("Cards of the dealer", cards.dealer_cards),
        ("Cards of both", cards.cards_per_round),
    )
    rows = [
        (name, percent(share), f"1 in {1 / share:,.1f} rounds" if share > 0 else "never")
        for name, share in shares
    ]
    rows += [(name, f"{mean:.6f}", "a round") for name, mean in means]
    return bet_tables.rows_table("What happens in a round", ("", "how much", "how often"), rows)


def _many_rounds(found: RoundOutcomes) -> str:
    mean, deviation = found.mean, found.standard_deviation
    rows = []
    for number in _MANY:
        middle, spread = -mean * number, deviation * sqrt(number)
        low, high = middle - _Z * spread, middle + _Z * spread
        ahead = NormalDist(middle, spread)
        rows.append(
            (
                f"{number:,}",
                signed(f"{middle:+,.1f}"),
                signed(f"{low:+,.0f} to {high:+,.0f}"),
                percent(1 - ahead.cdf(0.0), 2),
            )
        )
    return bet_tables.rows_table(
        "What the house wins at one seat, units",
        ("rounds", "expected", "95 % of the time", "house ahead"),
        rows,
    )


def signed(text: str) -> str:
    """Numbers with a minus sign as wide as the plus."""
    return text.replace("-", "−")
