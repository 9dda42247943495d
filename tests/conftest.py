"""What every test stands on: Qt without a screen, and property tests that no slow machine can fail."""

from __future__ import annotations

import os

from hypothesis import settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# A shared machine may stall for a moment: pytest-timeout bounds the whole test, not Hypothesis each example.
# The same examples every time: a change fails by what it changed. HYPOTHESIS_PROFILE=searching goes further.
settings.register_profile("deskbell", deadline=None, derandomize=True)
settings.register_profile("searching", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "deskbell"))
