"""The look of the figures: colours, axes, and `Plot`, a figure that shows itself in a notebook.

Figures are `matplotlib.figure.Figure` objects made without pyplot: no state is shared between
them, so they may be drawn in any thread, and no window or backend is needed.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from textwrap import wrap

try:
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ft2font import FT2Font
    from matplotlib.layout_engine import ConstrainedLayoutEngine
    from matplotlib.text import Text
    from matplotlib.ticker import FuncFormatter
except ImportError as error:  # pragma: no cover - the extra is installed where tests run
    raise ImportError(
        'figures need matplotlib: pip install "blackjack-paytables[sheets]"'
    ) from error

GAIN, LOSS, LINE = "#1f9d6b", "#d9653b", "#3576b8"
"""What the player gains, what the player loses, and what is neither; the colours of the app. Green
and orange differ for the colour-blind too, and never say alone what sign and side do not say."""
INK, MUTED, FAINT, PANEL, ACCENT = "#17211c", "#5a6760", "#dbe3de", "#f3f6f4", "#0b6e4f"
FONT = "DejaVu Sans"
WIDTH = 7.0
"""Width of a figure in inches: that of the text on an A4 or letter page."""
SCREEN_DPI, PRINT_DPI = 144, 240
HEAD = 0.6
"""Inches that a title and its note take."""
LABEL = 40
"""Characters of a bar's label in one line."""
_EM = 0.077  # inches of an average character of the small print


@cache
def font_file(bold: bool = False) -> Path:
    """The DejaVu Sans that comes with matplotlib: free to embed, with ≤, −, × and the suits."""
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name


@cache
def _glyphs() -> frozenset[int]:
    regular, bold = (FT2Font(str(font_file(bold))).get_charmap() for bold in (False, True))
    return frozenset(regular) & frozenset(bold)


def printable(text: str) -> str:
    """The text with a placeholder for what the font has no sign for, such as Chinese.

    Example:
        >>> printable("A♠ ≤ 21 点")
        'A♠ ≤ 21 �'
    """
    return "".join(
        c if ord(c) in _glyphs() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def literal(text: str) -> str:
    """The text for a figure: printable, and a dollar sign is a dollar sign, not a formula."""
    return printable(text).replace("$", r"\$")


class Plot(Figure):
    """A matplotlib figure that is shown by a notebook as it is, with an alternative text.

    Attributes:
        alt: What the figure shows, for those who cannot see it; also `get_label()`.

    Example:
        >>> figure = Plot(3, 2, alt="an empty figure")
        >>> figure.png()[1:4], figure.get_label()
        (b'PNG', 'an empty figure')
    """

    def __init__(self, width: float = WIDTH, height: float = 3.0, *, alt: str = "") -> None:
        super().__init__(
            figsize=(width, height), dpi=SCREEN_DPI, facecolor="white", layout="constrained"
        )
        self.alt = alt
        self.set_label(alt)

    def title(self, title: str, note: str = "") -> None:
        """Write the title over the whole figure, and in small print what a reader must know."""
        height = self.get_figheight()
        left = 0.04 / self.get_figwidth()
        for text, above, size, weight, colour in (
            (title, 0.19, 11, "bold", INK),
            (note, 0.43, 8.5, "normal", MUTED),
        ):
            self.text(
                left,
                1 - above / height,
                literal(text),
                fontsize=size,
                fontweight=weight,
                color=colour,
                va="center",
            )
        engine = self.get_layout_engine()
        if isinstance(engine, ConstrainedLayoutEngine):
            room = (HEAD if note else HEAD - 0.2) / height
            engine.set(rect=(0, 0, 1, 1 - room))

    def png(self, dpi: float = SCREEN_DPI) -> bytes:
        """The figure as PNG; the same bytes for the same figure."""
        for text in self.findobj(Text):
            text.set_fontfamily(FONT)
        stream = io.BytesIO()
        self.savefig(stream, format="png", dpi=dpi, metadata={"Software": None})
        return stream.getvalue()

    def html(self) -> str:
        """An HTML image with its alternative text."""
        data = base64.b64encode(self.png()).decode()
        width = round(96 * self.get_figwidth())
        return f'<img alt="{escape(self.alt)}" width="{width}" src="data:image/png;base64,{data}">'

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, object], dict[str, object]]:
        size = {
            "width": round(96 * self.get_figwidth()),
            "height": round(96 * self.get_figheight()),
        }
        data = base64.b64encode(self.png()).decode()
        return (
            {"image/png": data, "text/plain": self.alt},
            {"image/png": {**size, "alt": self.alt}},
        )


def axes(figure: Plot, title: str, note: str = "") -> Axes:
    """The one set of axes of a figure under its title: no box, the data in front of the grid."""
    figure.title(title, note)
    ax = figure.add_subplot()
    for side in ("top", "right", "left", "bottom"):
        ax.spines[side].set_visible(False)
    ax.tick_params(length=0, labelsize=8.5, labelcolor=INK)
    ax.set_axisbelow(True)
    ax.set_facecolor("white")
    return ax


def name_axes(ax: Axes, x: str = "", y: str = "") -> None:
    """Name the axes, in small print."""
    ax.set_xlabel(literal(x), fontsize=8.5, color=MUTED)
    ax.set_ylabel(literal(y), fontsize=8.5, color=MUTED)


def percent_ticks(ax: Axes, which: str) -> None:
    """Write an axis that is in percent with its sign, and a true minus."""
    axis = ax.xaxis if which == "x" else ax.yaxis
    axis.set_major_formatter(FuncFormatter(lambda value, _: signed(f"{value:g} %")))


def signed(text: str) -> str:
    """The text with true minus signs.

    Example:
        >>> signed("-0.5 %")
        '−0.5 %'
    """
    return text.replace("-", "−")


def bars(
    figure: Plot,
    title: str,
    note: str,
    labels: Sequence[str],
    values: Sequence[float],
    shown: Sequence[str],
    colours: Sequence[str],
) -> Axes:
    """Horizontal bars from the top, the value written at the end of each.

    Args:
        figure: What to draw in.
        title: What is shown.
        note: The unit and what a reader must know.
        labels: One for each bar.
        values: The length of each, with its sign.
        shown: The value as it is written.
        colours: The colour of each.
    """
    ax = axes(figure, title, note)
    places = range(len(values))
    ax.barh(places, values, height=0.68, color=list(colours), linewidth=0)
    lines = ["\n".join(wrap(literal(label), LABEL)) for label in labels]
    ax.set_yticks(list(places), labels=lines, linespacing=0.95)
    ax.set_ylim(len(values) - 0.4, -0.6)
    ax.axvline(0, color=INK, linewidth=0.8)
    ax.set_xticks([])
    for place, value, text in zip(places, values, shown, strict=True):
        below = value < 0
        ax.annotate(
            signed(text),
            (value, place),
            xytext=(-4 if below else 4, 0),
            textcoords="offset points",
            ha="right" if below else "left",
            va="center",
            fontsize=8.5,
            color=INK,
        )
    low, high = min(0.0, *values, 0.0), max(0.0, *values, 0.0)
    if low == high:  # every bar is 0: an axis needs some width
        low, high = -1.0, 1.0
    # The numbers at the ends need room of their own, as a part of what the labels leave.
    wide = figure.get_figwidth() - 0.35 - _EM * max(len(x) for y in lines for x in y.split("\n"))
    number = _EM * max(len(text) for text in shown) + 0.1
    sides = (low < 0) + (high > 0)
    room = number * (high - low or 1.0) / max(wide - sides * number, 1.0)
    ax.set_xlim(low - (room if low < 0 else 0.0), high + (room if high > 0 else 0.0))
    return ax


def bar_height(count: int) -> float:
    """The height in inches of a figure with so many horizontal bars."""
    return HEAD + 0.2 + 0.26 * max(count, 2)
