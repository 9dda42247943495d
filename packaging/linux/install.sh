#!/bin/sh
# Installs Deskbell from its unpacked archive, over an older one too: for you alone, or as root for everyone.
#
#   ./install.sh                  into ~/.local; as root into /usr/local
#   ./install.sh --prefix FOLDER  somewhere else
#   install.sh --uninstall        removes it again (also lib/deskbell/install.sh of the installed one); asks before
#                                 it disconnects your AI applications. --yes: asks nothing
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=$HOME/.local; fi
remove='' yes=''

say() { echo "deskbell: $*"; }
fail() { say "$*" >&2; exit 1; }

while [ $# -gt 0 ]; do
    case $1 in
        --prefix) [ $# -gt 1 ] || fail "--prefix needs a folder"; prefix=$2; shift ;;
        --prefix=*) prefix=${1#--prefix=} ;;
        --uninstall) remove=yes ;;
        --yes) yes=--yes ;;
        *) sed -n '2,8s/^# \{0,1\}//p' "$0"; [ "$1" = --help ]; exit ;;
    esac
    shift
done
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
# Run as the installed copy, it knows where it is.
case $here in */lib/deskbell) prefix=${here%/lib/deskbell} ;; esac
list=$prefix/lib/deskbell/installed-files

refresh() {
    update-desktop-database -q "$prefix/share/applications" 2>/dev/null || :
    gtk-update-icon-cache -q -t "$prefix/share/icons/hicolor" 2>/dev/null || :
}

# The two write a cache, which stays alone in a folder of nobody else's.
remove_caches() {
    for cache in share/applications/mimeinfo.cache share/icons/hicolor/icon-theme.cache; do
        folder=$prefix/${cache%/*}
        [ -n "$(find "$folder" -type f ! -name "${cache##*/}" 2>/dev/null)" ] || rm -f "$prefix/$cache"
    done
}

remove_links() {
    while IFS= read -r file; do rm -f -- "$prefix/$file"; done <"$list"
}

if [ -n "$remove" ]; then
    [ -f "$list" ] || fail "there is no Deskbell in $prefix. Name its folder: --prefix FOLDER"
    "$prefix/lib/deskbell/deskbell" uninstall $yes
    remove_links
    rm -rf -- "$prefix/lib/deskbell"
    refresh
    remove_caches
    say "removed from $prefix"
    exit 0
fi

[ -x "$here/lib/deskbell/deskbell" ] || fail "run it in the unpacked archive"
mkdir -p "$prefix/lib" "$prefix/bin" || fail "cannot write to $prefix. As root it installs for everyone; --prefix FOLDER chooses"

# The new one is complete before the old one goes.
new=$prefix/lib/.deskbell.new.$$
rm -rf "$prefix"/lib/.deskbell.new.*
trap 'rm -rf "$new"' EXIT
cp -R "$here/lib/deskbell" "$new"
cp "$here/install.sh" "$new/install.sh"
(cd "$here" && find bin share lib/systemd -type f -o -type l) | LC_ALL=C sort >"$new/installed-files"
[ ! -f "$list" ] || remove_links
old=$prefix/lib/.deskbell.old.$$
[ ! -d "$prefix/lib/deskbell" ] || mv "$prefix/lib/deskbell" "$old"
mv "$new" "$prefix/lib/deskbell"
rm -rf "$prefix"/lib/.deskbell.old.*
(cd "$here" && tar -cf - bin share lib/systemd) | (cd "$prefix" && tar -xf - --no-same-owner)
for file in share/applications/deskbell.desktop lib/systemd/user/deskbell.service; do
    sed "s|@PREFIX@|$prefix|" "$here/$file" >"$prefix/$file"
done
refresh
say "installed in $prefix"

lacking=$(LC_ALL=C ldd "$prefix/lib/deskbell/_internal/PySide6/QtWidgets.abi3.so" \
    "$prefix/lib/deskbell/_internal/PySide6/Qt/plugins/platforms/libqxcb.so" | awk '/not found/ { print $1 }' | sort -u)
if [ -n "$lacking" ]; then
    packages=$(for library in $lacking; do
        sed -n "s/^$library \([^ ]*\).*/\1/p" "$prefix/lib/deskbell/system-libraries"
    done | sort -u | tr '\n' ' ')
    say "windows cannot open yet: this system lacks" $lacking
    say "on Debian and its relatives:  sudo apt-get install --no-install-recommends $packages"
fi
case :$PATH: in
    *:"$prefix/bin":*) say "start it from your menu, or with:  deskbell" ;;
    *) say "start it from your menu, or with:  $prefix/bin/deskbell" ;;
esac
