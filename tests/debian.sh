#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds this tree, with warnings as errors, and runs its tests on another release of Debian: as on a machine that was just
# installed, in a folder of its own that is entered with chroot (hence root). Made once, about 3 GB with what is compiled.
#
#   sh tests/debian.sh trixie [ctest arguments]     Debian 13; sid: Debian unstable
#   sh tests/debian.sh trixie --prepare             only makes the folder
#
#   LOCKSCOPE_DEBIAN_DIR     the folder (default: lockscope/debian-RELEASE in the user's cache)
#   LOCKSCOPE_DEBIAN_MIRROR  where debootstrap downloads from (default: its own)
#
# Exit code 69: the folder could not be made here, nothing was tested. Otherwise that of tests/run.sh.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/resources/prepare.sh"
. "$root/resources/chroot.sh"

release=${1:-}
[ -n "$release" ] || fail "which release? sh tests/debian.sh trixie"
shift
folder=${LOCKSCOPE_DEBIAN_DIR:-$(chroot_folder "debian-$release")}

# One run at a time, and what it mounts is its own: a namespace, which the system takes apart when the last of its
# processes has ended, however that came.
if [ "${LOCKSCOPE_DEBIAN_MOUNTED:-}" != yes ]; then
    prepare_chroot "$release" "$folder" usr/bin/ccache ccache
    [ "${1:-}" != --prepare ] || exit 0
    exec env LOCKSCOPE_DEBIAN_MOUNTED=yes flock -o "$folder.lock" unshare --mount sh "$0" "$release" "$@"
fi

# From here on nothing is excused.
mount -t proc proc "$folder/proc"
mount --rbind /sys "$folder/sys"
mount --rbind /dev "$folder/dev"

# Packages start no service here, and are found as they are from outside.
printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
chmod +x "$folder/usr/sbin/policy-rc.d"
cp -L /etc/resolv.conf "$folder/etc/resolv.conf"

# The files as they are, without what was built from them. Compiled anew, which ccache makes short. Only what npm installed
# comes along, for inside nothing may be set up to download it.
source=/root/lockscope
rm -rf --one-file-system "${folder:?}$source"
mkdir -p "$folder$source"
cd "$root"
git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -cf - -T - |
    tar -xmf - --no-same-owner -C "$folder$source"
if [ -d build/clients ]; then
    mkdir -p "$folder$source/build"
    cp -R build/clients "$folder$source/build"
fi

say "$(chroot "$folder" cat /etc/debian_version)"
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM="${TERM:-dumb}" LOCKSCOPE_WERROR=ON \
    ${http_proxy:+http_proxy="$http_proxy"} chroot "$folder" sh "$source/tests/run.sh" "$@"
