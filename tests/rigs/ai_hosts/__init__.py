"""Real AI applications, run unattended against Deskbell, with a model that follows a script.

    python -m tests.rigs.ai_hosts install [NAME…]      the programs, pinned, into .rigs/ai-hosts (npm, pip)
    python -m tests.rigs.ai_hosts try NAME             one call that asks; prints what each side saw
    python -m tests.rigs.ai_hosts matrix [--write]     every application, kind of question and habit

No account, no key, no network: the model is on 127.0.0.1. Each run has a HOME of its own, into which Deskbell
writes its entry itself (`deskbell hosts connect`), so the recipes are tried with the programs that read them.

programs.py   the applications: package, settings, command line
dialects.py   the languages models are spoken to in
model.py      the scripted model
tap.py        an application that answers questions by itself, or never
session.py    one run: application, model, Deskbell and person
matrix.py     all runs, and the table of docs/hosts.md
"""
