#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes a source file of the C++ in the code blocks of documents: each document one function, in which its blocks follow
# each other. What they take for granted stands in readmeprelude.h.
#
#   sh examples.sh README.md lib/README.md >examples.cpp
set -eu

# blocks FILE: the lines of its code blocks.
blocks() { awk '/^ *```/ { inside = !inside && /^ *```cpp$/; next } inside' "$1"; }

for file in "$@"; do blocks "$file" | grep -E '^(#include|using namespace) ' || :; done | sort -u
printf '#include "readmeprelude.h"\n'
number=0
for file in "$@"; do
    number=$((number + 1))
    printf 'void document%d()\n{\n' "$number"
    blocks "$file" | grep -vE '^(#include|using namespace) '
    printf '}\n'
done
