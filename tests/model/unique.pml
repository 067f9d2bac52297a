/* The queue in the row: unique mode at the grain of its statements. See README.md for words, faults and limits.
 *
 * Each d_step below is one SQL statement, or one decision of a client between two of them. What happens on the server
 * (the end of a wait, the read of a row) happens to a frozen process too; what a client does needs RUNS(r).
 */

/* Requests 0..N-1. Each waits once for the one resource, holds it and releases it. They are alike, so without loss they
 * enter (ACQUIRE or JOIN) in this order; which of them are threads of one process is the shape of a configuration. */
#ifndef N
#define N 4
#endif
#ifndef SHAPE
#define SHAPE 0
#endif
#if SHAPE == 0                   /* A A B B C */
#define P(r) ((r) / 2)
#define MATE(r) ((r) ^ 1)
#elif SHAPE == 1                 /* A B A B C */
#define P(r) ((r) < 4 -> (r) & 1 : 2)
#define MATE(r) ((r) < 4 -> (r) ^ 2 : N)
#else                            /* A B B A C */
#define P(r) ((r) < 4 -> (((r) + 1) / 2) & 1 : 2)
#define MATE(r) ((r) < 4 -> 3 - (r) : N)
#endif
#define NP ((N + 1) / 2)
#define HASMATE(r) (MATE(r) < N)

#ifndef FAULTS
#define FAULTS 1                 /* so many faults in a run */
#endif
#ifndef LEAVES
#define LEAVES 0                 /* so many requests give up waiting */
#endif
#ifndef SHORTENS
#define SHORTENS 0               /* so many renewals that shorten */
#endif

/* Those who try without waiting, as a set. */
#ifndef TRYING
#define TRYING 0
#endif
#define TRIES(r) IN(r, TRYING)

#define NONE 15                  /* no name: presence '-' */
#define KICK 14                  /* the session of this wait was killed */
#define BIT(r) (1 << (r))
#define IN(r, set) (((set) >> (r)) & 1)

/* ---- the server ---------------------------------------------------------------------------------------------------*/

/* The row. The queue is a set, ordered by seq[]: every request joins with one name, and all statements keep that order.
 * stage: how far beyond its end the lease is, that is, who may claim it: 0 nobody, 1 the first, 2 the second, 3 every
 * waiter, 4 a newcomer. nearer: the end was moved nearer by a renewal, so who computed with the old one is wrong. */
byte token, presence = NONE, stage, queue, arrivals, seq[N];
bool nearer;
#ifdef FORGET
byte oldToken, oldPresence = NONE, oldQueue; /* the row before the last grant, for a crash that forgets this grant */
short oldGens;
#endif

/* Names (user-level locks): FREE, held by its KEEPER, or TOUCHed for a moment by one who waited for it. */
#define FREE 0
#define KEEPER 1
#define TOUCH 2
byte name[N];
/* Of the names that a request has one after the other only the newest is held; two bits each. In the row, and in what
 * was read of it, a name may be an older one, which nobody takes again. */
byte gen[N];
short rowGens, readGens[N];
#define GEN(gens, r) (((gens) >> (2 * (r))) & 3)
#define USED(gens, r) (name[r] != FREE && gen[r] == GEN(gens, r))
#define SETROWGEN(r) rowGens = (rowGens & ~(3 << (2 * (r)))) | (gen[r] << (2 * (r)))

/* ---- the clients --------------------------------------------------------------------------------------------------*/

#define RUNNING 0
#define FROZEN 1
#define DEAD 2
byte proc[NP];
bool keeperUp[NP] = true;        /* the keeper's session */
bool wanted[N];                  /* the keeper takes this name again after it lost its session */
byte waitsFor[N] = NONE;         /* what the session of the request blocks on; the process list of the server shows it */
bool woken[N];                   /* asleep in its process, and called */
byte localSeq[N];             /* the order of its JOIN; what a request believes its place to be */
bool waiting[N];                 /* in the queue as its own process knows it */
byte readToken[N], readQueue[N]; /* of the row as the request read it; the clock must see them */
bool readNearer[N];
byte passed[N];              /* the stage for which a wait that is bounded by what was read is over */
#define RUNS(r) (proc[P(r)] == RUNNING)
#define EXISTS(r) (proc[P(r)] != DEAD)

mtype = { Start, Join, Look, Decide, AskHolder, Ask, Wait, Touch, Orphan, Local, Claim, Rejoin,
          Hold, HoldLong, Renew, RenewWake, HandOver, ReleaseLook, ReleaseAsk, Grant, Drop, Leave, LeaveLook, LeaveDone,
          TryLook, TryAsk, TryClaim, Ended };
mtype pc[N] = Start;

/* ---- ghosts: what only the checks know ------------------------------------------------------------------------------*/

bool believes[N];                /* holds and its deadline has not passed */
bool late[N];                    /* was frozen during this lease, so it may be passed over */
bool torn[N];                    /* lost its name to a fault */

byte faults = FAULTS, leaves = LEAVES, shortens = SHORTENS;
bool armed = true;               /* faults may strike now; without, the world waits until nothing moves */

/* Scratch of one d_step; always set before use. */
hidden byte i, j, m, best, who, same;

/* out = the members of `set` that are before r in the queue */
inline before(r, set, out)
{
    out = 0; i = 0;
    do
    :: i < N ->
        if
        :: IN(i, set) && i != r && seq[i] < seq[r] -> out = out | BIT(i)
        :: else
        fi;
        i++
    :: else -> break
    od
}
/* out = the last, the first of a set */
inline last(set, out)
{
    out = NONE; best = 0; i = 0;
    do
    :: i < N ->
        if
        :: IN(i, set) && seq[i] >= best -> best = seq[i]; out = i
        :: else
        fi;
        i++
    :: else -> break
    od
}
inline first(set, out)
{
    out = NONE; best = 255; i = 0;
    do
    :: i < N ->
        if
        :: IN(i, set) && seq[i] < best -> best = seq[i]; out = i
        :: else
        fi;
        i++
    :: else -> break
    od
}
/* out = those of a set whose names nobody holds: IS_USED_LOCK(name) IS NULL, asked now */
inline deadOf(set, gens, out)
{
    out = 0; i = 0;
    do
    :: i < N ->
        if
        :: IN(i, set) && !USED(gens, i) -> out = out | BIT(i)
        :: else
        fi;
        i++
    :: else -> break
    od
}
/* out = does the queue begin, up to and including `to`, as it was read? Names are compared too. */
inline sameUpTo(to, set, gens, out)
{
    out = IN(to, queue) && IN(to, set); i = 0;
    do
    :: i < N ->
        if
        :: (i == to || seq[i] < seq[to]) && (IN(i, queue) != IN(i, set) ||
             (IN(i, queue) && GEN(rowGens, i) != GEN(gens, i))) -> out = false
        :: else
        fi;
        i++
    :: else -> break
    od
}
/* out = is the whole queue as it was read? */
inline sameQueue(set, gens, out)
{
    out = queue == set; i = 0;
    do
    :: i < N ->
        if
        :: IN(i, queue) && GEN(rowGens, i) != GEN(gens, i) -> out = false
        :: else
        fi;
        i++
    :: else -> break
    od
}
/* out = who may claim as one behind so many living ones */
inline claimStage(set, out)
{
    out = 1; i = 0;
    do
    :: i < N ->
        if
        :: IN(i, set) && out < 3 -> out++
        :: else
        fi;
        i++
    :: else -> break
    od
}

/* The row begins to name `to`. `asDead`: whom the granter saw dead when it asked, and may pass over. */
inline grantTo(to, asDead, inQueue)
{
    i = 0;
    do
    :: i < N ->
        /* Exclusion: nobody else believes that it holds. */
        assert(!believes[i]);
        /* Order: nobody is passed over who is in the queue, runs, has its name held and was not late. */
        assert(!(IN(i, inQueue) && i != to && waiting[i] && (!waiting[to] || localSeq[i] < localSeq[to]) &&
                 name[i] == KEEPER && RUNS(i) && !late[i] && !IN(i, asDead)));
        late[i] = proc[P(i)] == FROZEN;
        i++
    :: else -> break
    od;
#ifdef FORGET
    oldToken = token; oldPresence = presence; oldQueue = inQueue; oldGens = rowGens;
#endif
    token++;
    presence = to;
    stage = 0;
    nearer = false;
    assert(!IN(to, queue))
}

/* Only the first waiting request of a process, by its own order, blocks on the server. */
#define FIRSTINPROCESS(r) (!HASMATE(r) || !waiting[MATE(r)] || localSeq[MATE(r)] > localSeq[r])

/* The guard of all that a holder does to its lease; and what it protects: nobody ends a lease of another. */
#ifdef MUTANT_TOKEN_ALONE
#define OWN(r) (token == mine)
#else
#define OWN(r) (presence == r && token == mine)
#endif
#define ENDSOWN(r) assert(presence == r && token == mine)
#define INORDER(r) (r == 0 || (pc[r - 1] != Start && pc[r - 1] != Join) || !RUNS(r - 1))
#define SEEN (4 * readToken[r] + GEN(readGens[r], vPresence))
/* A wait remembers the name and its own bound. */
#define FORGETVIEW readGens[r] = readGens[r] & (3 << (2 * waitsFor[r])); vPresence = NONE; vStage = 0; dead = 0
#define RESETVIEW readToken[r] = 0; vPresence = NONE; readQueue[r] = 0; vStage = 0; readNearer[r] = 0; passed[r] = 0; readGens[r] = 0; dead = 0; claim = 0; awaited = NONE

proctype Request(byte r; bool tries)
{
    byte vPresence = NONE, vStage; /* more of the row as it was read */
    byte dead;                   /* who was seen dead when asked */
    byte claim;                  /* the stage in which this request may claim */
    byte awaited = NONE;         /* what it waited for when it woke because that was free */
    byte orphan;                 /* token and name of a holder that was seen dead once */
    byte mine;                   /* token of the lease held */
#ifdef MUTANT_EARLY_JOIN
    bool early;                  /* nobody was before it, when it looked */
#endif

    do
    /* The keeper has taken a name ahead of need. ACQUIRE. */
    :: d_step { pc[r] == Start && RUNS(r) && keeperUp[P(r)] &&
                (presence != NONE || queue != 0 || tries || INORDER(r)) ->
        wanted[r] = true; name[r] = KEEPER;
        if
        :: presence == NONE && queue == 0 ->
            SETROWGEN(r);
            grantTo(r, 0, queue);
            mine = token; believes[r] = true; pc[r] = Hold
        :: else -> pc[r] = (tries -> TryLook : Join)
        fi }

    :: d_step { pc[r] == Join && RUNS(r) && INORDER(r) ->
        arrivals++;
        seq[r] = arrivals; localSeq[r] = arrivals;
        waiting[r] = true;
        SETROWGEN(r);
#ifdef MUTANT_EARLY_JOIN
        if
        :: early -> seq[r] = 0       /* in front of all */
        :: else
        fi;
        early = false;
#endif
#ifdef MUTANT_DISPLACE
        first(queue, who);
        if
        :: who != NONE && !USED(rowGens, who) ->
            queue = queue & ~BIT(who);
            j = seq[who]; seq[who] = seq[r]; seq[r] = j
        :: else
        fi;
#endif
#ifndef MUTANT_QUEUE_OF_FREE_ROW
        if
        :: presence == NONE && queue == 0 -> grantTo(r, 0, queue)
        :: else -> queue = queue | BIT(r)
        fi;
#else
        queue = queue | BIT(r);
#endif
        pc[r] = Look }

#ifdef MUTANT_EARLY_JOIN
    :: d_step { pc[r] == Join && RUNS(r) && queue == 0 && !early -> early = true }
#endif

    /* Reads the row in one view. */
    :: d_step { pc[r] == Look && EXISTS(r) ->
        readToken[r] = token; vPresence = presence; readQueue[r] = queue; readGens[r] = rowGens;
        vStage = stage; readNearer[r] = nearer;
        passed[r] = stage;
        pc[r] = Decide }

    :: d_step { pc[r] == Decide && RUNS(r) ->
#ifndef MUTANT_ASLEEP
        if
        :: vPresence != NONE && vPresence != r && P(vPresence) == P(r) && waiting[vPresence] -> woken[vPresence] = true
        :: else
        fi;
#endif
#ifndef MUTANT_MATE_FORGOTTEN
        if
        :: HASMATE(r) && waiting[MATE(r)] && !IN(MATE(r), readQueue[r]) -> woken[MATE(r)] = true
        :: else
        fi;
#endif
        before(r, readQueue[r], m);
        last(m, who);
        if
        :: vPresence == r ->
            waiting[r] = false; mine = readToken[r]; orphan = 0; woken[r] = false;
            believes[r] = (presence == r && token == mine && stage == 0);
            RESETVIEW;
            pc[r] = Hold
        :: vPresence != r && !IN(r, readQueue[r]) ->
            awaited = NONE;
#ifdef MUTANT_NO_REJOIN
            if
            :: vPresence != NONE -> waitsFor[r] = vPresence; readQueue[r] = 0; claim = 1; FORGETVIEW; pc[r] = Wait
            :: else -> pc[r] = Rejoin
            fi
#else
            pc[r] = Rejoin
#endif
        :: vPresence != r && IN(r, readQueue[r]) && !FIRSTINPROCESS(r) -> RESETVIEW; orphan = 0; pc[r] = Local
        :: vPresence != r && IN(r, readQueue[r]) && FIRSTINPROCESS(r) && m == 0 ->
            awaited = NONE; claim = 1;
            pc[r] = (vPresence == NONE || vStage >= 1 -> Claim : AskHolder)
        :: vPresence != r && IN(r, readQueue[r]) && FIRSTINPROCESS(r) && m != 0 ->
            claimStage(m, claim);
            if
            :: awaited == who || (vPresence != NONE && vStage >= claim) -> pc[r] = Ask
            :: else -> waitsFor[r] = who; readQueue[r] = BIT(who); FORGETVIEW; pc[r] = Wait
            fi;
            awaited = NONE
        fi }

    /* Which of those before me live? Newer than the row that was read. */
    :: d_step { pc[r] == Ask && RUNS(r) ->
        before(r, readQueue[r], m);
        deadOf(m, readGens[r], dead);
        m = m & ~dead;
        claimStage(m, claim);
        last(m, who);
        if
        :: m == 0 -> pc[r] = (vPresence == NONE || vStage >= 1 -> Claim : AskHolder)
        :: m != 0 && vPresence != NONE && vStage >= claim -> pc[r] = Claim
        :: else -> waitsFor[r] = who; readQueue[r] = BIT(who); FORGETVIEW; pc[r] = Wait
        fi }

    /* Does the holder live? Part of the look, but newer than the row. */
    :: d_step { pc[r] == AskHolder && RUNS(r) ->
        dead = 0;
        if
        :: USED(readGens[r], vPresence) -> orphan = 0; waitsFor[r] = vPresence; readQueue[r] = 0; FORGETVIEW; pc[r] = Wait
#ifdef MUTANT_ONE_LOOK
        :: else -> pc[r] = Orphan
#else
        :: !USED(readGens[r], vPresence) && orphan != SEEN -> orphan = SEEN; pc[r] = Look
        :: else ->
            /* It costs up to a second, so only a fault may lead here. */
            assert(torn[vPresence] || GEN(readGens[r], vPresence) != gen[vPresence]);
            pc[r] = Orphan
#endif
        fi }

    /* The wait ends on the server: the name is free, the session was killed, or the own claim time has come. */
    :: d_step { pc[r] == Wait && EXISTS(r) && waitsFor[r] < N && !USED(readGens[r], waitsFor[r]) ->
        awaited = waitsFor[r];
#ifdef TOUCHES
        if
        :: name[waitsFor[r]] == FREE && gen[waitsFor[r]] == GEN(readGens[r], waitsFor[r]) ->
            name[waitsFor[r]] = TOUCH
        :: else
        fi;
        pc[r] = Touch
#else
        waitsFor[r] = NONE; pc[r] = Look
#endif
        }
    :: d_step { pc[r] == Touch ->
        if
        :: name[awaited] == TOUCH -> name[awaited] = FREE
        :: else
        fi;
        waitsFor[r] = NONE; pc[r] = Look }
    :: d_step { pc[r] == Wait && RUNS(r) && waitsFor[r] == KICK ->
        waitsFor[r] = NONE; awaited = NONE; pc[r] = Look }
    :: d_step { pc[r] == Wait && EXISTS(r) && passed[r] >= claim ->
        waitsFor[r] = NONE; awaited = NONE; pc[r] = Look }

    /* One look a second, so it sees whatever changed. */
#ifdef MUTANT_ONE_LOOK
    :: d_step { pc[r] == Orphan && RUNS(r) && passed[r] >= claim ->
#else
    :: d_step { pc[r] == Orphan && RUNS(r) &&
                (token != readToken[r] || presence != vPresence || stage > 0 || USED(readGens[r], vPresence)) ->
#endif
        pc[r] = Look }

    :: d_step { pc[r] == Local && RUNS(r) && (FIRSTINPROCESS(r) || woken[r]) ->
        woken[r] = false; pc[r] = Look }

    /* The GRANT by which a waiter takes a free or expired row. */
    :: d_step { pc[r] == Claim && RUNS(r) ->
        sameUpTo(r, readQueue[r], readGens[r], same);
        if
        :: token == readToken[r] && presence == vPresence && same && (presence == NONE || stage >= claim) ->
            m = queue;
            queue = queue & ~(BIT(r) | dead);
            grantTo(r, dead, m);
            mine = token; believes[r] = true; waiting[r] = false; woken[r] = false; orphan = 0;
            RESETVIEW;
            pc[r] = Hold
        :: else -> dead = 0; pc[r] = Look
        fi }

    :: d_step { pc[r] == Rejoin && RUNS(r) && keeperUp[P(r)] ->
#ifndef MUTANT_OLD_NAME
        /* Somebody may have chosen to wait for the old name, and have been granted over it: it goes for ever. */
        if
        :: gen[r] == GEN(rowGens, r) -> gen[r]++; name[r] = KEEPER
        :: else
        fi;
#endif
        sameQueue(readQueue[r], readGens[r], same);
        if
#ifndef MUTANT_QUEUE_OF_FREE_ROW
        :: same && presence == NONE -> assert(queue == 0); SETROWGEN(r); grantTo(r, 0, queue)
        :: same && presence != NONE ->
#else
        :: same ->
#endif
            assert(presence != r);
            SETROWGEN(r);
#if defined(MUTANT_REJOIN_LAST) || defined(MUTANT_ASLEEP)
            arrivals++; seq[r] = arrivals;
#endif
            queue = queue | BIT(r)
        :: else
        fi;
        pc[r] = Look }

    /* Work, for a moment or for long. */
    :: d_step { pc[r] == Hold && RUNS(r) -> pc[r] = HoldLong }
    :: d_step { pc[r] == HoldLong && RUNS(r) && shortens > 0 -> shortens--; pc[r] = Renew }
    :: d_step { pc[r] == Renew && RUNS(r) && keeperUp[P(r)] ->
        if
        :: presence == r && token == mine ->
            nearer = true; stage = 0;
#ifdef MUTANT_OLD_NAME
            pc[r] = RenewWake
#else
#ifndef MUTANT_SILENT_RENEWAL
            gen[r]++; name[r] = KEEPER; SETROWGEN(r);
#endif
            pc[r] = HoldLong
#endif
        :: else -> pc[r] = HoldLong
        fi }
    :: d_step { pc[r] == RenewWake && EXISTS(r) -> /* RELEASE_LOCK; the keeper takes it again */
        if
        :: name[r] == KEEPER -> name[r] = FREE; torn[r] = true
        :: else
        fi;
        pc[r] = HoldLong }

    /* HAND_OVER, one packet of the keeper's session: the row, then the name. */
#ifdef MUTANT_NAME_FIRST
    :: d_step { pc[r] == Hold && RUNS(r) && keeperUp[P(r)] ->
        wanted[r] = false; name[r] = FREE; pc[r] = HandOver }
    :: d_step { pc[r] == HandOver && RUNS(r) && keeperUp[P(r)] ->
#else
    :: d_step { (pc[r] == Hold || pc[r] == HandOver) && RUNS(r) && keeperUp[P(r)] ->
#endif
        believes[r] = false;
        first(queue, who);
        if
        :: OWN(r) && queue == 0 ->
            ENDSOWN(r);
            presence = NONE; stage = 0; pc[r] = Drop
        :: OWN(r) && queue != 0 && USED(rowGens, who) ->
            ENDSOWN(r);
            m = queue; queue = queue & ~BIT(who);
            grantTo(who, 0, m);
            pc[r] = Drop
        :: else -> pc[r] = ReleaseLook
        fi }
    :: d_step { pc[r] == ReleaseLook && EXISTS(r) ->
        readToken[r] = token; vPresence = presence; readQueue[r] = queue; readGens[r] = rowGens;
        pc[r] = (OWN(r) -> ReleaseAsk : Drop) }
    :: d_step { pc[r] == ReleaseAsk && RUNS(r) -> deadOf(readQueue[r], readGens[r], dead); pc[r] = Grant }
    :: d_step { pc[r] == Grant && RUNS(r) && keeperUp[P(r)] ->
        m = readQueue[r] & ~dead;
        first(m, who);
        if
        :: who != NONE ->
            before(who, readQueue[r], m);
            sameUpTo(who, readQueue[r], readGens[r], same);
            if
            :: token == readToken[r] && presence == vPresence && same ->
                ENDSOWN(r);
                best = queue;
                queue = queue & ~(m | BIT(who));
                grantTo(who, dead, best);
                pc[r] = Drop
            :: else -> pc[r] = ReleaseLook
            fi
        :: else ->
            sameQueue(readQueue[r], readGens[r], same);
            if
#ifndef MUTANT_QUEUE_OF_FREE_ROW
            :: token == readToken[r] && presence == vPresence && same ->
#else
            :: token == readToken[r] && presence == vPresence && (queue & readQueue[r]) == readQueue[r] ->
#endif
                ENDSOWN(r);
                queue = queue & ~readQueue[r];
                presence = NONE; stage = 0;
                pc[r] = Drop
            :: else -> pc[r] = ReleaseLook
            fi
        fi;
        dead = 0 }
    :: d_step { pc[r] == Drop && EXISTS(r) ->
        wanted[r] = false;
        if
        :: name[r] == KEEPER -> name[r] = FREE
        :: else
        fi;
        RESETVIEW; mine = 0;
        seq[r] = 0; localSeq[r] = 0;
        pc[r] = Ended }

#ifdef LOST
    /* The answer to a grant, or to a release, was lost: look who has the row, or release again. */
    :: d_step { pc[r] == Hold && RUNS(r) && faults > 0 && presence == r ->
        faults--; believes[r] = false; waiting[r] = true; pc[r] = Look }
    :: d_step { pc[r] == Drop && RUNS(r) && faults > 0 -> faults--; pc[r] = HandOver }
#endif

    /* The budget of the request is over, or it was cancelled. */
    :: d_step { (pc[r] == Wait || pc[r] == Local || pc[r] == Orphan) && RUNS(r) && leaves > 0 ->
        leaves--; waitsFor[r] = NONE; woken[r] = false; pc[r] = Leave }
    :: d_step { pc[r] == Leave && RUNS(r) -> queue = queue & ~BIT(r); pc[r] = LeaveLook }
    :: d_step { pc[r] == LeaveLook && EXISTS(r) -> readToken[r] = token; vPresence = presence; pc[r] = LeaveDone }
    :: d_step { pc[r] == LeaveDone && RUNS(r) ->
        waiting[r] = false; orphan = 0;
        if
        :: vPresence == r ->
            mine = readToken[r]; believes[r] = (presence == r && token == mine && stage == 0); pc[r] = Hold
        :: else ->
            if
#ifndef MUTANT_ASLEEP
            :: vPresence != NONE && P(vPresence) == P(r) && waiting[vPresence] -> woken[vPresence] = true
#endif
            :: else
            fi;
            pc[r] = Drop
        fi;
        RESETVIEW }

    /* A newcomer that does not wait. */
    :: d_step { pc[r] == TryLook && EXISTS(r) ->
        readToken[r] = token; vPresence = presence; readQueue[r] = queue; readGens[r] = rowGens; vStage = stage;
        pc[r] = (presence == NONE || stage == 4 -> TryAsk : Drop) }
    :: d_step { pc[r] == TryAsk && RUNS(r) ->
        deadOf(readQueue[r], readGens[r], dead);
        pc[r] = (vPresence == NONE && (readQueue[r] & ~dead) != 0 -> Drop : TryClaim) }
    :: d_step { pc[r] == TryClaim && RUNS(r) ->
        if
        :: token == readToken[r] && presence == vPresence && (queue & readQueue[r]) == readQueue[r] &&
           (presence == NONE || stage == 4) ->
            m = queue;
            queue = queue & ~dead;
            grantTo(r, dead, m);
            mine = token; believes[r] = true;
            RESETVIEW;
            pc[r] = Hold
        :: else -> pc[r] = Drop
        fi }

    od
}

/* The keeper connects again and takes all its names, one after the other. */
#define RETAKE(r) d_step { proc[p] == RUNNING && P(r) == p && keeperUp[p] && wanted[r] && name[r] == FREE -> \
                           name[r] = KEEPER }
proctype Keeper(byte p)
{
    do
    :: d_step { proc[p] == RUNNING && !keeperUp[p] -> keeperUp[p] = true }
    :: RETAKE(0)
    :: RETAKE(1)
    :: RETAKE(2)
#if N > 3
    :: RETAKE(3)
#endif
#if N > 4
    :: RETAKE(4)
#endif
    od
}

inline loseNames(p)
{
    keeperUp[p] = false; i = 0;
    do
    :: i < N ->
        if
        :: P(i) == p && name[i] == KEEPER -> name[i] = FREE; torn[i] = true
        :: else
        fi;
        i++
    :: else -> break
    od;
    i = 0                        /* a d_step must not end with a loop */
}
/* All sessions are gone, and with them all names; the row stays. */
inline restart()
{
    p = 0;
    do
    :: p < NP -> loseNames(p); p++
    :: else -> break
    od;
    p = 0;
    do
    :: p < N ->
        if
        :: waitsFor[p] < N -> waitsFor[p] = KICK
        :: else
        fi;
#ifdef FORGET
        believes[p] = false;     /* nobody can help that */
#endif
        p++
    :: else -> break
    od;
    p = 0
}
/* What the checks remember of a process that stops. */
inline stop(p)
{
    i = 0;
    do
    :: i < N && P(i) == p -> late[i] = true; believes[i] = believes[i] && proc[p] == FROZEN; i++
    :: i < N && P(i) != p -> i++
    :: else -> break
    od;
    i = 0
}

/* Nothing moves by itself any more: nobody who runs may need time to pass, but for what the protocol says. */
inline checkQuiet()
{
    i = 0;
    do
    :: i < N ->
        if
        :: RUNS(i) && waiting[i] ->
            assert(presence != NONE);        /* a free row is taken */
            assert(presence != i);           /* a grant is noticed */
            assert(IN(i, queue));            /* a place is kept */
            assert(stage < 3)                /* an expired lease is claimed */
#ifndef FORGET
        :: RUNS(i) && pc[i] == Ended -> assert(!IN(i, queue) && presence != i)
#endif
        :: else
        fi;
        i++
    :: else -> break
    od
}

/* Nothing more can happen: everybody who lives has had its lease, or left. */
inline checkEnd()
{
    i = 0;
    do
    :: i < N -> assert(!EXISTS(i) || pc[i] == Start || pc[i] == Ended); i++
    :: else -> break
    od
}

/* Its lease may end: nobody who runs holds it. */
#define ANYFROZEN (proc[0] == FROZEN || proc[1] == FROZEN || proc[NP - 1] == FROZEN)
#define ABANDONED (presence != NONE && stage == 0 && !(RUNS(presence) && pc[presence] != Ended))

/* Time goes on, and with it the waits whose bound is in the past. */
inline advance(to)
{
    stage = to; i = 0;
    do
    :: i < N ->
        if
        :: readToken[i] == token && readNearer[i] == nearer -> passed[i] = stage
#ifndef MUTANT_OLD_END
        /* Who is not first looks again after the shortest TTL of those before it, so before the end of a lease that
         * one of them got since. */
        :: waiting[i] && (readToken[i] != token || readNearer[i] != nearer) && (readQueue[i] & ~BIT(i)) != 0 ->
            passed[i] = 4
#endif
        :: else
        fi;
        i++
    :: else -> break
    od;
    i = 0                        /* a d_step must not end with a loop */
}

#define LETGO(r) d_step { RUNS(r) && pc[r] == HoldLong -> believes[r] = false; pc[r] = HandOver }

#ifdef FORCE
/* An operator ends a lease that somebody holds. */
bool pending = true;
byte passes = FORCE;             /* so many times it ends the waits for the old holder, moments apart */
byte forced = NONE, forcedGen;
inline endWaits()
{
    i = 0;
    do
    :: i < N ->
        if
        :: waitsFor[i] < N && waitsFor[i] == forced && GEN(readGens[i], forced) == forcedGen -> waitsFor[i] = KICK
        :: else
        fi;
        i++
    :: else -> break
    od;
    i = 0
}
proctype Operator()
{
    byte vToken, vPresence = NONE, vQueue, dead;
    short vGens;
    do
    :: d_step { armed && presence != NONE && pending ->
        vToken = token; vPresence = presence; vQueue = queue; vGens = rowGens };
    d_step { deadOf(vQueue, vGens, dead); dead = dead };
    d_step {
        m = vQueue & ~dead;
        first(m, who);
        if
        :: who != NONE -> sameUpTo(who, vQueue, vGens, same)
        :: else -> sameQueue(vQueue, vGens, same)
        fi;
        if
        :: token == vToken && presence == vPresence && same ->
            forced = vPresence; forcedGen = GEN(vGens, vPresence);
            believes[vPresence] = false;
            if
            :: who != NONE ->
                before(who, vQueue, m);
                best = queue;
                queue = queue & ~(m | BIT(who));
                grantTo(who, dead, best)
            :: else -> queue = 0; presence = NONE; stage = 0
            fi
        :: else
        fi;
        pending = false; vToken = 0; vPresence = NONE; vQueue = 0; vGens = 0; dead = 0 };
    d_step { forced != NONE && passes > 0 -> passes--; endWaits() }
    od
}
#endif

#ifdef FORCE
#define PENDING pending
#else
#define PENDING false
#endif

proctype World()
{
    byte p;
    do
    :: d_step { armed -> armed = false }
    :: d_step { armed && ABANDONED -> advance(1); believes[presence] = false }
    :: atomic { armed && ANYFROZEN -> select (p : 0 .. NP - 1);
        if
        :: d_step { proc[p] == FROZEN -> proc[p] = RUNNING }
        :: else
        fi;
        p = 0 }
#ifdef RESTART
    :: d_step { armed && faults > 0 -> faults--; restart() }
#endif
#ifdef FORGET
    :: d_step { armed && faults > 0 && token > oldToken ->
        faults--; restart();
        token = oldToken; presence = oldPresence; queue = oldQueue; rowGens = oldGens; stage = 0; nearer = false;
        torn[0] = true; torn[1] = true; torn[2] = true; i = 0 }
#endif
#ifdef KILL_WAITER
    :: atomic { armed && faults > 0 -> select (p : 0 .. N - 1);
        if
        :: d_step { waitsFor[p] < N -> faults--; waitsFor[p] = KICK }
        :: else
        fi;
        p = 0 }
#endif
    :: atomic { armed && faults > 0 -> select (p : 0 .. NP - 1);
        if
#ifdef KILL_KEEPER
        :: d_step { keeperUp[p] -> faults--; loseNames(p) }
#endif
#ifdef DIE
        :: d_step { proc[p] != DEAD -> faults--; loseNames(p); proc[p] = DEAD; stop(p) }
#endif
#ifdef FREEZE
        :: d_step { proc[p] == RUNNING -> faults--; proc[p] = FROZEN; stop(p) }
#endif
        :: else
        fi;
        p = 0 }
    :: timeout ->
        atomic {
#ifdef FORCE
            if
            :: d_step { forced != NONE && passes > 0 -> passes--; endWaits() }
            :: else ->
#endif
            checkQuiet();
            if
            :: d_step { ABANDONED -> advance(1); believes[presence] = false }
            :: d_step { presence != NONE && stage > 0 && stage < 4 -> who = stage + 1; advance(who) }
            :: d_step { faults > 0 || ANYFROZEN || PENDING -> armed = true }
            :: LETGO(0) :: LETGO(1) :: LETGO(2)
#if N > 3
            :: LETGO(3)
#endif
#if N > 4
            :: LETGO(4)
#endif
            :: else -> checkEnd(); break
            fi
#ifdef FORCE
            fi
#endif
        }
    od
}

init
{
    atomic {
        i = 0;
        do
        :: i < NP -> run Keeper(i); i++
        :: else -> break
        od;
        do
        :: i > 0 -> i--;
        :: else -> break
        od;
        do
        :: i < N -> run Request(i, TRIES(i)); i++
        :: else -> break
        od;
#ifdef FORCE
        run Operator();
#endif
        run World()
    }
}
