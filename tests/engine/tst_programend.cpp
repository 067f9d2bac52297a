// SPDX-License-Identifier: MIT
// Programs that end while they hold locks: whatever is destroyed first, they end properly and leave nothing held.
#include "enginetest.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;

class TestProgramEnd : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void nothingStaysHeldWhateverEndsFirst_data();
    void nothingStaysHeldWhateverEndsFirst();
    void exitInTheRowsOwnThreadDoesNoHarm();

private:
    /// "" or what went wrong.
    QString ended(const QString &how);
};

QString TestProgramEnd::ended(const QString &how)
{
    QProcess program;
    program.setProcessChannelMode(QProcess::MergedChannels);
    program.start(QStringLiteral(LOCKSCOPE_LASTLOCK), {m_server->url().toString(), how});
    if (!program.waitForFinished(int(std::chrono::milliseconds(Patience).count()))) {
        program.kill();
        program.waitForFinished();
        return QStringLiteral("it did not end");
    }
    const QString said = QString::fromUtf8(program.readAll());
    if (program.exitStatus() == QProcess::NormalExit && program.exitCode() == 0 && said.isEmpty())
        return {};
    return QStringLiteral("status %1, code %2: %3").arg(program.exitStatus()).arg(program.exitCode()).arg(said);
}

void TestProgramEnd::nothingStaysHeldWhateverEndsFirst_data()
{
    QTest::addColumn<QString>("how");
    for (const char *how : {"threadlocal", "mainlocal", "return", "exit", "waiting", "exitinthread", "late"})
        QTest::newRow(how) << QString::fromLatin1(how);
}

void TestProgramEnd::nothingStaysHeldWhateverEndsFirst()
{
    QFETCH(QString, how);
    QCOMPARE(ended(how), QString());
    LockEngine engine(configFor(*m_server));
    QCOMPARE(engine.acquire(requestFor("lease")).outcome, Outcome::Granted); // released, for its TTL is ten minutes
    QCOMPARE(engine.acquire(rowRequest("row")).outcome, Outcome::Granted);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_lease WHERE queue <> ''").toInt(), 0);
}

/// The engine cannot wait for the thread in which it would wait. The server frees the row with its session.
void TestProgramEnd::exitInTheRowsOwnThreadDoesNoHarm()
{
    QCOMPARE(ended(QStringLiteral("exitatwork")), QString());
    LockEngine engine(configFor(*m_server));
    QCOMPARE(engine.acquire(rowRequest("row", Patience)).outcome, Outcome::Granted);
}

QTEST_GUILESS_MAIN(TestProgramEnd)
#include "tst_programend.moc"
