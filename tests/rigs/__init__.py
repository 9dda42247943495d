"""Real systems on loopback for tests/live: what the tests need beyond Python."""
