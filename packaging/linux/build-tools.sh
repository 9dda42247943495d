#!/bin/sh
# Sees that the programs and libraries that builds for Linux need are there, and installs them where that is allowed;
# otherwise says the one command.
set -eu
[ "$(uname -s)" = Linux ] || exit 0
cd "$(dirname "$0")/../.."
. packaging/system.sh

packages="gcc libc6-dev binutils patchelf squashfs-tools libsquashfuse-dev libfuse3-dev zlib1g-dev liblzma-dev
    liblzo2-dev liblz4-dev libzstd-dev rpm cpio xz-utils lintian desktop-file-utils appstream
    wine wine64 xvfb xauth gcc-mingw-w64-x86-64 nsis wixl msitools"

missing() {
    for program in cc strip patchelf mksquashfs rpmbuild rpm2cpio cpio xz lintian desktop-file-validate appstreamcli \
        wine xvfb-run x86_64-w64-mingw32-gcc makensis wixl msibuild msiextract; do
        command -v "$program" >/dev/null || echo "$program"
    done
    for header in squashfuse/ll.h fuse3/fuse.h zlib.h lzma.h lzo/lzo1x.h lz4.h zstd.h; do
        [ -f "/usr/include/$header" ] || echo "$header"
    done
}

# shellcheck disable=SC2046  # onto one line
lacking=$(echo $(missing))
[ -n "$lacking" ] || exit 0
# shellcheck disable=SC2086  # a list of words
install_packages "installers cannot be built without $lacking" $packages
