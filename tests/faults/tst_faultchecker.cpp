// SPDX-License-Identifier: MIT
// The checker of tests/faults, rule by rule, with histories made by hand: one that is right and one that is not.
#include "checker.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace lockscope::faults;
using namespace Qt::StringLiterals;

namespace {

qint64 us(double seconds)
{
    return qint64(seconds * 1e6);
}

/// A history of one resource, told line by line. Times in seconds.
class Tale
{
public:
    Tale &add(double at, Kind kind, int process = 0, qint64 request = 0, quint64 token = 0, double value = 0)
    {
        m_events.push_back({us(at), kind, process, request, 0, token, us(value)});
        return *this;
    }
    Tale &ask(double at, int process, qint64 request, double wait = 10)
    {
        return add(at, Kind::Ask, process, request, 0, wait);
    }
    Tale &got(double at, int process, qint64 request, quint64 token, double until = 0)
    {
        return add(at, Kind::Got, process, request, token, until);
    }
    /// Release, and its answer a tenth of a second later.
    Tale &freed(double at, int process, qint64 request)
    {
        return add(at, Kind::Release, process, request).add(at + 0.1, Kind::Released, process, request);
    }
    /// A request that is granted at once, writes and is done within a second.
    Tale &turn(double at, int process, qint64 request, quint64 token, Kind written)
    {
        return ask(at, process, request)
            .got(at + 0.1, process, request, token)
            .add(at + 0.2, Kind::Write, process, request, token)
            .add(at + 0.3, written, process, request, token)
            .freed(at + 0.4, process, request);
    }
    /// What the server keeps of a write.
    Tale &stored(int process, qint64 request, quint64 token, qint64 sum)
    {
        m_events.push_back({us(1000), Kind::Stored, process, request, 0, token, sum});
        return *this;
    }
    /// A look each tenth of a second from `from` until `to`.
    Tale &seen(double from, double to, Kind state, int process = 0, qint64 request = 0, quint64 token = 0)
    {
        for (qint64 at = us(from); at < us(to); at += us(0.1))
            m_events.push_back({at + 1000, state, process, request, 0, token, at});
        return *this;
    }

    /// The machine stood still.
    Tale &stood(double from, double to)
    {
        m_events.push_back({.at = us(to), .kind = Kind::Stood, .value = us(from)});
        return *this;
    }

    Verdict check(Way way = Way::Unique) const
    {
        std::vector<Event> events = m_events;
        std::stable_sort(events.begin(), events.end(), [](const Event &a, const Event &b) { return a.at < b.at; });
        Promises promises;
        promises.way = way;
        return lockscope::faults::check(historyOf(events), promises);
    }

private:
    std::vector<Event> m_events;
};

/// The rules that were broken, each once, and how often.
QString broken(const Verdict &verdict)
{
    QStringList rules;
    for (const Finding &finding : verdict.findings) {
        if (!rules.contains(finding.rule))
            rules += finding.rule;
    }
    rules.sort();
    for (QString &rule : rules)
        rule += u" %1"_s.arg(verdict.countOf(rule));
    return rules.join(u", "_s);
}

} // namespace

class TestFaultChecker : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyRuleLetsPassAndRefuses_data();
    void everyRuleLetsPassAndRefuses();
    void otherWaysPromiseOtherwise();
    void theLongestGapIsTold();
    void aHistoryComesBackFromItsFiles();
    void aTornLineIsLeftOutAndAWrongOneNamed();

private:
    void histories();
    void tokens();
    void writes();
    void gaps();
    void gapExcuses();
    void orders();
    void answers();
};

void TestFaultChecker::everyRuleLetsPassAndRefuses_data()
{
    QTest::addColumn<Tale>("tale");
    QTest::addColumn<QString>("findings");
    histories();
    tokens();
    writes();
    gaps();
    gapExcuses();
    orders();
    answers();
}

void TestFaultChecker::histories()
{
    QTest::newRow("nothing") << Tale() << QString();
    QTest::newRow("history: a process that is killed") << Tale().add(1, Kind::Killed, 1) << QString();
    QTest::newRow("history: a process that dies") << Tale().add(1, Kind::Died, 1, 0, 0, 139) << u"history 1"_s;
    QTest::newRow("history: an answer without a question") << Tale().got(1, 1, 1, 1) << u"history 1"_s;
    QTest::newRow("history: of a machine that stood still")
        << Tale().add(1, Kind::Began, 1).add(11, Kind::Stop).stood(2, 6.9) << QString();
    QTest::newRow("history: of a machine that hardly ever moved")
        << Tale().add(1, Kind::Began, 1).add(11, Kind::Stop).stood(2, 7.1) << u"machine 1"_s;
    QTest::newRow("history: a number twice") << Tale().ask(1, 1, 1, 0).ask(1, 1, 1, 0) << u"history 1"_s;
}

void TestFaultChecker::tokens()
{
    QTest::newRow("tokens: in order")
        << Tale().ask(1, 1, 1).got(2, 1, 1, 7).freed(3, 1, 1).ask(4, 2, 1).got(5, 2, 1, 8).freed(6, 2, 1) << QString();
    QTest::newRow("tokens: at once, in any order")
        << Tale().ask(1, 1, 1).ask(1, 2, 1).got(3, 1, 1, 8).freed(3, 1, 1).got(4, 2, 1, 7).freed(4, 2, 1) << QString();
    QTest::newRow("tokens: backwards")
        << Tale().ask(1, 1, 1).got(2, 1, 1, 8).freed(3, 1, 1).ask(4, 2, 1).got(5, 2, 1, 7).freed(6, 2, 1)
        << u"token order 1"_s;
    QTest::newRow("tokens: twice")
        << Tale().ask(1, 1, 1).ask(1, 2, 1).got(2, 1, 1, 7).freed(3, 1, 1).got(4, 2, 1, 7).freed(4, 2, 1)
        << u"token twice 1"_s;
    const Tale held = Tale().ask(1, 1, 1).got(2, 1, 1, 7, 5).ask(2, 2, 1);
    QTest::newRow("exclusion: after the end")
        << Tale(held).got(5.1, 2, 1, 8, 9).freed(6, 1, 1).freed(6, 2, 1) << QString();
    QTest::newRow("exclusion: after the release")
        << Tale(held).freed(3, 1, 1).got(3.1, 2, 1, 8, 9).freed(4, 2, 1) << QString();
    QTest::newRow("exclusion: after its death")
        << Tale(held).add(3, Kind::Killed, 1).got(4, 2, 1, 8, 9).freed(5, 2, 1) << QString();
    QTest::newRow("exclusion: two at once")
        << Tale(held).got(4, 2, 1, 8, 9).freed(6, 1, 1).freed(6, 2, 1) << u"exclusion 1"_s;
    QTest::newRow("exclusion: a renewal counts")
        << Tale(held).add(4, Kind::Holds, 1, 1, 7, 7).got(5.1, 2, 1, 8, 9).freed(6, 1, 1).freed(6, 2, 1)
        << u"exclusion 1"_s;
}

void TestFaultChecker::writes()
{
    const Tale two = Tale().turn(1, 1, 1, 7, Kind::Wrote).turn(2, 2, 1, 8, Kind::Wrote);
    QTest::newRow("writes: both there") << Tale(two).stored(1, 1, 7, 1).stored(2, 1, 8, 2) << QString();
    QTest::newRow("writes: one lost") << Tale(two).stored(1, 1, 7, 1) << u"lost write 1"_s;
    QTest::newRow("writes: out of order") << Tale(two).stored(2, 1, 8, 1).stored(1, 1, 7, 2) << u"stale write 1"_s;
    QTest::newRow("writes: one not seen by the next")
        << Tale(two).stored(1, 1, 7, 1).stored(2, 1, 8, 1) << u"lost update 1"_s;
    QTest::newRow("writes: one twice") << Tale(two).stored(1, 1, 7, 1).stored(1, 1, 7, 2).stored(2, 1, 8, 3)
                                       << u"phantom write 1"_s;
    QTest::newRow("writes: by nobody") << Tale(two).stored(1, 1, 7, 1).stored(2, 1, 8, 2).stored(3, 1, 9, 3)
                                       << u"phantom write 1"_s;
    QTest::newRow("writes: refused and not there") << Tale().turn(1, 1, 1, 7, Kind::Refused) << QString();
    QTest::newRow("writes: refused and there")
        << Tale().turn(1, 1, 1, 7, Kind::Refused).stored(1, 1, 7, 1) << u"phantom write 1"_s;
    QTest::newRow("writes: unknown and there") << Tale().turn(1, 1, 1, 7, Kind::Maybe).stored(1, 1, 7, 1) << QString();
    QTest::newRow("writes: unknown and not there") << Tale().turn(1, 1, 1, 7, Kind::Maybe) << QString();
}

void TestFaultChecker::gaps()
{
    const Tale waits = Tale().ask(1, 1, 1, 20);
    QTest::newRow("gap: free and nobody waits")
        << Tale().ask(1, 1, 1, 0).add(1.1, Kind::Missed, 1, 1).seen(1, 9, Kind::Free) << QString();
    QTest::newRow("gap: free for less than the grace")
        << Tale(waits).seen(1, 3.8, Kind::Free).got(3.9, 1, 1, 1) << QString();
    QTest::newRow("gap: free for longer") << Tale(waits).seen(1, 5, Kind::Free).got(5, 1, 1, 1) << u"gap 1"_s;
    QTest::newRow("gap: and never granted") << Tale(waits).seen(1, 5, Kind::Free) << u"gap 1"_s;
    QTest::newRow("gap: a grant between")
        << Tale(waits).seen(1, 5, Kind::Free).ask(2, 2, 1).got(2.95, 2, 1, 1).freed(2.96, 2, 1) << QString();
    QTest::newRow("gap: past its end") << Tale(waits).seen(1, 5, Kind::Expired, 2, 1, 7) << u"gap 1"_s;
    const Tale held = Tale().ask(0.5, 2, 1).got(0.6, 2, 1, 7).ask(1, 1, 1, 20);
    QTest::newRow("gap: rightly held") << Tale(held).seen(1, 9, Kind::Held, 2, 1, 7) << QString();
    QTest::newRow("gap: a release that takes too long")
        << Tale(held).add(2, Kind::Release, 2, 1).seen(1, 5.5, Kind::Held, 2, 1, 7).add(5.5, Kind::Released, 2, 1)
        << u"gap 1"_s;
    QTest::newRow("gap: given to one that sleeps on")
        << Tale(waits).seen(1, 5, Kind::Held, 1, 1, 7).got(5, 1, 1, 7) << u"gap 1"_s;
    QTest::newRow("gap: given to one that gave up")
        << Tale(waits).ask(1, 2, 1, 1).add(2, Kind::Missed, 2, 1).seen(2, 6, Kind::Held, 2, 1, 7) << u"gap 1"_s;
}

void TestFaultChecker::gapExcuses()
{
    const Tale waits = Tale().ask(1, 1, 1, 20).ask(1, 2, 1, 20);
    const Tale free = Tale(waits).seen(1, 6, Kind::Free);
    QTest::newRow("gap: one of two waiters was frozen") << Tale(free).add(1, Kind::Frozen, 1) << u"gap 1"_s;
    QTest::newRow("gap: both were frozen") << Tale(free).add(1, Kind::Frozen, 1).add(1, Kind::Frozen, 2) << QString();
    QTest::newRow("gap: both lost a connection")
        << Tale(free).add(2, Kind::Session, 1).add(2, Kind::Session, 2) << QString();
    QTest::newRow("gap: both came back long ago") << Tale(free)
                                                         .add(0.1, Kind::Cut, 1)
                                                         .add(0.2, Kind::Healed, 1)
                                                         .add(0.1, Kind::Stalled, 2)
                                                         .add(0.2, Kind::Healed, 2)
                                                  << u"gap 1"_s;
    QTest::newRow("gap: both were killed") << Tale(free).add(1, Kind::Killed, 1).add(1, Kind::Killed, 2) << QString();
    QTest::newRow("gap: the server was away") << Tale(free).add(1, Kind::Crash).add(4, Kind::Up) << QString();
    QTest::newRow("gap: over when the server was away, before anybody looked again")
        << Tale(waits)
               .seen(1, 1.2, Kind::Free)
               .got(1.5, 1, 1, 1)
               .add(5, Kind::Crash)
               .add(6, Kind::Up)
               .seen(6.1, 6.2, Kind::Held, 1, 1, 1)
        << QString();
    QTest::newRow("gap: the machine stood still for the most of it")
        << Tale(free).stood(1.5, 4.5).add(20, Kind::Stop) << QString();
    QTest::newRow("gap: longer than the machine stood still") << Tale(free).stood(1.5, 2.5) << u"gap 1"_s;
    QTest::newRow("gap: all were told to end") << Tale(free).add(2, Kind::Stop) << QString();
    const Tale dead = Tale().ask(0.5, 3, 1).got(0.6, 3, 1, 7).add(0.7, Kind::Killed, 3).ask(1, 1, 1, 20);
    QTest::newRow("gap: until the end of a dead one's time")
        << Tale(dead).seen(1, 7, Kind::Held, 3, 1, 7).seen(7, 8, Kind::Expired, 3, 1, 7).got(8, 1, 1, 8) << QString();
    QTest::newRow("gap: after that")
        << Tale(dead).seen(1, 3, Kind::Held, 3, 1, 7).seen(3, 8, Kind::Expired, 3, 1, 7).got(8, 1, 1, 8) << u"gap 1"_s;
    const Tale unsure = Tale().ask(0.5, 3, 1).got(0.6, 3, 1, 7).add(0.7, Kind::Release, 3, 1).ask(1, 1, 1, 20);
    QTest::newRow("gap: a release that nobody knows of")
        << Tale(unsure).add(0.8, Kind::Unsure, 3, 1).seen(1, 7, Kind::Held, 3, 1, 7) << QString();
}

void TestFaultChecker::orders()
{
    const Tale queued = Tale().ask(1, 1, 1).add(2, Kind::Queued, 1, 1);
    QTest::newRow("order: as they came") << Tale(queued).ask(2.1, 2, 1).got(4, 1, 1, 7).freed(4.1, 1, 1).got(5, 2, 1, 8)
                                         << QString();
    QTest::newRow("order: asked before the other was seen")
        << Tale(queued).ask(1.9, 2, 1).got(4, 2, 1, 7).got(5, 1, 1, 8) << QString();
    QTest::newRow("order: overtaken") << Tale(queued).ask(2.1, 2, 1).got(4, 2, 1, 7).freed(4.1, 2, 1).got(5, 1, 1, 8)
                                      << u"order 1"_s;
    QTest::newRow("order: overtaken, and gave up")
        << Tale(queued).ask(2.1, 2, 1).got(4, 2, 1, 7).freed(4.1, 2, 1).add(11, Kind::Missed, 1, 1) << u"order 1"_s;
    QTest::newRow("order: gave up before")
        << Tale(queued).ask(2.1, 2, 1).add(11.2, Kind::Missed, 1, 1).got(11.1, 2, 1, 7).freed(11.3, 2, 1) << QString();
    const Tale overtaken = Tale(queued).ask(2.1, 2, 1).got(6, 2, 1, 7).freed(6.1, 2, 1).got(7, 1, 1, 8);
    QTest::newRow("order: but the machine stood still just then") << Tale(overtaken).stood(4.5, 5.1) << QString();
    QTest::newRow("order: the machine stood still for a moment") << Tale(overtaken).stood(4.5, 4.9) << u"order 1"_s;
    QTest::newRow("order: the machine stood still long before") << Tale(overtaken).stood(2, 3.9) << u"order 1"_s;
    for (const Kind kind : {Kind::Frozen, Kind::Cut, Kind::Session, Kind::Killed}) {
        QTest::newRow(qPrintable(u"order: but it was "_s + wordFor(kind)))
            << Tale(queued).add(3, kind, 1).ask(3.1, 2, 1).got(4, 2, 1, 7).freed(4.1, 2, 1) << QString();
    }
}

void TestFaultChecker::answers()
{
    QTest::newRow("answers: in time") << Tale().ask(1, 1, 1, 1).add(2, Kind::Missed, 1, 1) << QString();
    QTest::newRow("answers: late") << Tale().ask(1, 1, 1, 1).add(9, Kind::Missed, 1, 1) << u"late answer 1"_s;
    QTest::newRow("answers: never") << Tale().ask(1, 1, 1, 1).add(60, Kind::Stop) << u"late answer 1"_s;
    QTest::newRow("answers: late, of one that was stalled")
        << Tale().ask(1, 1, 1, 1).add(1.5, Kind::Stalled, 1).add(8, Kind::Healed, 1).add(9, Kind::Missed, 1, 1)
        << QString();
    const Tale late = Tale().ask(1, 1, 1, 1).add(9, Kind::Missed, 1, 1);
    QTest::newRow("answers: late, but the machine stood still") << Tale(late).stood(1.5, 4) << QString();
    QTest::newRow("answers: later than the machine stood still") << Tale(late).stood(2, 3.9) << u"late answer 1"_s;
    QTest::newRow("answers: late, and the machine stood still before they were due")
        << Tale().ask(1, 1, 1, 10).add(16.5, Kind::Missed, 1, 1).stood(2, 6) << u"late answer 1"_s;
    QTest::newRow("answers: a late release")
        << Tale().ask(1, 1, 1, 1).got(1.1, 1, 1, 7).add(2, Kind::Release, 1, 1).add(9, Kind::Released, 1, 1)
        << u"late answer 1"_s;
}

void TestFaultChecker::everyRuleLetsPassAndRefuses()
{
    QFETCH(Tale, tale);
    QFETCH(QString, findings);
    const Verdict verdict = tale.check();
    QCOMPARE(broken(verdict), findings);
}

void TestFaultChecker::otherWaysPromiseOtherwise()
{
    const Tale overtaken =
        Tale().ask(1, 1, 1).add(2, Kind::Queued, 1, 1).ask(2.1, 2, 1).got(4, 2, 1, 7).freed(4.1, 2, 1);
    QCOMPARE(broken(overtaken.check(Way::Pessimistic)), QString());
    // A row lock says nothing of its end: a frozen holder has it for its TTL in whole seconds, and no longer.
    const Tale frozen = Tale().ask(1, 1, 1).got(1.1, 1, 1, 7).add(2, Kind::Frozen, 1).ask(2, 2, 1, 20);
    QCOMPARE(broken(Tale(frozen).seen(2, 9, Kind::Held, 1, 1, 7).check(Way::Pessimistic)), QString());
    QCOMPARE(broken(Tale(frozen).seen(2, 12, Kind::Held, 1, 1, 7).check(Way::Pessimistic)), u"gap 1"_s);
}

void TestFaultChecker::theLongestGapIsTold()
{
    const Verdict verdict = Tale()
                                .ask(1, 1, 1, 20)
                                .seen(1, 2, Kind::Free)
                                .got(2, 1, 1, 1)
                                .freed(2.1, 1, 1)
                                .ask(2.2, 1, 2, 20)
                                .add(3, Kind::Frozen, 9)
                                .seen(2.2, 7.2, Kind::Free)
                                .got(7.2, 1, 2, 2)
                                .check();
    QCOMPARE(verdict.figures.gaps.size(), 2U);
    QVERIFY(qAbs(verdict.figures.gaps[0].length() - us(5)) < us(0.2));
    QCOMPARE(verdict.findings.size(), 1U);
    const QString text = verdict.findings[0].text;
    QVERIFY2(text.contains(u"free, while 1.2 waited"_s), qPrintable(text));
    QVERIFY2(text.contains(u"process 9 frozen +2.000 s"_s), qPrintable(text));
}

void TestFaultChecker::aHistoryComesBackFromItsFiles()
{
    QTemporaryDir folder;
    const std::vector<Event> written{
        {3, Kind::Stored, 1, 2, 3, ~0ULL, -5}, {1, Kind::Began, 1}, {2, Kind::Ask, 1, 1, 0, 0, 9}};
    {
        EventFile one(folder.filePath(u"1.events"_s));
        EventFile two(folder.filePath(u"2.events"_s));
        one.add(written[0]);
        two.add(written[1]);
        one.add(written[2]);
    }
    std::vector<Event> read;
    QString error;
    QVERIFY2(readEvents(folder.path(), &read, &error), qPrintable(error));
    QCOMPARE(read, (std::vector<Event>{written[1], written[2], written[0]}));
}

void TestFaultChecker::aTornLineIsLeftOutAndAWrongOneNamed()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(u"1.events"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(Event{1, Kind::Began, 1}.toLine() + "2 ask 1");
    file.flush();
    std::vector<Event> read;
    QString error;
    QVERIFY(readEvents(folder.path(), &read, &error));
    QCOMPARE(read.size(), 1U);
    file.write("\n");
    file.close();
    QVERIFY(!readEvents(folder.path(), &read, &error));
    QVERIFY2(error.contains(u"1.events:2: no event: 2 ask 1"_s), qPrintable(error));
}

QTEST_GUILESS_MAIN(TestFaultChecker)
#include "tst_faultchecker.moc"
