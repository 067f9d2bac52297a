// SPDX-License-Identifier: MIT
// One list of scenarios against every mode and both servers, and against every store: scripts of sessions, and the log
// that each must produce.
#include "enginefixture.h"
#include "runner.h"
#include "strict.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestConformance : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { failOnWarnings(KilledOpeningWarning); }
    void everyScenarioIsWritten();
    void aMistakeInAScriptIsNamedWithItsLine_data();
    void aMistakeInAScriptIsNamedWithItsLine();
    void whatIsLeftBehindIsNamed();
    void scenario_data();
    void scenario();
    void cleanupTestCase();

private:
    void aLeaseThatIsLeftIsNamed();
    /// Of every so many scenarios one, and on each store another one.
    bool isOfThisRun(qsizetype index) const
    {
        const auto store = std::max<qsizetype>(0, knownStores().indexOf(QStringLiteral(CONFORMANCE_MODE)));
        return index % m_every == store % m_every;
    }

    const int m_every = std::max(1, qEnvironmentVariableIntValue("LOCKSCOPE_TEST_EVERY"));
    QList<Scenario> m_scenarios;
    std::unique_ptr<World> m_world;
};

void TestConformance::initTestCase()
{
    QString error;
    const QString folder = qEnvironmentVariable("LOCKSCOPE_TEST_SCENARIOS", QStringLiteral(CONFORMANCE_SCENARIOS));
    QVERIFY2(readScenarios(folder, &m_scenarios, &error), qPrintable(error));
    m_world = std::make_unique<World>(TestServer::instance(), QStringLiteral(CONFORMANCE_MODE));
    m_world->install();
}

void TestConformance::cleanupTestCase()
{
    m_world.reset();
}

void TestConformance::everyScenarioIsWritten()
{
    QVERIFY2(m_scenarios.size() >= 110, qPrintable(QString::number(m_scenarios.size())));
    QSet<QString> titles;
    int exceptions = 0;
    int leftOut = 0;
    for (const Scenario &scenario : std::as_const(m_scenarios)) {
        const QString mistake = Runner::mistakeIn(scenario);
        QVERIFY2(mistake.isEmpty(), qPrintable(mistake));
        QVERIFY2(!titles.contains(scenario.title), qPrintable(scenario.title));
        titles += scenario.title;
        const QStringList modes = knownModes();
        const bool holds =
            std::any_of(modes.begin(), modes.end(), [&](const QString &mode) { return !scenario.exceptionIn(mode); });
        QVERIFY2(holds, qPrintable(scenario.title + u" holds nowhere"_s));
        for (const QString &reason : scenario.exceptions)
            QVERIFY2(!reason.isEmpty(), qPrintable(scenario.title));
        exceptions += scenario.exceptionIn(m_world->mode()) ? 1 : 0;
    }
    for (qsizetype i = 0; i < m_scenarios.size(); ++i)
        leftOut += !isOfThisRun(i) && !m_scenarios[i].exceptionIn(m_world->mode());
    qInfo("%d scenarios, %d of them stated exceptions on %s, %d not of this run", int(m_scenarios.size()), exceptions,
          CONFORMANCE_MODE, leftOut);
}

void TestConformance::aMistakeInAScriptIsNamedWithItsLine_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("says");
    QTest::newRow("step without a scenario") << u"A: acquire a"_s << u"x.txt:1: a step before"_s;
    QTest::newRow("unknown step") << u"scenario: t\nA: acquire a\nA dances"_s << u"x.txt:3: no such step"_s;
    QTest::newRow("unknown command") << u"scenario: t\n\nA: dance a"_s << u"x.txt:3: no such command"_s;
    QTest::newRow("unknown option") << u"scenario: t\nA: acquire a until 3s"_s << u"x.txt:2: no such command"_s;
    QTest::newRow("unknown session") << u"scenario: t\nA: acquire a\nB: -> granted"_s << u"x.txt:3: no session B"_s;
    QTest::newRow("unknown session killed") << u"scenario: t\nA: acquire a\nkill C"_s << u"x.txt:3: no session C"_s;
    QTest::newRow("nothing said") << u"scenario: t\nA: acquire a\nA:"_s << u"x.txt:3: "_s;
    QTest::newRow("no steps") << u"# a comment\nscenario: t"_s << u"x.txt:2: a scenario needs"_s;
    QTest::newRow("exception without reason") << u"scenario: t\nexcept pessimistic:"_s << u"x.txt:2: an exception"_s;
    QTest::newRow("exception stated twice")
        << u"except unique: so\nscenario: t\nexcept unique: so"_s << u"x.txt:3: \"unique\" is excepted"_s;
    QTest::newRow("late exception") << u"scenario: t\nA: acquire a\nexcept unique: so"_s << u"x.txt:3: exceptions"_s;
    QTest::newRow("exception in no mode") << u"scenario: t\nexcept magic: so"_s << u"x.txt:2: \"magic\" is no mode"_s;
    QTest::newRow("another answer") << u"scenario: t\nA: connect -> done\nA: clean -> dirty"_s
                                    << u"x.txt:3: A: clean -> dirty"_s;
}

void TestConformance::aMistakeInAScriptIsNamedWithItsLine()
{
    QFETCH(QString, script);
    QFETCH(QString, says);
    QList<Scenario> scenarios;
    QString error;
    if (parseScenarios(u"x.txt"_s, script, &scenarios, &error))
        error = Runner(*m_world).run(scenarios.first());
    QVERIFY2(error.startsWith(says), qPrintable(error));
}

void TestConformance::whatIsLeftBehindIsNamed()
{
    QVERIFY2(eventually([this] { return m_world->leftOver().isEmpty(); }), qPrintable(m_world->leftOver()));
    if (knownStores().contains(m_world->mode()))
        return aLeaseThatIsLeftIsNamed();
    m_world->sql("INSERT INTO lock_lease (resource, presence, queue) VALUES ('x', 'p', 'q'); "
                 "INSERT INTO lock_wait_for (owner, mode, resource, place, since) "
                 "VALUES ('o', 'unique', 'x', 'p', UTC_TIMESTAMP(6)); "
                 "INSERT INTO lock_release_request (at, session, mode, resource, number, reason) "
                 "VALUES (UTC_TIMESTAMP(6), 's', 'unique', 'x', 1, 'r')");
    const QString left = m_world->leftOver();
    m_world->sql("DELETE FROM lock_lease; DELETE FROM lock_wait_for; DELETE FROM lock_release_request");
    QVERIFY2(left.startsWith(u"1 1 1 1 0 0 "_s), qPrintable(left));
}

void TestConformance::aLeaseThatIsLeftIsNamed()
{
    SessionClient *holder = m_world->session(u"A"_s, true);
    holder->send(u"A"_s, {"acquire", "x"});
    QVERIFY(holder->answer(u"A"_s).value_or(QString()).startsWith(u"granted"_s));
    const QString left = m_world->leftOver();
    QCOMPARE(m_world->close(), QString());
    QVERIFY2(left.contains(u"lease x"_s), qPrintable(left));
}

void TestConformance::scenario_data()
{
    QTest::addColumn<qsizetype>("index");
    for (qsizetype i = 0; i < m_scenarios.size(); ++i)
        QTest::newRow(qPrintable(m_scenarios[i].file.section(u'.', 0, 0) + u": "_s + m_scenarios[i].title)) << i;
}

void TestConformance::scenario()
{
    QFETCH(qsizetype, index);
    const Scenario &scenario = m_scenarios[index];
    if (!isOfThisRun(index))
        QSKIP(qPrintable(u"not of this run, which has one of %1"_s.arg(m_every)));
    if (const auto exception = scenario.exceptionIn(m_world->mode()))
        QSKIP(qPrintable(u"not on %1: %2"_s.arg(m_world->mode(), *exception)));
    const QString failure = Runner(*m_world).run(scenario);
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
}

QTEST_GUILESS_MAIN(TestConformance)
#include "tst_conformance.moc"
