#!/bin/sh
# One trial, from a clean clone and as the plain user of a machine. Whoever starts it bounds its time.
#
#   trial.sh plain|busy|slow-shell setup|run|run-display|test
set -eu
cd "$HOME"
case $1 in
busy) for _ in 1 2 3 4 5 6 7 8; do (while :; do :; done) & done ;;
slow-shell) echo 'sleep 60' | tee .profile .bash_profile .bashrc >/dev/null ;;
esac

quiet="-c init.defaultBranch=main -c advice.detachedHead=false"
# shellcheck disable=SC2086  # a list of words
[ -d deskbell ] || git $quiet clone --quiet /mnt/deskbell.bundle deskbell
cd deskbell
case $2 in
setup) exec make setup qt ;; # again and again, until nothing is missing
test) exec make test ;;
esac

make run </dev/null &
make=$!
# await COMMAND…: until it succeeds, while `make run` runs
await() {
    until "$@"; do
        kill -0 $make || { wait $make; exit 1; }
        sleep 1
    done
}
answers() { .venv/bin/deskbell status 2>/dev/null; }

await answers
[ "$2" != run-display ] || await test -e /mnt/seen
kill -TERM "$(cat /proc/$make/task/$make/children)"
wait $make
if answers; then exit 1; fi
echo "it served, and ended when asked to"
