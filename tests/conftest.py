"""What every test stands on: Qt without a screen, and property tests that no slow machine can fail."""

from __future__ import annotations

import os

from hypothesis import settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# A shared machine may stall for a moment: pytest-timeout bounds the whole test, not Hypothesis each example.
settings.register_profile("deskbell", deadline=None)
settings.load_profile("deskbell")
