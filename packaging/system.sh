# shellcheck shell=sh
# For the other scripts, to be sourced: say something, install Debian packages where that is allowed.

say() { echo "deskbell: $*" >&2; }

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
    say "$lack; installing system packages: $*"
    $as_root apt-get update -qq </dev/null || say "apt-get update failed; trying with the package lists at hand"
    $as_root DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" </dev/null >/dev/null
}
