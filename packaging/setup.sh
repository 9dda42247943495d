#!/bin/sh
# Makes the virtual environment and installs Deskbell into it, for `make`. Safe to run again at any time:
# an environment that works is kept, and only what is missing or pinned differently is installed.
#
#   packaging/setup.sh VENV        PYTHON=/path/to/python3 chooses the interpreter
set -eu
cd "$(dirname "$0")/.."
venv=$1
. packaging/system.sh

# suits PYTHON MINOR: is it Python 3.11 or newer, but older than 3.MINOR?
suits() { "$1" -c "import sys; sys.exit(not (3, 11) <= sys.version_info < (3, $2))" 2>/dev/null; }

# qasync 0.28 does not work on Python 3.14: taken only where there is no other.
find_python() {
    for below in 14 99; do
        for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
            if suits "$candidate" $below; then echo "$candidate"; return; fi
        done
    done
    found=$("${PYTHON:-python3}" --version 2>/dev/null) || found="none"
    say "Deskbell needs Python 3.11 or newer; found: ${found:-none}."
    say "Install a newer one, or name it:  make PYTHON=/path/to/python3.12"
    exit 1
}

# Debian ships the venv module without ensurepip, which is in a package of its own.
require_venv() {
    "$1" -c 'import ensurepip, venv' 2>/dev/null && return
    say "$1 cannot make virtual environments yet."
    package=$("$1" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    install_packages "$package" && "$1" -c 'import ensurepip, venv'
}

if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1 || ! suits "$venv/bin/python" 99; then
    python=$(find_python)
    require_venv "$python"
    say "making $venv with $("$python" --version)"
    "$python" -m venv --clear "$venv"
fi

install() {
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
        --constraint constraints.txt "$@"
}

say "installing what Deskbell needs into $venv (the first time: about a minute)"
# What pip wrote before 25.2 loads `re` before anything else: 6 ms and 1 MB, for each AI application that waits.
install 'pip>=25.2' || say "pip stays as it is; \`deskbell\` will take a few milliseconds more to start"
install --editable '.[desktop,dev]'
