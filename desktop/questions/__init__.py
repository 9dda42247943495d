"""The windows that ask: one Question, one window; the presenter decides which is in front."""
