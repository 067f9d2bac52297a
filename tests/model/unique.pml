/* SPDX-License-Identifier: MIT */
/* The queue in the row: unique mode at the grain of its statements. README.md tells words, faults and limits.
 *
 * Each d_step is one SQL statement, or one decision of a client between two of them. What happens on the server (the
 * end of a wait, the read of a row, what follows in the same packet) happens to a frozen process too; a client's part
 * needs RUNS(r). MUTANT_x puts a defect in; each must be found. */

/* Requests 0..N-1. Each waits once for the one resource, holds it and releases it. They are alike, so without loss they
 * enter (ACQUIRE or JOIN) in this order; which of them are threads of one process is the shape of a configuration. */
#ifndef N
#define N 4
#endif
#ifndef SHAPE
#define SHAPE 0
#endif
#if SHAPE == 0                   /* A A B B */
#define P(r) ((r) / 2)
#define MATE(r) ((r) ^ 1)
#elif SHAPE == 1                 /* A B A B */
#define P(r) ((r) & 1)
#define MATE(r) ((r) ^ 2)
#else                            /* A B B A */
#define P(r) ((((r) + 1) / 2) & 1)
#define MATE(r) (3 - (r))
#endif
#define NP 2
#define HASMATE(r) (MATE(r) < N)

#ifndef FAULTS
#define FAULTS 1                 /* so many faults in a run, of the kinds that are defined */
#endif
/* Those who try without waiting, as a set. */
#ifndef TRYING
#define TRYING 0
#endif

#define NONE 15                  /* no name: presence '-' */
#define KICK 14                  /* the session of this wait was killed */
#define BIT(r) (1 << (r))
#define IN(r, set) (((set) >> (r)) & 1)

/* ---- the server -------------------------------------------------------------------------------------------------- */

/* The row. The queue is a set, ordered by seq[]: each request has one entry at most, and all statements keep the order.
 * stage: how far beyond its end the lease is, that is, who may claim it: 0 nobody, 1 the first, 2 the second, 3 every
 * waiter, 4 a newcomer. nearer: a renewal shortened it, so who computed with the old end is wrong. */
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
/* Of the names that a request has one after the other the newest is held, and for a while the one before it. The row,
 * and what was read of it, may have an older one, which nobody takes again. Two bits each. */
byte gen[N];
bool formerHeld[N];
short rowGens, readGens[N];
#define GEN(gens, r) (((gens) >> (2 * (r))) & 3)
#define USED(gens, r) ((name[r] != FREE && gen[r] == GEN(gens, r)) || (formerHeld[r] && gen[r] == GEN(gens, r) + 1))
#define SETROWGEN(r) rowGens = (rowGens & ~(3 << (2 * (r)))) | (gen[r] << (2 * (r)))
#define ROWNAMES(r) (presence == r && GEN(rowGens, r) == gen[r])

/* ---- the clients ------------------------------------------------------------------------------------------------- */

#define RUNNING 0
#define FROZEN 1
#define DEAD 2
byte proc[NP];
#define RUNS(r) (proc[P(r)] == RUNNING)
#define EXISTS(r) (proc[P(r)] != DEAD)
bool keeperUp[NP] = true;        /* the keeper's session */
bool wanted[N];                  /* the keeper takes this name again after it lost its session */
byte localSeq[N];                /* the arrival of its first JOIN; orders the requests of a process */
bool waiting[N];                 /* in the queue as its own process knows it */
bool called[N];                  /* asleep in its process, and called to look */
bool nameLost[N];                /* its keeper has lost the session and is back: it looks before it sleeps on */
byte waitsFor[N] = NONE;         /* what its session blocks on; the process list of the server shows it */
byte readToken[N], readQueue[N]; /* of the row as the request read it; more of it in Request */
bool readNearer[N];
bool behind[N];                  /* it was not the first when it looked */
byte passed[N];                  /* the stage for which a wait that is bounded by what was read is over */
#if defined(RESTART) || defined(FORGET)
bool broken[N];                  /* the session that read the row is gone: nothing is waited for on another one */
#define BROKEN(r) broken[r]
#else
#define BROKEN(r) false
#endif
mtype = { Start, Join, Look, Decide, AskHolder, Wait, Touching, DropDead, Orphan, Local, Claim, Rejoin,
          Hold, HoldLong, Renew, RenewName, HandOver, ReleaseDrop, ReleaseLook, Drop, LetGo, Leave, LeaveLook,
          LeaveDone, TryLook, TryDrop, TryAgain, TryClaim, Ended };
mtype pc[N] = Start;

/* ---- ghosts: what only the checks know --------------------------------------------------------------------------- */

bool believes[N];                /* holds and its deadline has not passed */
bool over[N];                    /* its deadline has passed: its own clock says so */
bool late[N];                    /* was frozen during this lease, so it may be passed over */
bool torn[NP];                   /* has lost names to a fault */
byte faults = FAULTS;
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
/* out = the first of a set */
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
/* out = the last of a set when `skipped` are left out at its end; NONE if none is left */
inline lastBut(set, skipped, out)
{
    m = set; j = 0;
    do
    :: j <= skipped ->
        out = NONE; best = 0; i = 0;
        do
        :: i < N ->
            if
            :: IN(i, m) && seq[i] >= best -> best = seq[i]; out = i
            :: else
            fi;
            i++
        :: else -> break
        od;
        m = (out == NONE -> m : m & ~BIT(out));
        j++
    :: else -> break
    od
}
/* out = how many are in a set */
inline count(set, out)
{
    out = 0; i = 0;
    do
    :: i < N -> out = out + IN(i, set); i++
    :: else -> break
    od
}
/* Who may claim when, with so many before it: also in the guard of the claim itself. */
#define CLAIMSTAGE(ahead) ((ahead) < 2 -> (ahead) + 1 : 3)

/* out = is the whole queue as it was read? Names are compared too. */
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

/* Who may not be overtaken by whom. After a crash that forgot its grant a holder may be in the queue, out of order. */
#ifdef FORGET
#define BEFORE(i, to) (waiting[to] && localSeq[i] < localSeq[to])
#else
#define BEFORE(i, to) (!waiting[to] || localSeq[i] < localSeq[to])
#endif

/* The row begins to name `to`. */
inline grantTo(to, inQueue)
{
    i = 0;
    do
    :: i < N ->
        /* Exclusion: nobody else believes that it holds. */
        assert(!believes[i]);
#ifndef MUTANT_ASLEEP
        /* Order: nobody is passed over who is in the queue, runs, has its name held and was not late. */
        assert(!(IN(i, inQueue) && i != to && waiting[i] && BEFORE(i, to) &&
                 USED(rowGens, i) && name[i] == KEEPER && RUNS(i) && !late[i]));
#endif
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
#define OWN(r) (token == mine && ROWNAMES(r))
#endif
#define ENDSOWN(r) assert(presence == r && token == mine)

#define INORDER(r) (r == 0 || (pc[r - 1] != Start && pc[r - 1] != Join) || !RUNS(r - 1))

/* Its entry is in the row that it read. */
#define HASPLACE(r) (IN(r, readQueue[r]) && GEN(readGens[r], r) == gen[r])
/* In the order of the process: one who comes back calls the next. */
#define MAYREJOIN(r) (FIRSTINPROCESS(r) || \
                      (vPresence != NONE && (vPresence == MATE(r) || IN(MATE(r), readQueue[r]))))

/* A wait remembers its name and its bound. */
#define SLEEPON(x) waitsFor[r] = x; readGens[r] = readGens[r] & (3 << (2 * x)); \
                   readQueue[r] = 0; vPresence = NONE; vStage = 0; pc[r] = Wait
#define FORGETVIEW readToken[r] = 0; readQueue[r] = 0; readGens[r] = 0; readNearer[r] = 0; behind[r] = false; \
                   passed[r] = 0; vPresence = NONE; vStage = 0; claim = 0; awaited = NONE; skipped = 0
/* Who claims as the first must be it when the statement runs. */
#ifdef MUTANT_NO_GRACE
#define BEHINDSTAGE claim
#else
#define BEHINDSTAGE (claim < 2 -> 2 : claim)
#endif
#define NONAME 255
#define HOLDERSNAME (4 * vPresence + GEN(readGens[r], vPresence))

proctype Request(byte r; bool tries)
{
    byte vPresence = NONE, vStage; /* more of the row as it was read */
    byte claim;                  /* the stage in which this request may claim */
    byte awaited = NONE;         /* what it waited for when it woke because that was free */
    byte skipped;                /* so many right before it were found dead */
    byte orphan = NONAME;        /* name of a holder that was seen dead once */
    byte mine;                   /* token of the lease held */
    bool contended;              /* somebody may wait for the name of the lease held */
    bool wasOut;                 /* it was dropped from the queue, and so may its mate have been */
#ifdef MUTANT_EARLY_JOIN
    bool early;                  /* nobody was before it, when it looked */
#endif

    do
    /* engine/acquire. The keeper has taken the name ahead of need. */
    :: d_step { pc[r] == Start && RUNS(r) && keeperUp[P(r)] && (presence != NONE || tries || INORDER(r)) ->
        wanted[r] = true; name[r] = KEEPER;
        if
        :: presence == NONE && queue == 0 ->
            SETROWGEN(r);
            grantTo(r, queue);
            mine = token; believes[r] = true; pc[r] = Hold
        :: else -> pc[r] = (tries -> TryLook : Join)
        fi }

    /* engine/join: takes a free row, or joins behind all. */
#ifdef MUTANT_EARLY_JOIN
    :: d_step { pc[r] == Join && RUNS(r) && queue == 0 && !early -> early = true }
#endif
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
        if
#ifndef MUTANT_QUEUE_OF_FREE_ROW
        :: presence == NONE -> grantTo(r, queue)
#endif
        :: else -> queue = queue | BIT(r)
        fi;
        pc[r] = Look }

    /* engine/look: the row in one view. */
    :: d_step { pc[r] == Look && EXISTS(r) ->
        nameLost[r] = false; called[r] = false;
        readToken[r] = token; vPresence = presence; readQueue[r] = queue; readGens[r] = rowGens;
        vStage = stage; readNearer[r] = nearer; passed[r] = stage;
        before(r, queue, m);
        behind[r] = m != 0;
#if defined(RESTART) || defined(FORGET)
        broken[r] = false;
#endif
        pc[r] = Decide }

    :: d_step { pc[r] == Decide && RUNS(r) ->
        /* Its mate sleeps: it is called if the row names it, or if it has lost its place. */
        wasOut = wasOut || (vPresence != r && !IN(r, readQueue[r]));
        if
#ifndef MUTANT_ASLEEP
        :: HASMATE(r) && waiting[MATE(r)] && vPresence == MATE(r) -> called[MATE(r)] = true
#endif
#ifndef MUTANT_MATE_FORGOTTEN
        :: HASMATE(r) && waiting[MATE(r)] && vPresence != MATE(r) &&
            (vPresence == r -> wasOut : !IN(MATE(r), readQueue[r])) -> called[MATE(r)] = true
#endif
        :: else
        fi;
        before(r, readQueue[r], j);
        count(j, m);
        claim = CLAIMSTAGE(m);
        if
        :: vPresence == r ->
            waiting[r] = false; called[r] = false; wasOut = false; orphan = NONAME;
            mine = readToken[r]; contended = true;
            believes[r] = (presence == r && token == mine && stage == 0); over[r] = !believes[r];
            FORGETVIEW;
            pc[r] = Hold
        :: vPresence != r && !HASPLACE(r) ->
            awaited = NONE; skipped = 0;
#ifdef MUTANT_NO_REJOIN
            if
            :: vPresence != NONE && name[r] != FREE -> SLEEPON(vPresence)
            :: else -> pc[r] = Rejoin
            fi
#else
            if
            :: MAYREJOIN(r) -> pc[r] = Rejoin
            :: else -> FORGETVIEW; orphan = NONAME; pc[r] = Local
            fi
#endif
        :: vPresence != r && HASPLACE(r) && !FIRSTINPROCESS(r) -> FORGETVIEW; orphan = NONAME; pc[r] = Local
        :: vPresence != r && HASPLACE(r) && FIRSTINPROCESS(r) && vPresence == NONE ->
#ifdef MUTANT_QUEUE_OF_FREE_ROW
            lastBut(j, 0, who);
            if
            :: who == NONE -> pc[r] = Claim
            :: else -> SLEEPON(who)
            fi
#else
            assert(false)            /* a free row has no queue */
#endif
        :: vPresence != r && HASPLACE(r) && FIRSTINPROCESS(r) && vPresence != NONE &&
            (m == 0 || vStage >= claim) ->
            awaited = NONE; skipped = 0;
            pc[r] = (vStage >= 1 -> Claim : AskHolder)
        :: else ->
            /* Who is right before it? Whose name was free when it was waited for is dead: then the one before that. */
            lastBut(j, skipped, who);
            if
            :: who != NONE && awaited == who -> skipped++; pc[r] = DropDead
            :: who != NONE && awaited != who -> SLEEPON(who)
            :: else -> pc[r] = AskHolder
            fi;
            awaited = NONE
        fi }

    /* engine/drop_dead, in the packet of a look: the dead leave the front of the queue. */
    :: d_step { pc[r] == DropDead && EXISTS(r) ->
        first(queue, who);
        if
        :: who != NONE && !USED(rowGens, who) -> queue = queue & ~BIT(who)
        :: else -> pc[r] = Look
        fi }

    /* Does the holder live? Part of the look, but newer than the row. */
    :: d_step { pc[r] == AskHolder && RUNS(r) ->
        skipped = 0;
        if
        :: USED(readGens[r], vPresence) ->
            orphan = NONAME;
            SLEEPON(vPresence)
#ifdef MUTANT_ONE_LOOK
        :: else -> pc[r] = Orphan
#else
        :: !USED(readGens[r], vPresence) && orphan != HOLDERSNAME -> orphan = HOLDERSNAME; pc[r] = Look
        :: else ->
            /* It costs up to a second, so only a fault may lead here. */
            assert(torn[P(vPresence)]);
            pc[r] = Orphan
#endif
        fi }

    /* engine/wait. It ends on the server: the name is free, the session was killed, or its time is over. */
    :: d_step { pc[r] == Wait && EXISTS(r) && waitsFor[r] < N && !USED(readGens[r], waitsFor[r]) ->
        awaited = waitsFor[r];
#ifdef TOUCHES
        if
        :: name[awaited] == FREE && gen[awaited] == GEN(readGens[r], awaited) -> name[awaited] = TOUCH
        :: else
        fi;
        pc[r] = Touching
#else
        waitsFor[r] = NONE; pc[r] = Look
#endif
        }
    :: d_step { pc[r] == Touching ->
        if
        :: name[awaited] == TOUCH -> name[awaited] = FREE
        :: else
        fi;
        waitsFor[r] = NONE; pc[r] = Look }
    :: d_step { pc[r] == Wait && RUNS(r) && (waitsFor[r] == KICK || BROKEN(r)) ->
        waitsFor[r] = NONE; awaited = NONE; skipped = 0; pc[r] = Look }
    :: d_step { pc[r] == Wait && EXISTS(r) && passed[r] >= claim ->
        waitsFor[r] = NONE; awaited = NONE; skipped = 0; pc[r] = Look }
    /* The keeper had lost its session, and called all requests of its process that wait: each looks once whether it has
     * its place still, also one that was about to wait. */
    :: d_step { (pc[r] == Wait || pc[r] == Orphan || pc[r] == Local) && RUNS(r) && nameLost[r] ->
        waitsFor[r] = NONE; awaited = NONE; skipped = 0; pc[r] = Look }

    /* One look a second, so it sees whatever changed. */
#ifdef MUTANT_ONE_LOOK
    :: d_step { pc[r] == Orphan && RUNS(r) && passed[r] >= claim ->
#else
    :: d_step { pc[r] == Orphan && RUNS(r) &&
                (token != readToken[r] || presence != vPresence || stage > 0 || USED(rowGens, vPresence) ||
                 GEN(rowGens, vPresence) != GEN(readGens[r], vPresence)) ->
#endif
        pc[r] = Look }

    :: d_step { pc[r] == Local && RUNS(r) && (FIRSTINPROCESS(r) || called[r]) ->
        called[r] = false; pc[r] = Look }

    /* engine/claim: the expired lease that was seen. */
    :: d_step { pc[r] == Claim && RUNS(r) ->
        before(r, queue, m);
        if
#ifdef MUTANT_QUEUE_OF_FREE_ROW
        :: token == readToken[r] && presence == NONE && IN(r, queue) && m == 0 ->
            queue = queue & ~BIT(r);
            grantTo(r, queue);
            mine = token; contended = true; believes[r] = true; waiting[r] = false;
            FORGETVIEW;
            pc[r] = Hold
#endif
        :: token == readToken[r] && presence != NONE &&
            stage >= (queue == 0 || (IN(r, queue) && m == 0) -> 1 : BEHINDSTAGE) ->
            m = queue;
            queue = queue & ~BIT(r);
            SETROWGEN(r);
            grantTo(r, m);
            mine = token; contended = true; believes[r] = true; over[r] = false;
            waiting[r] = false; called[r] = false; wasOut = false; orphan = NONAME;
            FORGETVIEW;
            pc[r] = Hold
        :: else -> pc[r] = Look
        fi }

    /* engine/rejoin: our entry in the place of our arrival, by compare-and-swap on the queue that was read; a row that
     * was read free is taken by engine/acquire. With a new name: somebody may be about to wait for the old one, who
     * would not learn what becomes of us. */
    :: d_step { pc[r] == Rejoin && RUNS(r) && keeperUp[P(r)] ->
#ifndef MUTANT_OLD_NAME
        if
        :: gen[r] == GEN(rowGens, r) -> gen[r]++; formerHeld[r] = false
        :: else
        fi;
#endif
        name[r] = KEEPER;
        sameQueue(readQueue[r], readGens[r], same);
        if
        :: vPresence == NONE && presence == NONE && queue == 0 -> SETROWGEN(r); grantTo(r, queue)
        :: vPresence != NONE && presence != NONE && presence != r && same ->
            SETROWGEN(r);
#if defined(MUTANT_REJOIN_LAST) || defined(MUTANT_ASLEEP)
            arrivals++; seq[r] = arrivals;
#endif
#ifndef MUTANT_NO_REJOIN
            queue = queue | BIT(r)
#endif
        :: else
        fi;
        pc[r] = Look }

    /* Work, for a moment or for long. */
    :: d_step { pc[r] == Hold && RUNS(r) -> pc[r] = HoldLong }
    /* The deadline passed: the holder knows it by its own clock, and lets the name go. */
    :: d_step { (pc[r] == Hold || pc[r] == HoldLong) && RUNS(r) && over[r] -> pc[r] = LetGo }
#ifdef SHORTEN
    /* engine/renew with an end that is nearer gives the lease a new name; who waits for the old one looks again. */
    :: d_step { pc[r] == HoldLong && RUNS(r) && armed && faults > 0 && believes[r] -> faults--; pc[r] = Renew }
    :: d_step { pc[r] == Renew && RUNS(r) && keeperUp[P(r)] ->
        if
        :: OWN(r) && believes[r] ->
            nearer = true;
#ifdef MUTANT_SILENT_RENEWAL
            pc[r] = HoldLong
#else
            gen[r]++; formerHeld[r] = (name[r] == KEEPER); name[r] = KEEPER; SETROWGEN(r);
            pc[r] = RenewName
#endif
        :: else -> pc[r] = HoldLong
        fi }
    :: d_step { pc[r] == RenewName && EXISTS(r) -> /* behind it in the same packet */
        formerHeld[r] = false; pc[r] = HoldLong }
#endif

    /* engine/release: a lease that was got and is ended with nobody in the queue keeps its name for the next one. */
    :: d_step { (pc[r] == Hold || pc[r] == HandOver) && RUNS(r) && !contended ->
        believes[r] = false;
        contended = true;
        if
        :: OWN(r) && queue == 0 ->
            ENDSOWN(r);
            presence = NONE; stage = 0; contended = false; mine = 0;
            pc[r] = Ended
        :: else -> pc[r] = HandOver
        fi }
    /* engine/hand_over and engine/freed, one packet of the keeper's session: the row, then the name. */
#ifdef MUTANT_NAME_FIRST
    :: d_step { (pc[r] == Hold || pc[r] == HandOver) && RUNS(r) && contended && wanted[r] && keeperUp[P(r)] ->
        wanted[r] = false; name[r] = FREE; pc[r] = HandOver }
    :: d_step { pc[r] == HandOver && RUNS(r) && contended && !wanted[r] && keeperUp[P(r)] ->
#else
    :: d_step { (pc[r] == Hold || pc[r] == HandOver) && RUNS(r) && contended && keeperUp[P(r)] ->
#endif
        believes[r] = false;
#ifndef MUTANT_TAKEN_AGAIN
        wanted[r] = false; /* from here on the name is not taken again */
#endif
        first(queue, who);
        if
        :: OWN(r) && queue == 0 ->
            ENDSOWN(r);
            presence = NONE; stage = 0;
            pc[r] = Drop
        :: OWN(r) && queue != 0 && USED(rowGens, who) ->
            ENDSOWN(r);
            m = queue; queue = queue & ~BIT(who);
            grantTo(who, m);
            pc[r] = Drop
        :: else -> pc[r] = ReleaseDrop
        fi }
    /* The first in the queue is dead, or the lease is not ours any more: engine/drop_dead and engine/look. */
    :: d_step { pc[r] == ReleaseDrop && EXISTS(r) ->
        first(queue, who);
        if
        :: who != NONE && !USED(rowGens, who) -> queue = queue & ~BIT(who)
        :: else -> pc[r] = ReleaseLook
        fi }
    :: d_step { pc[r] == ReleaseLook && EXISTS(r) -> pc[r] = (OWN(r) -> HandOver : LetGo) }
    :: d_step { (pc[r] == Drop && EXISTS(r)) || (pc[r] == LetGo && RUNS(r)) ->
        wanted[r] = false;
        if
        :: name[r] == KEEPER -> name[r] = FREE
        :: else
        fi;
        formerHeld[r] = false;
        FORGETVIEW; mine = 0; contended = false;
        seq[r] = 0; localSeq[r] = 0; over[r] = false; nameLost[r] = false; gen[r] = 0; SETROWGEN(r);
        pc[r] = Ended }
#ifdef LOST
    /* The answer to a grant was lost: look who has the row. */
    :: d_step { pc[r] == Hold && RUNS(r) && armed && faults > 0 && presence == r && localSeq[r] != 0 ->
        faults--; believes[r] = false; waiting[r] = true; pc[r] = Look }
#endif

#ifdef GIVE_UP
    /* The time of the request is over, or it was cancelled: engine/leave and engine/look; then the name goes. */
    :: d_step { (pc[r] == Wait || pc[r] == Local || pc[r] == Orphan) && RUNS(r) && armed && faults > 0 ->
        faults--; waitsFor[r] = NONE; called[r] = false; pc[r] = Leave }
    :: d_step { pc[r] == Leave && RUNS(r) -> queue = queue & ~BIT(r); pc[r] = LeaveLook }
    :: d_step { pc[r] == LeaveLook && EXISTS(r) ->
        readToken[r] = token; vPresence = presence; readGens[r] = rowGens; pc[r] = LeaveDone }
    :: d_step { pc[r] == LeaveDone && RUNS(r) ->
        waiting[r] = false; orphan = NONAME; wasOut = false;
        if
        :: vPresence == r ->
            mine = readToken[r]; contended = true;
            believes[r] = (presence == r && token == mine && stage == 0); over[r] = !believes[r]; pc[r] = Hold
        :: else -> pc[r] = LetGo
        fi;
        FORGETVIEW }
#endif

    /* A newcomer that does not wait: takes a lease that is overdue, or that has expired and nobody living waits for. */
    :: d_step { pc[r] == TryLook && EXISTS(r) ->
        readToken[r] = token; vPresence = presence; readQueue[r] = queue; vStage = stage;
        claim = 4;
        pc[r] = (presence == NONE || stage == 0 -> LetGo : (queue == 0 || stage == 4 -> TryClaim : TryDrop)) }
    :: d_step { pc[r] == TryDrop && EXISTS(r) ->
        first(queue, who);
        if
        :: who != NONE && !USED(rowGens, who) -> queue = queue & ~BIT(who)
        :: else -> pc[r] = TryAgain
        fi }
    :: d_step { pc[r] == TryAgain && RUNS(r) ->
        pc[r] = (queue == 0 && presence != NONE && stage > 0 -> TryLook : LetGo) }
    :: d_step { pc[r] == TryClaim && RUNS(r) ->
        if
        :: token == readToken[r] && presence != NONE && stage >= (queue == 0 -> 1 : claim) ->
            SETROWGEN(r);
            grantTo(r, queue);
            mine = token; contended = true; believes[r] = true;
            FORGETVIEW;
            pc[r] = Hold
        :: else -> pc[r] = LetGo
        fi }
    od
}

/* The keeper connects again, takes its names again, one after the other, and then calls all requests that wait. */
#define RETAKE(r) d_step { proc[p] == RUNNING && P(r) == p && keeperUp[p] && wanted[r] && name[r] == FREE -> \
                           name[r] = KEEPER }
#define MISSES(r) (P(r) == p && wanted[r] && name[r] != KEEPER)
#if N == 2
#define MISSESANY (MISSES(0) || MISSES(1))
#elif N == 3
#define MISSESANY (MISSES(0) || MISSES(1) || MISSES(2))
#else
#define MISSESANY (MISSES(0) || MISSES(1) || MISSES(2) || MISSES(3))
#endif
proctype Keeper(byte p)
{
    bool hasLost;
    do
    :: d_step { proc[p] == RUNNING && !keeperUp[p] -> keeperUp[p] = true; hasLost = true }
    :: RETAKE(0)
    :: RETAKE(1)
#if N > 2
    :: RETAKE(2)
#endif
#if N > 3
    :: RETAKE(3)
#endif
#ifndef MUTANT_NOBODY_CALLED
    :: d_step { proc[p] == RUNNING && hasLost && keeperUp[p] && !MISSESANY ->
        hasLost = false; i = 0;
        do
        :: i < N ->
            if
            :: P(i) == p && waiting[i] ->
#ifdef MUTANT_CALLED_ONCE
                called[i] = true;
                waitsFor[i] = (waitsFor[i] < N -> KICK : waitsFor[i])
#else
                nameLost[i] = true
#endif
            :: else
            fi;
            i++
        :: else -> break
        od;
        i = 0 }
#endif
    od
}

inline loseNames(p)
{
    keeperUp[p] = false; torn[p] = true; i = 0;
    do
    :: i < N ->
        if
        :: P(i) == p ->
            name[i] = (name[i] == KEEPER -> FREE : name[i]);
            formerHeld[i] = false;
            pc[i] = (pc[i] == Drop -> HandOver : pc[i]) /* cut off in its packet: release again */
        :: else
        fi;
        i++
    :: else -> break
    od;
    i = 0                        /* a d_step must not end with a loop */
}
#if defined(RESTART) || defined(FORGET)
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
        broken[p] = waiting[p];
#ifdef FORGET
        believes[p] = false;     /* nobody can help that */
#endif
        p++
    :: else -> break
    od;
    p = 0
}
#endif
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
        :: RUNS(i) && pc[i] == Ended -> assert(!IN(i, queue) && (presence != i || stage > 0))
        :: else
        fi;
        i++
    :: else -> break
    od;
#ifndef MUTANT_QUEUE_OF_FREE_ROW
    assert(presence != NONE || queue == 0)
#endif
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
#define ANYFROZEN (proc[0] == FROZEN || proc[1] == FROZEN)
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
        :: behind[i] && (readToken[i] != token || readNearer[i] != nearer) ->
#ifdef MUTANT_OWN_GRACE
            passed[i] = stage
#else
            passed[i] = 4
#endif
#endif
        :: else
        fi;
        i++
    :: else -> break
    od;
    i = 0                        /* a d_step must not end with a loop */
}

inline endOfLease()
{
    over[presence] = believes[presence];
    believes[presence] = false
}

#ifdef FORCE
/* An operator ends a lease that somebody holds: engine/end, engine/hand_over, one transaction. The next holder blocks
 * on the old one's name, which that one may hold for long: its wait is ended by KILL (engine/waiting_for, server/kill),
 * and a little later once more, for it may have been on its way when the first KILLs were sent. */
#ifdef MUTANT_ONE_PASS
byte passes = 1;
#else
byte passes = 2;
#endif
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
    byte vToken;
    do
    :: d_step { armed && presence != NONE && faults > 0 && forced == NONE -> faults--; vToken = token }
    :: d_step { vToken != 0 ->
        first(queue, who);
        if
        :: token == vToken && presence != NONE && queue != 0 && !USED(rowGens, who) ->
            queue = queue & ~BIT(who)    /* engine/drop_dead, and again */
        :: token == vToken && presence != NONE && !(queue != 0 && !USED(rowGens, who)) ->
            forced = presence; forcedGen = GEN(rowGens, presence);
            believes[presence] = false;
            m = queue;
            if
            :: queue == 0 -> presence = NONE; stage = 0
            :: else -> queue = queue & ~BIT(who); grantTo(who, m)
            fi;
            vToken = 0
        :: else -> vToken = 0
        fi }
    :: d_step { forced != NONE && passes == 2 -> passes--; endWaits() }
#ifdef MUTANT_ONE_PASS
    :: d_step { forced != NONE && passes == 1 -> passes--; endWaits() }
#endif
    od
}
#endif

#ifdef BOUNDS
bool boundsOver;
inline endAllWaits()
{
    i = 0;
    do
    :: i < N -> waitsFor[i] = (waitsFor[i] < N -> KICK : waitsFor[i]); i++
    :: else -> break
    od;
    i = 0
}
#endif

#define LETGO(r) d_step { RUNS(r) && pc[r] == HoldLong -> believes[r] = false; pc[r] = HandOver }

proctype World()
{
    byte p;
    do
    :: if
    :: d_step { armed -> armed = false }
    :: d_step { armed && ABANDONED -> advance(1); endOfLease() }
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
        i = 0 }
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
#ifdef BOUNDS
            /* A process that froze between two of its statements left a name behind: the waits for it go to their
             * bounds. */
            if
            :: d_step { !boundsOver -> boundsOver = true; endAllWaits() }
            :: else ->
            boundsOver = false;
#endif
#ifndef FORGET
            checkQuiet();
#endif
            if
            :: d_step { ABANDONED -> advance(1); endOfLease() }
            :: d_step { presence != NONE && stage > 0 && stage < 4 -> who = stage + 1; advance(who) }
            :: d_step { faults > 0 || ANYFROZEN -> armed = true }
            :: LETGO(0) :: LETGO(1)
#if N > 2
            :: LETGO(2)
#endif
#if N > 3
            :: LETGO(3)
#endif
            :: else -> checkEnd(); goto rest
            fi
#ifdef BOUNDS
            fi
#endif
#ifdef FORCE
            fi
#endif
        }
    fi
#ifdef LIVELOCK
    ;
progress:
    skip                         /* a cycle without a step of the world is one of requests that never rest */
#endif
    od;
rest:
    skip
}

init
{
    atomic {
        i = 0;
        do
        :: i < NP -> run Keeper(i); i++
        :: else -> break
        od;
        i = 0;
        do
        :: i < N -> run Request(i, IN(i, TRYING)); i++
        :: else -> break
        od;
#ifdef FORCE
        run Operator();
#endif
        run World()
    }
}
