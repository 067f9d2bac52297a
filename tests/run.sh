#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds everything and runs the tests; installs what that needs. Fails when a test fails or none was found.
#
#   sh tests/run.sh                  all tests
#   sh tests/run.sh -R unique -V     arguments go to ctest
#   sh tests/run.sh --no-install …   the same, installing nothing
#   sh tests/run.sh --prepare        only installs what is missing
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/resources/prepare.sh"

install_everything() {
    install_packages build run test clients
    unpack_packages
    sh "$root/tests/clients/prepare.sh" || say "without these tst_clients will fail, and nothing else"
}

case ${1:-} in
--no-install) shift ;;
--prepare)
    install_everything
    say "everything is here; run with: sh $root/tests/run.sh"
    exit 0
    ;;
*) install_everything ;;
esac

build release
exec ctest --preset release "$@"
