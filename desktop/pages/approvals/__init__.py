"""The parts of the Approvals page, and what approval windows share with it."""
