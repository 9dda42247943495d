"""What a person is asked: the Question, the Desk it waits at, how loudly it may appear, how often."""
