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
. "$root/resources/chroot.sh"

folder=${LOCKSCOPE_MYSQL_DIR:-$(chroot_folder mysql-sid)}
prepare_chroot sid "$folder" usr/sbin/mysqld mysql-server-core

# From here on nothing is excused: the server is there, so it has to work.
say "$(chroot "$folder" mysqld --version)"
[ "${1:-}" != --prepare ] || exit 0

# What tests that were killed have left, a day old.
find "$folder/var/lib" -maxdepth 1 -name 'lockscope-test-*' -mtime +0 -exec rm -rf {} +

cd "$root"
LOCKSCOPE_TEST_MYSQL=$folder
export LOCKSCOPE_TEST_MYSQL
# Those of other stores have no such server, or ask it for little but a row; so do those that show again in a window or at
# a prompt what others ask of it.
[ $# -gt 0 ] || set -- -E "^tst_(redis|zookeeper|etcd|store|(conformance|histories|faults)_(redis|zookeeper|etcd)\
|lab(redis|zookeeper|etcd|defaults|page)|lockctl(redis|zookeeper|etcd|lesson|simulate|terminal|top)|lessoncompare|readme\
|key|optionfile|notifier|privateserverusers|connectiondialog|privateconnection|mainwindow|latencypage|replay|killcontroller\
|releasedialog|recordfound)"
exec ctest --preset release -L 'integration|conformance' "$@"
