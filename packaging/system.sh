# shellcheck shell=sh
# For the other scripts, to be sourced: say something, install Debian packages where that is allowed.

say() { echo "deskbell: $*" >&2; }

# step TEXT COMMAND…: one line that says what is being done and how long it took
step() {
    printf 'deskbell: %s … ' "$1" >&2
    shift
    started=$(date +%s)
    if "$@"; then echo "$(($(date +%s) - started)) s" >&2; return 0; fi
    echo "failed after $(($(date +%s) - started)) s" >&2
    return 1
}

# install_packages LACK PACKAGE…  As root, or with a sudo that asks nothing. Otherwise fails, and says in one line
# what is lacking and the exact command that mends it.
install_packages() {
    lack=$1
    shift
    if ! command -v apt-get >/dev/null; then
        say "$lack; please install it with your package manager (packages of Debian:  $*), then run make again"
        return 1
    fi
    if [ "$(id -u)" = 0 ]; then
        as_root="env"
    elif sudo -n true 2>/dev/null; then
        as_root="sudo -n env"
    else
        mend="apt-get install --no-install-recommends $*"
        if command -v sudo >/dev/null; then mend="sudo $mend"; else mend="su -c '$mend'"; fi
        say "$lack; please run this, then run make again:  $mend"
        return 1
    fi
    step "$lack; installing system packages: $*" apt_install "$@" && return
    echo "$printed" >&2
    say "apt-get could not install them; its own words are above. Correct that, then run make again."
    return 1
}

# What apt-get prints is shown only where it fails: on bare systems it warns of a missing apt-utils and much else.
apt_install() {
    $as_root apt-get update -qq </dev/null >/dev/null 2>&1 || true # the package lists at hand may do
    printed=$($as_root DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        -o DPkg::Lock::Timeout=600 "$@" 2>&1 </dev/null) # waits for updates that run in the background
}
