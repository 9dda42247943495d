#!/bin/sh
# Sees that the system libraries Qt needs on Linux are there, and installs them where that is allowed.
# Fails when some are still missing: then the bridge can serve, but no window can open.
#
#   packaging/qt-libraries.sh VENV
set -eu
[ "$(uname -s)" = Linux ] || exit 0
cd "$(dirname "$0")/.."
venv=$1
. packaging/system.sh

# The libraries that these need come with them, by apt.
packages="libegl1 libgl1 libglib2.0-0 libfontconfig1 libdbus-1-3 libxkbcommon-x11-0 libx11-xcb1 libxcb-cursor0
    libxcb-icccm4 libxcb-keysyms1 libxcb-randr0 libxcb-shape0 libxcb-sync1 libxcb-xfixes0 fonts-dejavu-core"

# Asking the loader takes milliseconds; asking apt takes seconds.
missing_libraries() {
    for qt in "$venv"/lib/python3*/site-packages/PySide6; do
        ldd "$qt"/QtWidgets.abi3.so "$qt"/QtNetwork.abi3.so "$qt"/QtDBus.abi3.so \
            "$qt"/Qt/plugins/platforms/libqoffscreen.so "$qt"/Qt/plugins/platforms/libqxcb.so 2>/dev/null
    done | awk '/not found/ { print $1 }' | sort -u
}

missing_font() {
    for fonts in /usr/share/fonts /usr/local/share/fonts "$HOME/.fonts" "$HOME/.local/share/fonts"; do
        [ -z "$(find "$fonts" -name '*.[ot]t[fc]' 2>/dev/null | head -n 1)" ] || return 0
    done
    echo "a font"
}

# shellcheck disable=SC2046  # onto one line
missing() { echo $(missing_libraries) $(missing_font); }

[ -n "$(missing)" ] || exit 0
# shellcheck disable=SC2086  # a list of words
install_packages "Qt lacks system libraries, so no window can open" $packages || exit 1
[ -z "$(missing)" ] || { say "no window can open; Qt still lacks: $(missing)"; exit 1; }
