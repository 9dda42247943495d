# shellcheck shell=sh
# For the other scripts, to be sourced: say something, install Debian packages where that is allowed.

say() { echo "deskbell: $*" >&2; }

# As root, or with a sudo that asks nothing. Otherwise says the exact command and fails.
install_packages() {
    if ! command -v apt-get >/dev/null; then
        say "please install, with your package manager, what Debian calls: $*"
        return 1
    fi
    if [ "$(id -u)" = 0 ]; then
        as_root="env"
    elif sudo -n true 2>/dev/null; then
        as_root="sudo -n env"
    else
        say "please run this, then make again:  sudo apt-get install --no-install-recommends $*"
        return 1
    fi
    say "installing system packages: $*"
    $as_root apt-get update -qq </dev/null || say "apt-get update failed; trying with the package lists at hand"
    $as_root DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" </dev/null >/dev/null
}
