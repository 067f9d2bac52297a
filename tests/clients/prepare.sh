#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the clients of npm that tests/clients and tests/bench/peers run into build/clients, in the versions of
# package-lock.json, when they are not there. About 15 s and 95 MB; no program of theirs is run by that.
#
#   sh tests/clients/prepare.sh
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/resources/prepare.sh"

# Their scripts want it too where the clients were installed by another machine. Where npm comes with another package of
# Node.js, Debian's own cannot be installed beside it.
command -v node >/dev/null 2>&1 || install_packages node
folder=$root/build/clients
wanted=$(cat "$root/tests/clients/package-lock.json")
if [ "$wanted" = "$(cat "$folder/installed.json" 2>/dev/null)" ]; then
    exit 0
fi
command -v npm >/dev/null 2>&1 || install_packages node
say "installing clients of npm into $folder"
rm -rf "$folder"
mkdir -p "$folder"
cp "$root/tests/clients/package.json" "$root/tests/clients/package-lock.json" "$folder"
(cd "$folder" && npm ci --ignore-scripts --omit=optional --no-audit --no-fund --loglevel=error) ||
    fail "npm could not install the clients; see above."
cp "$folder/package-lock.json" "$folder/installed.json"
