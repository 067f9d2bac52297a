# SPDX-License-Identifier: MIT
# Read by app/run.sh, tests/run.sh and .ci/run (POSIX sh): installs what is missing, configures and builds.
# shellcheck shell=sh

: "${root:?names the folder of the project}"

say() { printf '%s\n' "-- $*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

# Packages of the named sections of packages.txt that are not installed.
missing_packages() {
    for section in "$@"; do
        sed -n "/^\[$section\]/,/^\[/p" "$root/resources/packages.txt"
    done | sed 's/#.*//; /^\[/d; s/ *$//; /^$/d' | while read -r package; do
        state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=
        [ "$state" = installed ] || printf '%s ' "$package"
    done
}

# install_packages SECTION...: installs what is missing, and nothing when nothing is.
install_packages() {
    if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
        say "no apt here, so nothing is installed; resources/packages.txt names what is needed"
        return 0
    fi
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null 2>&1 ||
            fail "Missing packages, and neither root nor sudo here. As root: apt-get install $missing"
        as_root=sudo
    fi
    say "installing with ${as_root:+sudo }apt-get: $missing"
    # --no-remove: a package that would push another server off this machine is not ours to choose.
    $as_root apt-get -q update || fail "apt-get update failed; see above."
    # shellcheck disable=SC2086 # words are meant to split
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -q install -y --no-install-recommends --no-remove $missing ||
        fail "The packages could not be installed; see above. They are: $missing"
}

# unpack_packages: those that are only unpacked, into the user's cache, where programs find them. Needs no root.
unpack_packages() {
    command -v dpkg-deb >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1 || return 0
    unpacked=${XDG_CACHE_HOME:-$HOME/.cache}/lockscope/stores
    sed -n '/^\[unpacked\]/,/^\[/p' "$root/resources/packages.txt" | sed 's/#.*//; /^\[/d; s/ *$//; /^$/d' |
        while read -r package; do
            [ ! -e "$unpacked/usr/share/doc/$package" ] || continue
            say "unpacking $package into $unpacked"
            mkdir -p "$unpacked"
            (cd "$unpacked" && apt-get -q download "$package" && dpkg -x "$package"_*.deb . && rm "$package"_*.deb) ||
                fail "$package could not be got; see above."
        done
}

# configure PRESET: LOCKSCOPE_WERROR=ON in the environment makes warnings errors.
configure() {
    launcher=$(command -v ccache) || launcher=
    cd "$root" || exit 1
    cmake --preset "$1" --log-level=WARNING -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" \
        ${LOCKSCOPE_WERROR:+-DLOCKSCOPE_WERROR="$LOCKSCOPE_WERROR"} >/dev/null || fail "cmake failed; see above."
}

# compile PRESET [arguments of cmake --build]: what is configured.
compile() {
    # What ccache asks for to keep precompiled headers; and one checkout has what another one compiled.
    export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=true
    # ccache reads the precompiled headers, 150 MB, for each object that it has: a tenth of the time in huge pages.
    GLIBC_TUNABLES=glibc.malloc.hugetlb=1${GLIBC_TUNABLES:+:$GLIBC_TUNABLES} cmake --build --preset "$@" ||
        fail "The build failed; see above."
}

# build PRESET [arguments of cmake --build]
build() {
    say "configuring and building in $root/build/$1"
    configure "$1"
    compile "$@"
}
