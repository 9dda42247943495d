"""Makes resources/sounds/bell.wav: two soft partials of a small bell, from nothing but arithmetic.

Run it after a change: `python packaging/make_bell.py`. The same bytes come out every time.
"""

from __future__ import annotations

import math
import struct
import wave
from pathlib import Path

RATE = 22_050  # samples a second
LASTS = 0.7  # seconds
PARTIALS = ((1318.5, 0.55, 0.18), (1975.5, 0.25, 0.10), (3296.3, 0.12, 0.05))  # hertz, loudness, decay in s
ATTACK = 0.004  # seconds: no click at the start


def sample(moment: float) -> float:
    tone = sum(a * math.exp(-moment / d) * math.sin(2 * math.pi * f * moment) for f, a, d in PARTIALS)
    return tone * min(1.0, moment / ATTACK) * min(1.0, (LASTS - moment) / 0.05)


def main() -> None:
    path = Path(__file__).parents[1] / "resources" / "sounds" / "bell.wav"
    path.parent.mkdir(exist_ok=True)
    count = round(RATE * LASTS)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(b"".join(struct.pack("<h", round(20_000 * sample(n / RATE))) for n in range(count)))


if __name__ == "__main__":
    main()
