"""The shuffle: SHA-256 in counter mode and an unbiased Fisher-Yates (R2.3, worked in docs/rules.md)."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from bots_sdk.durak.errors import DurakError

SEED_BYTES: Final = 16
"""The shortest seed that is accepted, in bytes (128 bits)."""
_DOMAIN: Final = b"durak-deal-1"


class Shuffler:
    """The stream of random bytes of one seed, from which decks are shuffled one after the other.

    Block ``i`` of the stream is SHA-256 of ``durak-deal-1``, the seed and ``i`` as 8 bytes, big-endian.
    Raises ``DurakError`` for a seed under 16 bytes.
    """

    def __init__(self, seed: bytes) -> None:
        if len(seed) < SEED_BYTES:
            raise DurakError(f"the seed has {len(seed)} bytes; at least {SEED_BYTES} are needed")
        self._seed = _DOMAIN + seed
        self._block = 0
        self._bytes = b""
        self._next = 0

    def shuffle(self, cards: list[int]) -> None:
        """Shuffle up to 256 cards in place: from the last down, each is swapped with one at or before it.

        The partner of card ``i`` is ``byte % (i + 1)`` for the next byte of the stream below the greatest
        multiple of ``i + 1`` that is 256 or less; bytes from there on are passed over, so that every order
        is equally likely.
        """
        stream = self._bytes
        position = self._next
        for last in range(len(cards) - 1, 0, -1):
            choices = last + 1
            bound = 256 - 256 % choices
            while True:
                if position == len(stream):
                    stream = sha256(self._seed + self._block.to_bytes(8, "big")).digest()
                    self._block += 1
                    position = 0
                byte = stream[position]
                position += 1
                if byte < bound:
                    break
            partner = byte % choices
            cards[last], cards[partner] = cards[partner], cards[last]
        self._bytes = stream
        self._next = position
