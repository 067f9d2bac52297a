#!/bin/sh
# SPDX-License-Identifier: MIT
# Starts Lockscope on a private server with the demo; builds it first, and installs what that needs.
#
#   sh app/run.sh                    the window; without a display the tour: every page as a picture
#   sh app/run.sh --no-install …     the same, installing nothing
#   sh app/run.sh --prepare          only installs what is missing
#   sh app/run.sh ARGUMENTS…         starts `lockscope ARGUMENTS…` instead of the demo
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/resources/prepare.sh"

install=yes
case ${1:-} in
--no-install)
    install=no
    shift
    ;;
--prepare)
    install_packages build run
    say "everything is here; start with: sh $root/app/run.sh"
    exit 0
    ;;
esac

[ "$install" = no ] || install_packages build run
build release --target lockscope lockctl

program=$root/build/release/app/lockscope
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    [ $# -gt 0 ] || set -- --demo
else
    QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen}
    export QT_QPA_PLATFORM
    if [ $# -eq 0 ]; then
        say "no display: taking the tour"
        set -- --tour "$root/build/tour"
    fi
fi
exec "$program" "$@"
