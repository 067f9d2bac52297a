// SPDX-License-Identifier: MIT
// The programs of lib/examples, run as a reader would run them: several at once, and one of them dies.
#include "enginetest.h"
#include "freeze.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace Qt::StringLiterals;
using namespace lockscope::test;

namespace {

const QString kCron = QStringLiteral(LOCKSCOPE_EXAMPLE_CRON);
const QString kLeader = QStringLiteral(LOCKSCOPE_EXAMPLE_LEADER);
const QString kStock = QStringLiteral(LOCKSCOPE_EXAMPLE_STOCK);

/// A running example; SIGKILL ends it with the object.
class Example
{
public:
    Example(const QString &program, const QStringList &words, const QProcessEnvironment &environment)
    {
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_process.setProcessEnvironment(environment);
        m_process.start(program, words, QIODevice::ReadOnly);
        if (!m_process.waitForStarted())
            qFatal("%ls did not start", qUtf16Printable(program));
    }
    ~Example() { kill9(); }
    Example(const Example &) = delete;
    Example &operator=(const Example &) = delete;

    /// The next line; empty when none came in time.
    QString line()
    {
        const bool came = eventually([&] {
            m_process.waitForReadyRead(0);
            return m_process.canReadLine() || m_process.state() == QProcess::NotRunning;
        });
        return came ? QString::fromUtf8(m_process.readLine()).trimmed() : QString();
    }
    /// All lines that are still to come until it ends.
    QString rest()
    {
        m_process.waitForFinished(int(std::chrono::milliseconds(2 * Patience).count()));
        return QString::fromUtf8(m_process.readAll()).trimmed();
    }
    /// -1: it runs still, or was ended by a signal.
    int exitCode() const
    {
        const bool isOver = m_process.state() == QProcess::NotRunning && m_process.exitStatus() == QProcess::NormalExit;
        return isOver ? m_process.exitCode() : -1;
    }

    void kill9()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    void freeze() { freezeProcess(m_process.processId()); }
    void thaw() { thawProcess(m_process.processId()); }

private:
    QProcess m_process;
};

/// The number behind `word` in a line of an example; -1 when there is none.
qint64 numberAfter(const QString &word, const QString &line)
{
    const auto match = QRegularExpression(word + u" (\\d+)"_s).match(line);
    return match.hasMatch() ? match.captured(1).toLongLong() : -1;
}

} // namespace

class TestExamples : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();

    void oneHostRunsTheJobOfASlotAndTheOthersSkip();
    void theNextHostRunsTheJobOfOneThatDied();
    void aStockIsNeverOversold();
    void theNextLeadsWhenTheLeaderDiesOrFreezes();
    void aLeaderThatStepsDownIsFollowedAtOnce();
    void aWrongCommandLineIsExplained();

private:
    std::unique_ptr<Example> start(const QString &program, const QStringList &words) const
    {
        return std::make_unique<Example>(program, words, m_environment);
    }
    /// Starts one more, which waits as the last of `place`.
    std::unique_ptr<Example> startWaiting(const QString &program, const QStringList &words, const QByteArray &resource,
                                          int place);
    /// From now on every change that `condition` finds wrong leaves a row in `wrong`.
    void watchFor(const QByteArray &table, const QByteArray &condition);
    int wrongChanges() { return m_observer->value("SELECT COUNT(*) FROM wrong").toInt(); }

    QProcessEnvironment m_environment = QProcessEnvironment::systemEnvironment();
};

void TestExamples::initTestCase()
{
    EngineTest::initTestCase();
    Observer administrator(*m_server);
    administrator.run("CREATE USER shop@localhost IDENTIFIED BY 'secret'; GRANT ALL ON lockscope.* TO shop@localhost");
    lockscope::ServerUrl url = m_server->url();
    url.user = u"shop"_s;
    m_environment.insert(u"LOCKSCOPE_URL"_s, url.toString());
    m_environment.insert(u"LOCKSCOPE_PASSWORD"_s, u"secret"_s);
}

void TestExamples::init()
{
    EngineTest::init();
    m_observer->run("DROP TABLE IF EXISTS example_job, example_leader, example_stock, wrong; "
                    "CREATE TABLE wrong (id INT AUTO_INCREMENT PRIMARY KEY) ENGINE = InnoDB");
}

std::unique_ptr<Example> TestExamples::startWaiting(const QString &program, const QStringList &words,
                                                    const QByteArray &resource, int place)
{
    auto example = start(program, words);
    if (!eventually([&] { return m_observer->waiters(resource) == place; }))
        qFatal("%ls does not wait: %ls", qUtf16Printable(program), qUtf16Printable(example->line()));
    return example;
}

void TestExamples::watchFor(const QByteArray &table, const QByteArray &condition)
{
    m_observer->run("CREATE TRIGGER watch_" + table + " BEFORE UPDATE ON " + table
                    + " FOR EACH ROW INSERT INTO wrong SELECT NULL FROM DUAL WHERE " + condition);
}

void TestExamples::oneHostRunsTheJobOfASlotAndTheOthersSkip()
{
    for (const QString &slot : {u"202611201800"_s, u"202611201815"_s}) {
        std::vector<std::unique_ptr<Example>> hosts;
        for (int i = 0; i < 4; ++i)
            hosts.push_back(start(kCron, {u"report"_s, slot}));
        int runners = 0;
        for (auto &host : hosts) {
            const QString said = host->rest();
            QVERIFY2(host->exitCode() == 0, qPrintable(said));
            const bool ran = said.contains(u"runs"_s);
            QVERIFY2(said.endsWith(ran ? u": done"_s : u": done already, skipped"_s), qPrintable(said));
            runners += ran ? 1 : 0;
        }
        QCOMPARE(runners, 1);
        QCOMPARE(m_observer->value("SELECT slot FROM example_job WHERE name = 'report'").toString(), slot);
    }
}

void TestExamples::theNextHostRunsTheJobOfOneThatDied()
{
    const QStringList words{u"report"_s, u"202611201830"_s};
    auto first = start(kCron, words + QStringList{u"100000"_s});
    const qint64 token = numberAfter(u"token"_s, first->line());
    QVERIFY(token > 0);
    auto second = startWaiting(kCron, words, "cron/report", 1);
    auto third = startWaiting(kCron, words, "cron/report", 2);
    first->kill9();
    const QString runs = second->line();
    QVERIFY2(numberAfter(u"token"_s, runs) > token, qPrintable(runs));
    QCOMPARE(second->rest(), u"slot 202611201830: done"_s);
    QCOMPARE(third->rest(), u"slot 202611201830: done already, skipped"_s);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_event WHERE kind = 'takeover'").toInt(), 1);
}

void TestExamples::aStockIsNeverOversold()
{
    constexpr int pieces = 400;
    QCOMPARE(start(kStock, {u"fill"_s, QString::number(pieces)})->rest(), u"filled with 400"_s);
    watchFor("example_stock", "NEW.amount < 0 OR NEW.amount <> OLD.amount - 1");
    // They begin together: each has read the amount and waits to write it.
    m_observer->run("BEGIN; SELECT * FROM example_stock FOR UPDATE");
    std::vector<std::unique_ptr<Example>> sellers;
    for (int i = 0; i < 4; ++i)
        sellers.push_back(start(kStock, {u"sell"_s, u"150"_s}));
    const QByteArray writing = "SELECT COUNT(*) FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND "
                               "info LIKE 'UPDATE%example_stock%'";
    const bool isReady = eventually([&] { return m_observer->value(writing).toInt() == 4; });
    m_observer->run("COMMIT");
    QVERIFY(isReady);

    qint64 sold = 0;
    qint64 conflicts = 0;
    for (auto &seller : sellers) {
        const QString said = seller->rest();
        QVERIFY2(seller->exitCode() == 0, qPrintable(said));
        sold += numberAfter(u"sold"_s, said);
        conflicts += numberAfter(u","_s, said.section(u"sold out"_s, -1));
    }
    QCOMPARE(sold, pieces); // 600 were wanted
    QVERIFY(conflicts > 0);
    QCOMPARE(m_observer->value("SELECT amount FROM example_stock").toInt(), 0);
    QCOMPARE(wrongChanges(), 0);
}

void TestExamples::theNextLeadsWhenTheLeaderDiesOrFreezes()
{
    const auto leads = [](Example &example) { return numberAfter(u"leads with token"_s, example.line()); };
    auto first = start(kLeader, {u"eu"_s});
    QCOMPARE(first->line(), u"waits"_s);
    const qint64 firstToken = leads(*first);
    QVERIFY(firstToken > 0);
    watchFor("example_leader", "NEW.fence_seen < OLD.fence_seen");
    auto second = startWaiting(kLeader, {u"eu"_s}, "leader/eu", 1);
    auto third = startWaiting(kLeader, {u"eu"_s}, "leader/eu", 2);
    QCOMPARE(second->line(), u"waits"_s);
    QCOMPARE(third->line(), u"waits"_s);

    first->kill9();
    const qint64 secondToken = leads(*second);
    QVERIFY(secondToken > firstToken);
    second->freeze();
    const qint64 thirdToken = leads(*third);
    QVERIFY(thirdToken > secondToken);
    const QByteArray seen = "SELECT fence_seen FROM example_leader";
    QVERIFY(eventually([&] { return m_observer->value(seen).toLongLong() == thirdToken; }));

    second->thaw();
    const QString stopped = second->line();
    QVERIFY2(stopped == u"lost the lead"_s || stopped == u"refused: a newer leader has written"_s, qPrintable(stopped));
    QCOMPARE(second->line(), u"waits"_s);
    const QByteArray beats = "SELECT beats FROM example_leader";
    const int before = m_observer->value(beats).toInt();
    QVERIFY(eventually([&] { return m_observer->value(beats).toInt() > before; }));
    QCOMPARE(m_observer->value(seen).toLongLong(), thirdToken);
    QCOMPARE(wrongChanges(), 0);
}

void TestExamples::aLeaderThatStepsDownIsFollowedAtOnce()
{
    lockscope::LockEngine engine(configFor(*m_server));
    auto lead = engine.acquire(requestFor("leader/eu"));
    const auto token = qint64(lead.handle.token());
    const QString url = m_environment.value(u"LOCKSCOPE_URL"_s);
    auto first = startWaiting(kLeader, {u"eu"_s, u"3"_s}, "leader/eu", 1);
    auto second = startWaiting(kLeader, {u"--url"_s, url, u"eu"_s, u"2"_s}, "leader/eu", 2);
    lead.handle.release();
    const QString said = u"waits\nleads with token %1\nstepped down"_s;
    QCOMPARE(first->rest(), said.arg(token + 1));
    QCOMPARE(second->rest(), said.arg(token + 2));
    QCOMPARE(m_observer->value("SELECT beats FROM example_leader").toInt(), 5);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_event").toInt(), 0);
}

void TestExamples::aWrongCommandLineIsExplained()
{
    auto noWords = start(kLeader, {});
    QCOMPARE(noWords->rest(), u"usage: example_leader [--url URL] NAME [BEATS]"_s);
    QCOMPARE(noWords->exitCode(), 64);
    auto noServer = start(kStock, {u"--url"_s, u"http://x"_s, u"sell"_s, u"1"_s});
    QVERIFY(noServer->rest().contains(u"mysql://"_s));
    QCOMPARE(noServer->exitCode(), 64);
}

QTEST_GUILESS_MAIN(TestExamples)
#include "tst_examples.moc"
