<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>lockscope::ui::AlarmText</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n connections wait for longer than %1: %2.</source>
        <translation>
            <numerusform>%n connection waits for longer than %1: %2.</numerusform>
            <numerusform>%n connections wait for longer than %1: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n locks have more than %1 waiting: %2.</source>
        <translation>
            <numerusform>%n lock has more than %1 waiting: %2.</numerusform>
            <numerusform>%n locks have more than %1 waiting: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n locks have been held for longer than %1: %2.</source>
        <translation>
            <numerusform>%n lock has been held for longer than %1: %2.</numerusform>
            <numerusform>%n locks have been held for longer than %1: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n leases have had no living session for %1: %2.</source>
        <translation>
            <numerusform>%n lease has had no living session for %1: %2.</numerusform>
            <numerusform>%n leases have had no living session for %1: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n alarms on %1</source>
        <translation>
            <numerusform>%n alarm on %1</numerusform>
            <numerusform>%n alarms on %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::KillText</name>
    <message numerus="yes">
        <source>Connection %1 runs nothing now: the server would accept KILL QUERY and free nothing.</source>
        <translation>
            <numerusform>Connection %1 runs nothing now: the server would accept KILL QUERY and free nothing.</numerusform>
            <numerusform>Connections %1 run nothing now: the server would accept KILL QUERY and free nothing.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Connection %1 keeps what the others wait for when only its statement ends: nobody would go on.</source>
        <translation>
            <numerusform>Connection %1 keeps what the others wait for when only its statement ends: nobody would go on.</numerusform>
            <numerusform>Connections %1 keep what the others wait for when only their statements end: nobody would go on.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Connection %1 no longer does the work that you saw. Nothing was done to it.</source>
        <translation>
            <numerusform>Connection %1 no longer does the work that you saw. Nothing was done to it.</numerusform>
            <numerusform>Connections %1 no longer do the work that you saw. Nothing was done to them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Connection %1 could not be seen just now; what is shown of it is older. It may have ended.</source>
        <translation>
            <numerusform>Connection %1 could not be seen just now; what is shown of it is older. It may have ended.</numerusform>
            <numerusform>Connections %1 could not be seen just now; what is shown of them is older. They may have ended.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stay blocked, because what they wait for is kept: %1.</source>
        <translation>
            <numerusform>%n stays blocked, because what it waits for is kept: %1.</numerusform>
            <numerusform>%n stay blocked, because what they wait for is kept: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>End %n connections on %1</source>
        <translation>
            <numerusform>End %n connection on %1</numerusform>
            <numerusform>End %n connections on %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>End the statements of %n connections on %1</source>
        <translation>
            <numerusform>End the statement of %n connection on %1</numerusform>
            <numerusform>End the statements of %n connections on %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Its transaction has been open for %1 and locks %n rows.</source>
        <translation>
            <numerusform>Its transaction has been open for %1 and locks %n row.</numerusform>
            <numerusform>Its transaction has been open for %1 and locks %n rows.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %n of those who wait may get an error: 1213 (deadlock), or 1062 (duplicate key) if the row of that key comes back.</source>
        <translation>
            <numerusform>At least %n of those who wait may get an error: 1213 (deadlock), or 1062 (duplicate key) if the row of that key comes back.</numerusform>
            <numerusform>At least %n of those who wait may get an error: 1213 (deadlock), or 1062 (duplicate key) if the row of that key comes back.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 rows left to undo</source>
        <translation>
            <numerusform>%1 row left to undo</numerusform>
            <numerusform>%1 rows left to undo</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n go on at once: %1.</source>
        <translation>
            <numerusform>%n goes on at once: %1.</numerusform>
            <numerusform>%n go on at once: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Up to %n later, one after the other, if each commits: %1.</source>
        <translation>
            <numerusform>Up to %n later, if those before it commit: %1.</numerusform>
            <numerusform>Up to %n later, one after the other, if each commits: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n wait</source>
        <translation>
            <numerusform>%n waits</numerusform>
            <numerusform>%n wait</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stay blocked, because somebody else blocks them too: %1.</source>
        <translation>
            <numerusform>%n stays blocked, because somebody else blocks it too: %1.</numerusform>
            <numerusform>%n stay blocked, because somebody else blocks them too: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n connections have ended, according to the server.</source>
        <translation>
            <numerusform>%n connection has ended, according to the server.</numerusform>
            <numerusform>%n connections have ended, according to the server.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LaneText</name>
    <message numerus="yes">
        <source>%1 got %2 after %3 and %n conflict(s)</source>
        <translation>
            <numerusform>%1 got %2 after %3 and %n conflict</numerusform>
            <numerusform>%1 got %2 after %3 and %n conflicts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 held %n time(s) in these %2.</source>
        <translation>
            <numerusform>%1 held once in these %2.</numerusform>
            <numerusform>%1 held %n times in these %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Its write overwrote %n change(s) by others.</source>
        <translation>
            <numerusform>Its write overwrote %n change by others.</numerusform>
            <numerusform>Its write overwrote %n changes by others.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LatencyPage</name>
    <message numerus="yes">
        <source>%n measurement(s) could not be read: damaged, or written by a newer version.</source>
        <translation>
            <numerusform>%n measurement could not be read: damaged, or written by a newer version.</numerusform>
            <numerusform>%n measurements could not be read: damaged, or written by a newer version.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LatencySummary</name>
    <message numerus="yes">
        <source>Sampled every %n s from the server&apos;s counters while this page is open. They tell neither percentiles nor who waited, count a wait below 1 ms as none, and include those of pessimistic mode.</source>
        <translation>
            <numerusform>Sampled every %n s from the server&apos;s counters while this page is open. They tell neither percentiles nor who waited, count a wait below 1 ms as none, and include those of pessimistic mode.</numerusform>
            <numerusform>Sampled every %n s from the server&apos;s counters while this page is open. They tell neither percentiles nor who waited, count a wait below 1 ms as none, and include those of pessimistic mode.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LockInspector</name>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… and %n more</numerusform>
            <numerusform>… and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::SourceBar</name>
    <message numerus="yes">
        <source>%n source(s) are limited</source>
        <translation>
            <numerusform>%n source is limited</numerusform>
            <numerusform>%n sources are limited</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WaitFacts</name>
    <message numerus="yes">
        <source>Blocks %n session(s)</source>
        <translation>
            <numerusform>Blocks %n session</numerusform>
            <numerusform>Blocks %n sessions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Holds %n lock(s); rows that nobody waits for are not listed</source>
        <translation>
            <numerusform>Holds %n lock; rows that nobody waits for are not listed</numerusform>
            <numerusform>Holds %n locks; rows that nobody waits for are not listed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Holds %n lock(s)</source>
        <translation>
            <numerusform>Holds %n lock</numerusform>
            <numerusform>Holds %n locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queue behind it</source>
        <translation>
            <numerusform>%n queues behind it</numerusform>
            <numerusform>%n queue behind it</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WaitInspector</name>
    <message numerus="yes">
        <source>%n more are in the copied text.</source>
        <translation>
            <numerusform>%n more is in the copied text.</numerusform>
            <numerusform>%n more are in the copied text.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) selected</source>
        <translation>
            <numerusform>%n session selected</numerusform>
            <numerusform>%n sessions selected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WaitText</name>
    <message numerus="yes">
        <source>Ring of %n session(s)</source>
        <translation>
            <numerusform>Ring of %n session</numerusform>
            <numerusform>Ring of %n sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WaitsPage</name>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%n session</numerusform>
            <numerusform>%n sessions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n open transaction(s)</source>
        <translation>
            <numerusform>%n open transaction</numerusform>
            <numerusform>%n open transactions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;End %n sessions…</source>
        <translation>
            <numerusform>&amp;End %n session…</numerusform>
            <numerusform>&amp;End %n sessions…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>End %n sessions…</source>
        <translation>
            <numerusform>End %n session…</numerusform>
            <numerusform>End %n sessions…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CommonText</name>
    <message numerus="yes">
        <source>%1 commits</source>
        <translation>
            <numerusform>%1 commit</numerusform>
            <numerusform>%1 commits</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 conflicts</source>
        <translation>
            <numerusform>%1 conflict</numerusform>
            <numerusform>%1 conflicts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LabText</name>
    <message numerus="yes">
        <source>%Ln job(s) done again</source>
        <translation>
            <numerusform>%Ln job done again</numerusform>
            <numerusform>%Ln jobs done again</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln write(s) accepted after the lock had ended</source>
        <translation>
            <numerusform>%Ln write accepted after the lock had ended</numerusform>
            <numerusform>%Ln writes accepted after the lock had ended</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln time(s) two held one resource at once</source>
        <translation>
            <numerusform>%Ln time two held one resource at once</numerusform>
            <numerusform>%Ln times two held one resource at once</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln time(s) two held one resource at once: harmless, no late write was accepted (%1 refused)</source>
        <translation>
            <numerusform>%Ln time two held one resource at once: harmless, no late write was accepted (%1 refused)</numerusform>
            <numerusform>%Ln times two held one resource at once: harmless, no late write was accepted (%1 refused)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln deadlock(s)</source>
        <translation>
            <numerusform>%Ln deadlock</numerusform>
            <numerusform>%Ln deadlocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) gave up waiting</source>
        <translation>
            <numerusform>%Ln request gave up waiting</numerusform>
            <numerusform>%Ln requests gave up waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>no harm in %Ln grant(s)</source>
        <translation>
            <numerusform>no harm in %Ln grant</numerusform>
            <numerusform>no harm in %Ln grants</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln time(s) a holder worked on past its time: harmless, no late write was accepted (%1 refused)</source>
        <translation>
            <numerusform>%Ln time a holder worked on past its time: harmless, no late write was accepted (%1 refused)</numerusform>
            <numerusform>%Ln times a holder worked on past its time: harmless, no late write was accepted (%1 refused)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln time(s) a holder worked on past its time</source>
        <translation>
            <numerusform>%Ln time a holder worked on past its time</numerusform>
            <numerusform>%Ln times a holder worked on past its time</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln piece(s) sold that were not in stock</source>
        <translation>
            <numerusform>%Ln piece sold that was not in stock</numerusform>
            <numerusform>%Ln pieces sold that were not in stock</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %Ln server(s)</source>
        <translation>
            <numerusform>%1, %Ln server</numerusform>
            <numerusform>%1, %Ln servers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WaitSummary</name>
    <message numerus="yes">
        <source>%n queue behind it</source>
        <translation>
            <numerusform>%n queues behind it</numerusform>
            <numerusform>%n queue behind it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>blocks %n whom others block too</source>
        <translation>
            <numerusform>blocks %n whom others block too</numerusform>
            <numerusform>blocks %n whom others block too</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queue behind it.</source>
        <translation>
            <numerusform>%n queues behind it.</numerusform>
            <numerusform>%n queue behind it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiter(s) go on once it ends.</source>
        <translation>
            <numerusform>%n waiter goes on once it ends.</numerusform>
            <numerusform>%n waiters go on once it ends.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n go on at once when it ends, up to %1 later, one after the other, if each commits.</source>
        <translation>
            <numerusform>%n goes on at once when it ends, up to %1 later, one after the other, if each commits.</numerusform>
            <numerusform>%n go on at once when it ends, up to %1 later, one after the other, if each commits.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It is blocked by %n more session(s): %1.</source>
        <translation>
            <numerusform>It is blocked by %n more session: %1.</numerusform>
            <numerusform>It is blocked by %n more sessions: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>frees %n waiter(s)</source>
        <translation>
            <numerusform>frees %n waiter</numerusform>
            <numerusform>frees %n waiters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonText</name>
    <message numerus="yes">
        <source>%n row(s) changed</source>
        <translation>
            <numerusform>%n row changed</numerusform>
            <numerusform>%n rows changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) changed, number %1</source>
        <translation>
            <numerusform>%n row changed, number %1</numerusform>
            <numerusform>%n rows changed, number %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s)</source>
        <translation>
            <numerusform>%n row</numerusform>
            <numerusform>%n rows</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::DeadlockInspector</name>
    <message numerus="yes">
        <source>%n more are in the copied text.</source>
        <translation>
            <numerusform>%n more is in the copied text.</numerusform>
            <numerusform>%n more are in the copied text.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::DeadlockText</name>
    <message numerus="yes">
        <source>%n more transaction(s) are not drawn.</source>
        <translation>
            <numerusform>%n more transaction is not drawn.</numerusform>
            <numerusform>%n more transactions are not drawn.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more are in the server&apos;s text.</source>
        <translation>
            <numerusform>%n more is in the server&apos;s text.</numerusform>
            <numerusform>%n more are in the server&apos;s text.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Deadlock of %n transaction(s)</source>
        <translation>
            <numerusform>Deadlock of %n transaction</numerusform>
            <numerusform>Deadlock of %n transactions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::DeadlocksPage</name>
    <message numerus="yes">
        <source>%n new deadlock(s)</source>
        <translation>
            <numerusform>%n new deadlock</numerusform>
            <numerusform>%n new deadlocks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::IncidentReport</name>
    <message numerus="yes">
        <source>%n waited behind it.</source>
        <translation>
            <numerusform>%n waited behind it.</numerusform>
            <numerusform>%n waited behind it.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ReplayBar</name>
    <message numerus="yes">
        <source>%1: %n waited, up to %2</source>
        <translation>
            <numerusform>%1: %n waited, up to %2</numerusform>
            <numerusform>%1: %n waited, up to %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n incidents</source>
        <translation>
            <numerusform>%n incident</numerusform>
            <numerusform>%n incidents</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more locks</source>
        <translation>
            <numerusform>%1 and %n more lock</numerusform>
            <numerusform>%1 and %n more locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n alarms</source>
        <translation>
            <numerusform>%n alarm</numerusform>
            <numerusform>%n alarms</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LockEnding</name>
    <message numerus="yes">
        <source>&amp;End %n session(s)…</source>
        <translation>
            <numerusform>&amp;End %n session…</numerusform>
            <numerusform>&amp;End %n sessions…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>End %n session(s)…</source>
        <translation>
            <numerusform>End %n session…</numerusform>
            <numerusform>End %n sessions…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::TableLockText</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LocksPage</name>
    <message numerus="yes">
        <source>%n servers of the list do not answer yet.</source>
        <translation>
            <numerusform>%n server of the list does not answer yet.</numerusform>
            <numerusform>%n servers of the list do not answer yet.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::KeyLockText</name>
    <message numerus="yes">
        <source>%n keys or folders may not be read by this account, and may be or have locks.</source>
        <translation>
            <numerusform>%n key or folder may not be read by this account, and may be or have a lock.</numerusform>
            <numerusform>%n keys or folders may not be read by this account, and may be or have locks.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more have held %2 for %3</source>
        <translation>
            <numerusform>%1 and %n more have held %2 for %3</numerusform>
            <numerusform>%1 and %n more have held %2 for %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more hold %2</source>
        <translation>
            <numerusform>%1 and %n more hold %2</numerusform>
            <numerusform>%1 and %n more hold %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::KeyReleaseDialog</name>
    <message numerus="yes">
        <source>%n in its queue are woken as its program would.</source>
        <translation>
            <numerusform>%n in its queue is woken as its program would.</numerusform>
            <numerusform>%n in its queue are woken as its program would.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more wait.</source>
        <translation>
            <numerusform>%n more waits.</numerusform>
            <numerusform>%n more wait.</numerusform>
        </translation>
    </message>
</context>
</TS>
