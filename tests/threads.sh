#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the tests of the engine, of its connections and of its conformance with ThreadSanitizer. Takes too long for every
# run of .ci/run: for a change of the engine, and before a release.
#
#   sh tests/threads.sh [ctest arguments]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/resources/prepare.sh"

install_packages build run test
unpack_packages
build tsan --target tests/session/all tests/engine/all tests/conformance/all
names=$(find tests/session tests/engine -name 'tst_*.cpp' -exec basename {} .cpp \; | paste -s -d '|' -)
exec ctest --preset tsan -R "^($names|tst_conformance_.*)\$" "$@"
