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
}

require_python() {
    python=$(find_python)
    if [ -z "$python${PYTHON:-}" ] && ! command -v python3 >/dev/null; then
        install_packages "there is no Python" python3-venv
        python=$(find_python)
    fi
    [ -z "$python" ] || return 0
    found=$("${PYTHON:-python3}" --version 2>/dev/null) || found="none"
    say "Deskbell needs Python 3.11 or newer (found: $found); install one, or name it:  make PYTHON=/path/to/python3"
    exit 1
}

# Debian ships the venv module without ensurepip, which is in a package of its own.
require_venv() {
    "$python" -c 'import ensurepip, venv' 2>/dev/null && return
    package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    install_packages "$python cannot make virtual environments" "$package" && "$python" -c 'import ensurepip, venv'
}

if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1 || ! suits "$venv/bin/python" 99; then
    require_python
    require_venv
    say "making $venv with $("$python" --version)"
    "$python" -m venv --clear "$venv"
fi

# What pip says is shown where it fails. Where it succeeds that is only warnings: on some machines dozens.
install() {
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
        --constraint constraints.txt "$@" >"$venv/pip.log" 2>&1
}

say "installing what Deskbell needs into $venv (the first time: about a minute)"
# What pip wrote before 25.2 loads `re` before anything else: 6 ms and 1 MB, for each AI application that waits.
install 'pip>=25.2' || say "pip stays as it is; \`deskbell\` will take a few milliseconds more to start"
install --editable '.[dev]' || {
    cat "$venv/pip.log" >&2
    say "pip could not install what Deskbell needs, and says why above; then make again"
    exit 1
}
