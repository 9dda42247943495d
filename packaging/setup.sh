#!/bin/sh
# Makes the virtual environment and installs Deskbell into it, for `make`. Safe to run again at any time:
# an environment that works is kept, and only what is missing or pinned differently is installed.
#
#   packaging/setup.sh VENV [EXTRA]    PYTHON=/path/to/python3 chooses the interpreter; EXTRA: dev, for tests
set -eu
cd "$(dirname "$0")/.."
venv=$1
extra=${2:+[$2]}
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
    found=$("${PYTHON:-python3}" --version 2>/dev/null) || found="no ${PYTHON:-python3}"
    say "Deskbell needs Python 3.11 or newer (found: $found); install one, or name it:  make run PYTHON=/path/to/python3"
    exit 1
}

# Debian ships the venv module without ensurepip, which is in a package of its own.
require_venv() {
    "$python" -c 'import ensurepip, venv' 2>/dev/null && return
    package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    install_packages "$python cannot make virtual environments" "$package" && "$python" -c 'import ensurepip, venv'
}

# What it prints is shown only where it fails: some systems warn of much that does no harm.
make_venv() { printed=$("$python" -m venv --clear "$venv" 2>&1); }

# Ends set-up if the disk is full. The venv module names no reason; pip does, and may have made room since.
require_room() {
    grep -qi 'no space left' "$venv/pip.log" 2>/dev/null ||
        [ "$(df -Pk . | awk 'NR == 2 { print $4 }')" -lt 10000 ] || return 0
    say "the disk is full: Deskbell needs about 400 MB here, and 400 more for the tests. Make room, then run make again."
    exit 1
}

if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1 || ! suits "$venv/bin/python" 99; then
    require_python
    require_venv
    step "making $venv with $("$python" --version)" make_venv || {
        require_room
        echo "$printed" >&2
        say "Python could not make it; its own words are above. Correct that, then run make again."
        exit 1
    }
fi

# What pip says is shown where it fails. Where it succeeds that is only warnings: on some machines dozens.
pip_install() {
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
        --constraint constraints.txt "$@" >"$venv/pip.log" 2>&1
}

# What pip before 25.2 wrote loads `re` before anything else: 6 ms and 1 MB, for each AI application that waits.
# An older pip will do, where no newer one can be had.
install() {
    "$venv/bin/python" -c 'import pip, sys; sys.exit(tuple(map(int, pip.__version__.split(".")[:2])) < (25, 2))' ||
        pip_install 'pip>=25.2' || true
    pip_install --editable ".$extra"
}

explain_failure() {
    require_room
    if grep -qE 'NewConnectionError|NameResolution|Name or service|ConnectTimeout|ProxyError|SSLError' "$venv/pip.log"; then
        say "the package index cannot be reached. Check the network (behind a proxy: set HTTPS_PROXY), then run make again."
    else
        grep -E '^ *(ERROR|error):' "$venv/pip.log" >&2 || tail -n 20 "$venv/pip.log" >&2
        say "pip could not install what Deskbell needs; its own words are above. Correct that, then run make again."
    fi
    say "All that pip said is in $venv/pip.log."
    exit 1
}

step "installing what Deskbell needs into $venv${2:+, and the $2 tools} (the first time: about a minute)" install || explain_failure
