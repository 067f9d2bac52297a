#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks the model of unique mode with Spin: it must hold in every configuration, and each mutant must be found.
#
#   sh model.sh WORK_DIR            all of it, two at a time; everything is made in WORK_DIR
#   sh model.sh WORK_DIR NAME…      these alone, by the names below
#
# CC names the C compiler (default: cc). A search that was not finished is a failure.
set -u
source=$(cd "$(dirname "$0")" && pwd) || exit 1
# All faults but the loss of a keeper's session, which makes more states than all others.
rest="-DFREEZE -DDIE -DKILL_WAITER -DSHORTEN -DGIVE_UP -DLOST -DFORCE"

# Name, what must come of it, macros. It "holds", or "rests" (it holds, and no cycle of requests goes on for ever), or
# the promise by which a mutant is found, as `promise` below calls it.
jobs() {
    for shape in 0 1 2; do
        echo "four-$shape holds -DN=4 -DSHAPE=$shape $rest"
        echo "three-$shape holds -DN=3 -DSHAPE=$shape $rest -DKILL_KEEPER -DTOUCHES"
        echo "two-faults-$shape holds -DN=3 -DSHAPE=$shape -DFAULTS=2 -DBOUNDS $rest"
        echo "restart-$shape holds -DN=3 -DSHAPE=$shape -DRESTART"
        echo "try-$shape holds -DN=3 -DTRYING=4 -DSHAPE=$shape -DFAULTS=2 -DFREEZE -DDIE"
    done
    echo "four-keeper-1 holds -DN=4 -DSHAPE=1 -DKILL_KEEPER"
    echo "four-keeper-2 holds -DN=4 -DSHAPE=2 -DKILL_KEEPER"
    echo "two-keeper holds -DN=3 -DSHAPE=1 -DFAULTS=2 -DBOUNDS -DKILL_KEEPER -DFREEZE"
    echo "two-alone holds -DN=2 -DSHAPE=1 -DFAULTS=2 -DFREEZE -DSHORTEN -DKILL_KEEPER"
    echo "forgets holds -DN=3 -DSHAPE=2 -DFORGET"
    echo "rest rests -DN=3 -DSHAPE=2 $rest -DKILL_KEEPER"

    echo "one-look noticed -DN=3 -DFAULTS=0 -DMUTANT_ONE_LOOK"
    echo "name-first orphan -DN=3 -DFAULTS=0 -DMUTANT_NAME_FIRST"
    echo "asleep noticed -DN=3 -DSHAPE=2 -DKILL_KEEPER -DMUTANT_ASLEEP"
    echo "silent-renewal claimed -DN=2 -DSHAPE=1 -DFAULTS=2 -DSHORTEN -DFREEZE -DMUTANT_SILENT_RENEWAL"
    echo "rejoin-last order -DN=3 -DKILL_KEEPER -DMUTANT_REJOIN_LAST"
    echo "no-rejoin place -DN=3 -DKILL_KEEPER -DMUTANT_NO_REJOIN"
    echo "displace order -DN=3 -DKILL_KEEPER -DMUTANT_DISPLACE"
    echo "early-join order -DN=3 -DFAULTS=0 -DMUTANT_EARLY_JOIN"
    echo "token-alone own -DN=2 -DSHAPE=1 -DFORGET -DMUTANT_TOKEN_ALONE"

    echo "queue-of-free-row free -DN=3 -DFREEZE -DMUTANT_QUEUE_OF_FREE_ROW"
    echo "old-end claimed -DN=3 -DFREEZE -DMUTANT_OLD_END"
    echo "own-grace noticed -DN=4 -DFREEZE -DMUTANT_OWN_GRACE"
    echo "old-name noticed -DN=3 -DKILL_KEEPER -DMUTANT_OLD_NAME"
    echo "nobody-called place -DN=3 -DKILL_KEEPER -DMUTANT_NOBODY_CALLED"
    echo "called-once place -DN=3 -DKILL_KEEPER -DMUTANT_CALLED_ONCE"
    echo "mate-forgotten place -DN=4 -DSHAPE=2 -DKILL_KEEPER -DMUTANT_MATE_FORGOTTEN"
    echo "taken-again noticed -DN=2 -DSHAPE=1 -DFAULTS=2 -DKILL_KEEPER -DFREEZE -DMUTANT_TAKEN_AGAIN"
    echo "no-grace order -DN=3 -DSHAPE=1 -DFAULTS=2 -DBOUNDS -DKILL_KEEPER -DFREEZE -DMUTANT_NO_GRACE"
    echo "one-pass noticed -DN=2 -DSHAPE=1 -DFORCE -DMUTANT_ONE_PASS"
}

# promise TEXT OF AN ASSERTION: which promise was broken.
promise() {
    case $1 in
    *'believes'*) echo alone ;;    # one holder at a time
    *'localSeq'*) echo order ;;    # nobody is overtaken
    *'presence==r'*) echo own ;;   # a release ends its own lease only
    *'torn'*) echo orphan ;;       # only a fault makes a living holder look dead
    *'presence!=15'*) echo free ;; # a free row is taken
    *'presence!=i'*) echo noticed ;; # a grant is noticed
    *'queue>>i'*) echo place ;;    # a place is kept, and given up by who left
    *'stage<3'*) echo claimed ;;   # an expired lease is claimed
    *) echo "$1" ;;
    esac
}

# one WORK_DIR NAME WHAT MACROS…: makes and runs one search; its last line goes to NAME.line.
one() {
    dir=$1/$2 name=$2 expected=$3
    shift 3
    rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || return 1
    case $expected in
    # Without partial order reduction: every variable is global, so it would find nothing to leave out.
    holds) compile="-O2 -DSAFETY" search="" ;;
    rests) compile="-O1 -DNP" search=-l; set -- "$@" -DLIVELOCK ;;
    *) compile="-O0 -DSAFETY" search="" ;;
    esac
    cp "$source/unique.pml" . && echo "$*" >macros || return 1
    if ! spin "$@" -a unique.pml >spin.log 2>&1; then
        echo "$name: spin failed, see $dir/spin.log"
        return 1
    fi
    # shellcheck disable=SC2086 # words are meant to split
    if ! ${CC:-cc} $compile -w -DNOREDUCE -DVECTORSZ=256 -o pan pan.c >cc.log 2>&1; then
        echo "$name: the compiler failed, see $dir/cc.log"
        return 1
    fi
    # -E: keepers wait for ever, and so do requests of dead processes; what must not wait is asserted.
    # shellcheck disable=SC2086
    ./pan $search -E -n -m50000 -w22 >pan.log 2>&1
    found=$(sed -n 's/^pan:[0-9]*: assertion violated \(.*\) (at depth.*/\1/p' pan.log)
    [ -z "$found" ] || found=$(promise "$found")
    [ -n "$found" ] || found=$(sed -n 's/^pan:[0-9]*: \(.*\)/\1/p; s/^error: \(.*\)/\1/p' pan.log | head -n 1)
    grep -q 'errors: 0' pan.log && [ -z "$found" ] && found=holds
    [ "$expected" = rests ] && [ "$found" = holds ] && found=rests
    states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.log)
    seconds=$(sed -n 's/^pan: elapsed time \([0-9.]*\) seconds/\1/p' pan.log)
    verdict=ok
    [ "$found" = "$expected" ] || verdict="FAILED, expected: $expected"
    printf '%-20s %9s states %6s s  %-8s %s\n' "$name" "${states:-?}" "${seconds:-?}" "${found:-?}" "$verdict"
    if [ "$verdict" != ok ]; then
        echo "  trace: cd $dir && spin $* -t -p -g unique.pml"
        return 1
    fi
    rm -f pan pan.?
}

if [ "${1:-}" = --one ]; then # name and macros are words of one argument
    # shellcheck disable=SC2086
    one "$2" $3
    exit
fi

work=${1:?names the folder to work in}
shift
command -v spin >/dev/null 2>&1 || {
    echo "The program spin is missing, so the model cannot be checked. Debian: apt-get install spin" >&2
    exit 1
}
command -v "${CC:-cc}" >/dev/null 2>&1 || {
    echo "There is no C compiler '${CC:-cc}', which spin's programs are made with. CC names another one." >&2
    exit 1
}
mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 1
if [ $# -gt 0 ]; then
    chosen=$(for name in "$@"; do jobs | grep "^$name " || echo "$name there-is-no-such-name"; done)
else
    chosen=$(jobs)
fi
echo "$chosen" | tr '\n' '\0' | xargs -0 -P 2 -I '{}' sh "$source/model.sh" --one "$work" '{}'
