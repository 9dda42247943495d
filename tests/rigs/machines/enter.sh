#!/bin/sh
# Runs COMMAND in a machine of its own: the file system of LAYERS (of overlayfs, the lowest last) with every change
# in CHANGES, SHARED as /mnt, its own processes, devices and /tmp. All of them end with COMMAND.
#
#   unshare --mount --pid --fork --kill-child enter.sh LAYERS CHANGES SHARED UID COMMAND…
set -eu
layers=$1 changes=$2 shared=$3 uid=$4
shift 4
root=$changes/root
mkdir -p "$changes/upper" "$changes/work" "$root"
mount -t overlay -o "lowerdir=$layers,upperdir=$changes/upper,workdir=$changes/work" overlay "$root"
cd "$root"

mount -t proc proc proc
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
    touch "dev/$device"
    mount --bind "/dev/$device" "dev/$device"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t tmpfs -o mode=1777 tmpfs tmp
mount --bind "$shared" mnt
if [ -d mnt/screen ]; then # the socket of the X server in another machine
    mkdir -m 1777 tmp/.X11-unix
    mount --bind mnt/screen tmp/.X11-unix
fi
if [ "$uid" != 0 ] && [ ! -d home/plain ]; then
    cp -r etc/skel home/plain
    chown -R "$uid:$uid" home/plain
fi

# Not by exec: this shell is the first process here, the one that must reap what others leave behind. Nor with &,
# by which COMMAND would ignore Ctrl+C.
chroot --userspec="$uid:$uid" --groups="$uid" . "$@" || exit $?
