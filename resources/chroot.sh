# SPDX-License-Identifier: MIT
# Read by tests/mysql.sh and tests/debian.sh (POSIX sh), after prepare.sh: another Debian in a folder, entered with chroot.
# shellcheck shell=sh

# not_had WHY…: ends with 69, which says that nothing was tested because the folder could not be made.
not_had() { printf 'NOT TESTED: %s\n' "$*" >&2; exit 69; }

# chroot_folder NAME: where a folder of that name is kept.
chroot_folder() { printf '%s\n' "${XDG_CACHE_HOME:-$HOME/.cache}/lockscope/$1"; }

# What an interrupted debootstrap leaves may still have proc and sys mounted: never delete through a mount.
discard_chroot() {
    umount -l "$1/proc" "$1/sys" 2>/dev/null || :
    rm -rf --one-file-system "$1"
}

# prepare_chroot RELEASE FOLDER PROGRAM PACKAGES: makes the folder unless it is whole, which its PROGRAM tells. One that
# holds something else is left alone. Packages come from LOCKSCOPE_DEBIAN_MIRROR or debootstrap's own, signed by Debian.
prepare_chroot() {
    [ "$(id -u)" -eq 0 ] || not_had "chroot needs root"
    mkdir -p "$(dirname "$2")"
    exec 9>"$2.lock" # two runs at once make one folder
    flock 9
    if [ -e "$2/debootstrap" ] || [ ! -x "$2/$3" ]; then make_chroot "$@"; fi
    exec 9>&-
}

make_chroot() {
    if [ -e "$2" ] && [ "$2" != "$(chroot_folder "$(basename "$2")")" ] && [ ! -e "$2/debootstrap" ]; then
        not_had "$2 is there and holds no $3; name another folder"
    fi
    command -v debootstrap >/dev/null 2>&1 || not_had "debootstrap is not installed"
    say "making $2: Debian $1"
    # Under another name until it is whole, so that a run that was broken off is never taken for it.
    discard_chroot "$2.partial"
    discard_chroot "$2"
    mkdir -p "$2.partial"
    debootstrap --force-check-gpg --variant=minbase --include="$4" "$1" "$2.partial" \
        ${LOCKSCOPE_DEBIAN_MIRROR:+"$LOCKSCOPE_DEBIAN_MIRROR"} >"$2.log" 2>&1 || {
        tail -n 20 "$2.log" "$2.partial/debootstrap/debootstrap.log" >&2 2>/dev/null || :
        discard_chroot "$2.partial"
        not_had "debootstrap failed, see above"
    }
    mv "$2.partial" "$2"
}
