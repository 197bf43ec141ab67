"""The condition language of side bets: text in, a small typed tree out, never `eval`.

A condition says when a tier is hit, such as ``pair(player) and suited(player)``,
``total(player) == 16``, ``count(player + up, "7") == 3`` or ``dealer_bust and dealer_cards >= 6``.

Grammar (lowest binding first)::

    condition  = conjunction { "or" conjunction }
    conjunction = negation { "and" negation }
    negation   = "not" negation | comparison
    comparison = sum { ("==" | "!=" | "<" | "<=" | ">" | ">=") sum }      # may be chained
    sum        = product { ("+" | "-") product }                          # "+" also joins cards
    product    = unary { "*" unary }
    unary      = "-" unary | primary
    primary    = number | "text" | name [ "[" number "]" ] | function "(" arguments ")"
               | "(" condition ")" | "true" | "false"

Every value is a truth value, a whole number, cards, or a text that describes cards. The functions
and names are those of `odds.sidebets.vocabulary` and nothing else; `parse_condition` checks the
types, so a parsed condition can always be evaluated.
"""

from __future__ import annotations

import difflib
import re
from functools import cache
from typing import NamedTuple, NoReturn

from odds.errors import InputError
from odds.sidebets.syntax import (
    MAX_LENGTH,
    Call,
    Cards,
    Comparison,
    Condition,
    ConditionError,
    Negation,
    Node,
    Number,
    Operation,
    Text,
    Truth,
    kind_of,
)
from odds.sidebets.vocabulary import FUNCTIONS, Function, Kind, Pattern, parse_pattern

MAX_TOKENS = 600
MAX_DEPTH = 30
MAX_NODES = 400
MAX_NUMBER = 9_999
_LARGEST = 10**9
_LARGEST_OF_CARDS = 250  # no total or count of a deal's cards is larger

PLAYER_HANDS = ("player", "player2", "player3", "player4", "player5")
MAX_NEXT_CARDS = 3
MAX_DEALER_CARDS = 20
ZONE_SIZES = {
    **dict.fromkeys(PLAYER_HANDS, 2),
    "up": 1,
    "hole": 1,
    "next": MAX_NEXT_CARDS,
    "dealer": MAX_DEALER_CARDS,
}
"""The most cards that a condition may name in each place."""

CARD_NAMES: dict[str, tuple[tuple[str, int | None], ...]] = {
    **{name: ((name, None),) for name in ZONE_SIZES},
    "first": (("player", 1),),
    "second": (("player", 2),),
    "bust_card": (("dealer", -1),),
}
"""Names that stand for cards, as (zone, position) parts; position None is the whole zone."""

SHORTHANDS = {
    "dealer_total": "total(dealer)",
    "dealer_bust": "total(dealer) > 21",
    "dealer_cards": "size(dealer)",
    "dealer_blackjack": "blackjack(dealer)",
    "player_blackjack": "blackjack(player)",
    "drawn": "size(next) > 0",
}
"""Names that stand for a longer expression."""

NEEDS_FINISHED_DEALER = ("dealer_total", "dealer_bust", "dealer_cards", "bust_card")
"""Names that mean something only when the dealer's hand is played out."""


_NUMBER, _TEXT, _NAME, _SYMBOL, _END = "number", "text", "name", "symbol", "end"


class _Token(NamedTuple):
    sort: str
    text: str
    position: int


_TOKEN = re.compile(
    r"""(?P<space>\s+)|(?P<number>\d+)|(?P<text>"[^"\n]*"|'[^'\n]*')|(?P<name>[A-Za-z_]\w*)
    |(?P<symbol>==|!=|<=|>=|[-<>+*(),\[\]])""",
    re.VERBOSE | re.ASCII,
)
_COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            sign = text[position]
            hint = {"=": "; write == to compare", "&": "; write and", "|": "; write or"}
            raise ConditionError(
                text, position, f"unexpected character {sign!r}{hint.get(sign, '')}"
            )
        if match.lastgroup != "space":
            tokens.append(_Token(str(match.lastgroup), match.group(), position))
            if len(tokens) > MAX_TOKENS:
                raise ConditionError(text, position, f"more than {MAX_TOKENS} words and signs")
        position = match.end()
    tokens.append(_Token(_END, "", len(text)))
    return tokens


class _Parser:
    """Recursive descent over the tokens of one condition."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _tokens(text)
        self.at = 0
        self.depth = 0
        self.nodes = 0
        self.names: set[str] = set()

    @property
    def token(self) -> _Token:
        return self.tokens[self.at]

    def fail(self, reason: str, position: int | None = None) -> NoReturn:
        raise ConditionError(
            self.text, self.token.position if position is None else position, reason
        )

    def take(self, *texts: str) -> _Token | None:
        """The token if it is one of these symbols or words, moving past it; else None."""
        token = self.token
        if token.sort in (_SYMBOL, _NAME) and token.text in texts:
            self.at += 1
            return token
        return None

    def expect(self, text: str) -> None:
        if self.take(text) is None:
            found = repr(self.token.text[:20]) if self.token.text else "the end"
            self.fail(f"expected {text!r}, found {found}")

    def node(self, node: Node) -> Node:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.fail(f"the condition has more than {MAX_NODES} parts")
        return node

    def of_kind(self, node: Node, kinds: tuple[Kind, ...], position: int, where: str) -> Node:
        kind = kind_of(node)
        if kind not in kinds:
            wanted = " or ".join(k.value for k in kinds)
            self.fail(f"{where} needs {wanted}, not {kind.value}", position)
        return node

    def parse(self, kind: Kind) -> Node:
        tree = self.disjunction()
        if self.token.sort != _END:
            self.fail(f"unexpected {self.token.text[:20]!r} after a complete condition")
        return self.of_kind(tree, (kind,), 0, "the whole text")

    def disjunction(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail(f"the condition is nested deeper than {MAX_DEPTH} levels")
        node = self.binary(("or",), self.conjunction, Kind.TRUTH)
        self.depth -= 1
        return node

    def conjunction(self) -> Node:
        return self.binary(("and",), self.negation, Kind.TRUTH)

    def binary(self, operators: tuple[str, ...], inner: object, kind: Kind) -> Node:
        assert callable(inner)
        start = self.token.position
        left: Node = inner()
        while (operator := self.take(*operators)) is not None:
            where = repr(operator.text)
            right_start = self.token.position
            right: Node = inner()
            if operator.text == "+" and isinstance(left, Cards) and isinstance(right, Cards):
                left = self.node(Cards(left.parts + right.parts))
                continue
            self.of_kind(left, (kind,), start, where)
            self.of_kind(right, (kind,), right_start, where)
            left = self.node(Operation(operator.text, left, right))
            if operator.text == "*" and _bound(left) > _LARGEST:
                self.fail("the product can become too large", start)
        return left

    def negation(self) -> Node:
        if self.take("not") is None:
            return self.comparison()
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail(f"the condition is nested deeper than {MAX_DEPTH} levels")
        start = self.token.position
        operand = self.of_kind(self.negation(), (Kind.TRUTH,), start, "'not'")
        self.depth -= 1
        return self.node(Negation(operand))

    def comparison(self) -> Node:
        starts = [self.token.position]
        operands = [self.sum()]
        operators: list[str] = []
        while (operator := self.take(*_COMPARISONS)) is not None:
            operators.append(operator.text)
            starts.append(self.token.position)
            operands.append(self.sum())
        if not operators:
            return operands[0]
        if isinstance(operands[0], Cards):
            return self.cards_equal(operands, operators, starts)
        for operand, start in zip(operands, starts, strict=True):
            self.of_kind(operand, (Kind.NUMBER,), start, "a comparison")
        return self.node(Comparison(tuple(operators), tuple(operands)))

    def cards_equal(self, operands: list[Node], operators: list[str], starts: list[int]) -> Node:
        """``up == "7"``: every card named fits the text."""
        cards, text = operands[0], operands[1]
        if operators not in (["=="], ["!="]) or not isinstance(text, Text):
            self.fail('cards are compared with a text, such as up == "7"', starts[1])
        assert isinstance(cards, Cards)
        call = Call(FUNCTIONS["every"], (cards,), (self.pattern(text),))
        return self.node(call if operators == ["=="] else Negation(call))

    def sum(self) -> Node:
        return self.binary(("+", "-"), self.product, Kind.NUMBER)

    def product(self) -> Node:
        return self.binary(("*",), self.unary, Kind.NUMBER)

    def unary(self) -> Node:
        if (minus := self.take("-")) is None:
            return self.primary()
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail(f"the condition is nested deeper than {MAX_DEPTH} levels")
        operand = self.of_kind(self.unary(), (Kind.NUMBER,), minus.position, "'-'")
        self.depth -= 1
        return self.node(Negation(operand))

    def primary(self) -> Node:
        token = self.token
        if self.take("("):
            inner = self.disjunction()
            self.expect(")")
            return inner
        if token.sort == _NUMBER:
            if len(token.text) > 4:
                self.fail(f"a number above {MAX_NUMBER}")
            self.at += 1
            return self.node(Number(int(token.text)))
        if token.sort == _TEXT:
            self.at += 1
            return self.node(Text(token.text[1:-1], token.position))
        if token.sort != _NAME:
            found = repr(token.text[:20]) if token.text else "the end"
            self.fail(f"expected a name, a number or '(', found {found}")
        self.at += 1
        return self.name(token)

    def name(self, token: _Token) -> Node:
        if token.text in ("true", "false"):
            return self.node(Truth(token.text == "true"))
        if self.take("("):
            return self.call(token)
        if token.text in CARD_NAMES:
            self.names.add(token.text)
            return self.node(self.indexed(token, Cards(CARD_NAMES[token.text])))
        if token.text in SHORTHANDS:
            self.names.add(token.text)
            return self.node(_shorthand(token.text))
        if token.text in FUNCTIONS:
            self.fail(f"{token.text} is a function and needs its cards in brackets", token.position)
        return self.unknown(token, [*CARD_NAMES, *SHORTHANDS, *FUNCTIONS])

    def unknown(self, token: _Token, known: list[str]) -> NoReturn:
        name = token.text[:40]
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        self.fail(f"unknown name {name!r}{hint}", token.position)

    def indexed(self, token: _Token, cards: Cards) -> Cards:
        if self.take("[") is None:
            return cards
        number = self.token
        if number.sort != _NUMBER or len(number.text) > 2 or int(number.text) < 1:
            self.fail("expected the position of a card, counted from 1")
        self.at += 1
        self.expect("]")
        ((zone, position),) = cards.parts
        if position is not None or int(number.text) > ZONE_SIZES[zone]:
            self.fail(f"{token.text} has no card number {number.text}", number.position)
        return Cards(((zone, int(number.text)),))

    def call(self, token: _Token) -> Node:
        function = FUNCTIONS.get(token.text)
        if function is None:
            self.unknown(token, list(FUNCTIONS))
        arguments: list[tuple[Node, int]] = []
        if not self.take(")"):
            while True:
                start = self.token.position
                arguments.append((self.disjunction(), start))
                if not self.take(","):
                    break
            self.expect(")")
        return self.node(self.checked_call(function, arguments, token))

    def checked_call(
        self, function: Function, arguments: list[tuple[Node, int]], token: _Token
    ) -> Call:
        usage = f"write {function.usage}"
        cards: list[Cards] = []
        for node, start in arguments[: function.card_arguments]:
            if not isinstance(node, Cards):
                self.fail(f"{function.name} needs cards here; {usage}", start)
            cards.append(node)
        if len(cards) < function.card_arguments:
            self.fail(f"{function.name} needs more cards; {usage}", token.position)
        if len(cards) > 1 and not _is_one_card(cards[1]):
            self.fail(f"{function.name} compares with one card; {usage}", arguments[1][1])
        if function.one_card and not _is_one_card(cards[0]):
            self.fail(f"{function.name} is about one card, such as up or first", arguments[0][1])
        option: str | None = None
        patterns: list[Pattern] = []
        if function.implied:
            patterns.append(parse_pattern(function.implied))
        for node, start in arguments[function.card_arguments :]:
            if not isinstance(node, Text):
                self.fail(f"{function.name} needs a quoted text here; {usage}", start)
            if node.value in function.options:
                option = node.value
            elif function.patterns == 0:
                self.fail(f"{function.name} does not take {node.value[:20]!r}; {usage}", start)
            else:
                patterns.append(self.pattern(node))
        if (
            not function.implied
            and not (function.patterns > 0) <= len(patterns) <= function.patterns
        ):
            most = f"at most {function.patterns} texts" if patterns else "a quoted text"
            self.fail(f"{function.name} needs {most}; {usage}", token.position)
        return Call(function, tuple(cards), tuple(patterns), option)

    def pattern(self, text: Text) -> Pattern:
        try:
            return parse_pattern(text.value)
        except InputError as error:
            self.fail(f"{text.value[:20]!r} is not {error.allowed}", text.position)


def _bound(node: Node) -> int:
    """No value of the node is larger."""
    match node:
        case Number():
            return node.value
        case Negation():
            return _bound(node.operand)
        case Operation():
            left, right = _bound(node.left), _bound(node.right)
            return left * right if node.operator == "*" else left + right
    return _LARGEST_OF_CARDS


def _is_one_card(cards: Cards) -> bool:
    """Whether the parts name exactly one card."""
    return len(cards.parts) == 1 and (
        cards.parts[0][1] is not None or cards.parts[0][0] in ("up", "hole", "next")
    )


@cache
def _shorthand(name: str) -> Node:
    parser = _Parser(SHORTHANDS[name])
    return parser.disjunction()


def _parse(text: object, kind: Kind) -> Condition:
    if not isinstance(text, str):
        raise InputError("condition", type(text).__name__, "a text")
    if len(text) > MAX_LENGTH:
        raise ConditionError(
            text[:40], 0, f"a text of {len(text)} characters; {MAX_LENGTH} at most"
        )
    if not text.strip():
        raise ConditionError(text, 0, "an empty text")
    parser = _Parser(text)
    tree = parser.parse(kind)
    return Condition(text, tree, frozenset(parser.names))


def parse_condition(text: str) -> Condition:
    """Read a condition: a text that is true or false of a deal.

    Raises:
        ConditionError: The text is not in the language; `position` says where.

    Example:
        >>> str(parse_condition('total(player) == 16 and suited(player)'))
        'total(player) == 16 and suited(player)'
        >>> parse_condition("pare(player)")
        Traceback (most recent call last):
        ...
        odds.sidebets.syntax.ConditionError: condition, character 1: unknown name 'pare'; \
did you mean 'pair'? (in 'pare(player)')
    """
    return _parse(text, Kind.TRUTH)


def parse_amount(text: str) -> Condition:
    """Read a whole number that a deal decides, such as how many times a tier pays.

    Raises:
        ConditionError: The text is not in the language, or is a truth value.

    Example:
        >>> parse_amount("rank_matches(player, up)").text
        'rank_matches(player, up)'
    """
    return _parse(text, Kind.NUMBER)
