#!/bin/sh
# Sees that what the live tests' private desktop needs is there, and installs it where that is allowed.
set -eu
[ "$(uname -s)" = Linux ] || exit 0
cd "$(dirname "$0")/../.."
. packaging/system.sh

programs="Xvfb dbus-daemon gdbus gsettings openbox xprop xdotool import trayer xfce4-panel dunst gnome-keyring-daemon xterm"
packages="xvfb dbus libglib2.0-bin dconf-gsettings-backend gsettings-desktop-schemas openbox x11-utils xdotool
    imagemagick trayer xfce4-panel xfconf dunst gnome-keyring gcr at-spi2-core xdg-desktop-portal-gtk
    fonts-dejavu-core fonts-noto-cjk xterm"

missing() {
    for program in $programs; do command -v "$program" >/dev/null || printf '%s ' "$program"; done
    [ -x /usr/libexec/at-spi-bus-launcher ] || printf 'at-spi '
    [ -x /usr/libexec/gcr-prompter ] || printf 'gcr-prompter '
}

[ -n "$(missing)" ] || exit 0
# shellcheck disable=SC2086  # a list of words
install_packages "the private desktop lacks programs" $packages || true
[ -z "$(missing)" ] || say "tests of the real desktop will be skipped (missing: $(missing))"
