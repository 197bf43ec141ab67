"""What the side-bet page computes in processes of their own; no Streamlit, see `computations`."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from paytables.metrics import Evaluation, SharedMeter, shared_meter
from paytables.model import Paytable
from paytables.volatility import RtpInterval, Total, rtp_interval

Progress = Callable[[float, str], None]

ROUNDS = (100, 1_000, 10_000, 100_000, 1_000_000)
_QUICK = 2**17
_WORDS = {"name", "variant", "rule", "cards", "source", "note", "decks"}


def figures_key(paytable: Paytable) -> Hashable:
    """What of a paytable its figures depend on."""
    tiers = [tier.model_dump(mode="json", exclude={"label"}) for tier in paytable.tiers]
    rest = paytable.model_dump(mode="json", exclude={*_WORDS, "tiers"})
    return repr((rest, tiers))


def many_rounds(evaluation: Evaluation, *, progress: Progress) -> tuple[RtpInterval, ...]:
    """Where the actual RTP of some numbers of rounds lies, 95 % of the time."""
    found = []
    for i, rounds in enumerate(ROUNDS):
        progress(i / len(ROUNDS), f"{rounds:,} rounds")
        found.append(rtp_interval(evaluation, rounds))
    return tuple(found)


def is_quick(evaluation: Evaluation) -> bool:
    """Whether `many_rounds` takes a fraction of a second."""
    total = Total(evaluation.results)
    if not total.deviation:
        return True
    windows = (total.window(rounds) for rounds in ROUNDS)
    return all(high - low < _QUICK for low, high in windows)


def shared(
    paytable: Paytable, tier: str, hands: int, decks: int, *, progress: Progress
) -> SharedMeter:
    """How many hands win a tier at once.

    Raises:
        InputError: See `paytables.metrics.shared_meter`.
    """
    progress(0.1, f"{hands} hands")
    return shared_meter(paytable, tier, hands, decks)
