"""What the kernels need to know of one street of one pattern, as flat arrays.

The kernels always see four suits; those a small deck lacks never hold a card and add nothing to an index.
"""

from collections.abc import Iterable
from itertools import accumulate
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.isomorphism._configurations import Shape, Street, compositions, count_sequences, deal_suits

SUITS = 4
Integers = npt.NDArray[np.int64]


class DealTables(NamedTuple):
    """How dealing street after street leads to a *deal state*: the counts of every suit on every street.

    A street's counts have a key, the sum of its cards' suit weights, and a number, their composition's.
    State of street t = state of street t-1 times compositions of street t, plus the composition's number.
    """

    starts: Integers
    """[streets + 1] the first card of each street, then the number of cards."""
    suit_weights: Integers
    """[streets, 4] what a card of each suit adds to the key of its street's counts."""
    compositions: Integers
    """[streets] how many compositions a street has."""
    key_starts: Integers
    """[streets] where a street's keys begin in `composition_of_key`."""
    composition_of_key: npt.NDArray[np.int32]
    radix_starts: Integers
    """[streets] where the states before a street begin in `radices`."""
    radices: Integers
    """[all states before each street, 4] rank sequences of each suit so far: the weight of the next digit."""
    configuration_of: npt.NDArray[np.int32]
    """[states] 256 * configuration + two bits a suit: 3 less the place of its shape among different ones."""


class ConfigurationTables(NamedTuple):
    """The configurations of a street by number; suits are places 0..3, greatest shape first."""

    offsets: Integers
    """[configurations] the first index of each."""
    strides: Integers
    """[configurations, 4] what one step of a suit group's number adds to the index."""
    multiplicity: npt.NDArray[np.uint8]
    """[configurations, 5] how many suits of the same shape are left from this place on; then the greatest."""
    group_sizes: Integers
    """[configurations, 4] numbers a group has, at the place where it begins, else 0."""
    shapes: npt.NDArray[np.uint8]
    """[configurations, 4, streets] cards of each suit on each street."""
    alike: npt.NDArray[np.bool_]
    """[configurations, 4] whether a suit has the shape of the one before it."""


def deal_tables(pattern: tuple[int, ...], suits: int, ranks: int, street: Street) -> DealTables:
    """The deal tables of the last street of `pattern`, which is `street`."""
    absent = SUITS - suits
    states: list[tuple[Shape, ...]] = [((),) * SUITS]
    weights, keys, radices = [], [], []
    for size in pattern:
        counts = [(0,) * absent + rest for rest in compositions(size, suits)]
        weight = np.array([0, *((size + 1) ** place for place in range(SUITS - 1))])
        composition_of_key = np.zeros((size + 1) ** (SUITS - 1), dtype=np.int32)
        composition_of_key[np.array(counts) @ weight] = np.arange(len(counts))
        weights.append(weight)
        keys.append(composition_of_key)
        radices.append(np.array([[count_sequences(shape, ranks) for shape in state] for state in states]))
        states = [deal_suits(state, brought) for state in states for brought in counts]
    return DealTables(
        starts=_starts(pattern, end=True),
        suit_weights=np.array(weights, dtype=np.int64),
        compositions=np.array([comb(size + suits - 1, suits - 1) for size in pattern], dtype=np.int64),
        key_starts=_starts(len(table) for table in keys),
        composition_of_key=np.concatenate(keys),
        radix_starts=_starts(len(table) for table in radices),
        radices=np.concatenate(radices).astype(np.int64),
        configuration_of=_configurations_of_states(states, absent, street),
    )


def _starts(lengths: Iterable[int], *, end: bool = False) -> Integers:
    """Where stretches of these lengths begin when laid end to end, and with `end` where the last one ends."""
    bounds = list(accumulate(lengths, initial=0))
    return np.array(bounds if end else bounds[:-1], dtype=np.int64)


def _configurations_of_states(states: list[tuple[Shape, ...]], absent: int, street: Street) -> npt.NDArray[np.int32]:
    """The `configuration_of` table; states no deal reaches (a suit with more cards than ranks) say 0."""
    numbers = {configuration.shapes: number for number, configuration in enumerate(street.configurations)}
    packed = np.zeros(len(states), dtype=np.int32)
    for place, state in enumerate(states):
        shapes = sorted(state[absent:], reverse=True)
        number = numbers.get(tuple(shapes))
        if number is None:
            continue
        classes = {shape: 3 - rank for rank, shape in enumerate(dict.fromkeys(shapes))}
        # An absent suit is empty; where every real suit has cards it forms a class of its own, the last.
        packed[place] = 256 * number + sum(classes.get(shape, 0) << (2 * s) for s, shape in enumerate(state))
    return packed


def configuration_tables(street: Street, streets: int) -> ConfigurationTables:
    """The configuration tables of `street`, the last of `streets`."""
    count = len(street.configurations)
    tables = ConfigurationTables(
        offsets=np.array([configuration.offset for configuration in street.configurations], dtype=np.int64),
        strides=np.zeros((count, SUITS), dtype=np.int64),
        multiplicity=np.zeros((count, SUITS + 1), dtype=np.uint8),
        group_sizes=np.zeros((count, SUITS), dtype=np.int64),
        shapes=np.zeros((count, SUITS, streets), dtype=np.uint8),
        alike=np.zeros((count, SUITS), dtype=np.bool_),
    )
    tables.multiplicity[:, :SUITS] = 1
    tables.group_sizes[:] = 1
    for number, configuration in enumerate(street.configurations):
        place, stride = 0, 1
        for group in configuration.groups:
            end = place + group.suits
            tables.strides[number, place:end] = stride
            tables.shapes[number, place:end] = group.shape
            tables.alike[number, place + 1 : end] = True
            # Suits that can hold one sequence only, such as empty ones, have the number 0: nothing to combine.
            if group.sequences > 1:
                tables.multiplicity[number, place:end] = range(group.suits, 0, -1)
                tables.group_sizes[number, place:end] = [group.size] + [0] * (group.suits - 1)
            place, stride = end, stride * group.size
        tables.multiplicity[number, SUITS] = tables.multiplicity[number, :SUITS].max()
    return tables
