#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the integration and conformance tests on a real MySQL, which Debian's stable release does not have: its server
# from Debian unstable, in a folder of its own that is entered with chroot (hence root). Made once, about 640 MB, then
# kept.
#
#   sh tests/mysql.sh [ctest arguments]     with the tree built by tests/run.sh
#   sh tests/mysql.sh --prepare             only makes the folder
#
#   LOCKSCOPE_MYSQL_DIR      the folder (default: lockscope/mysql-sid in the user's cache)
#   LOCKSCOPE_DEBIAN_MIRROR  where debootstrap downloads from (default: its own)
#
# Exit code 69: no MySQL could be had here, nothing was tested. Otherwise ctest's own.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/resources/prepare.sh"

default=${XDG_CACHE_HOME:-$HOME/.cache}/lockscope/mysql-sid
folder=${LOCKSCOPE_MYSQL_DIR:-$default}

not_had() { printf 'MySQL NOT TESTED: %s\n' "$*" >&2; exit 69; }
works() { [ ! -e "$1/debootstrap" ] && [ -x "$1/usr/sbin/mysqld" ]; }

# What an interrupted debootstrap leaves may still have proc and sys mounted: never delete through a mount.
discard() {
    umount -l "$1/proc" "$1/sys" 2>/dev/null || :
    rm -rf --one-file-system "$1"
}

make_folder() {
    if [ -e "$folder" ] && [ "$folder" != "$default" ] && [ ! -e "$folder/debootstrap" ]; then
        not_had "$folder is there and holds no mysqld; name another folder"
    fi
    command -v debootstrap >/dev/null 2>&1 || not_had "debootstrap is not installed"
    say "making $folder: MySQL's server from Debian unstable"
    # Under another name until it is whole, so that a run that was broken off is never taken for it.
    discard "$folder.partial"
    discard "$folder"
    mkdir -p "$folder.partial"
    debootstrap --variant=minbase --include=mysql-server-core sid "$folder.partial" \
        ${LOCKSCOPE_DEBIAN_MIRROR:+"$LOCKSCOPE_DEBIAN_MIRROR"} >"$folder.log" 2>&1 || {
        tail -n 20 "$folder.log" "$folder.partial/debootstrap/debootstrap.log" >&2 2>/dev/null || :
        discard "$folder.partial"
        not_had "debootstrap failed, see above"
    }
    mv "$folder.partial" "$folder"
}

[ "$(id -u)" -eq 0 ] || not_had "chroot needs root"
mkdir -p "$(dirname "$folder")"
exec 9>"$folder.lock" # two runs at once make one folder
flock 9
works "$folder" || make_folder
exec 9>&-

# From here on nothing is excused: the server is there, so it has to work.
say "$(chroot "$folder" mysqld --version)"
[ "${1:-}" != --prepare ] || exit 0

# What tests that were killed have left, a day old.
find "$folder/var/lib" -maxdepth 1 -name 'lockscope-test-*' -mtime +0 -exec rm -rf {} +

cd "$root"
LOCKSCOPE_TEST_MYSQL=$folder
export LOCKSCOPE_TEST_MYSQL
exec ctest --preset release -L 'integration|conformance' "$@"
