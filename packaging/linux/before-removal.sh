#!/bin/sh
# Before the package is removed, not before it is upgraded: takes Deskbell out of the settings of everyone's AI
# applications and ends it, as each person. Their settings and history stay. .deb calls it with `remove`, .rpm with 0.
set -e
case "$1" in remove | 0) ;; *) exit 0 ;; esac

getent passwd | while IFS=: read -r name _ uid _ _ home _; do
    [ "$uid" -eq 0 ] || [ "$uid" -ge 1000 ] || continue
    [ -d "$home/.local/share/deskbell" ] || continue
    env -i HOME="$home" USER="$name" LOGNAME="$name" PATH=/usr/bin:/bin LANG=C.UTF-8 \
        setpriv --reuid "$uid" --regid "$(id -g "$name")" --init-groups \
        /usr/lib/deskbell/deskbell uninstall --yes </dev/null ||
        echo "deskbell: some AI apps of $name may still start it" >&2
done
exit 0
