// SPDX-License-Identifier: MIT
// Eight processes of three threads want one lease, while they are killed and frozen past its time. What is counted:
// two holders at once by their own deadlines, tokens and places in the queue out of order.
// LOCKSCOPE_NEMESIS_SECONDS: how long (20).
#include "freeze.h"
#include "nemesistally.h"
#include "redisfixture.h"

#include <QtTest/QTest>

#include <array>
#include <random>

#include <sys/mman.h>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int kProcesses = 8;
constexpr auto kBetweenFaults = 150ms;

/// Shared with the processes by a file.
class SharedTally
{
public:
    explicit SharedTally(const QString &path)
        : m_file(path)
    {
        if (!m_file.open(QIODevice::ReadWrite) || !m_file.resize(qint64(sizeof(NemesisTally))))
            qFatal("Cannot write %s", qPrintable(path));
        m_tally = reinterpret_cast<NemesisTally *>(m_file.map(0, qint64(sizeof(NemesisTally))));
    }
    const NemesisTally *operator->() const { return m_tally; }

private:
    QFile m_file;
    NemesisTally *m_tally = nullptr;
};

} // namespace

class TestRedisNemesis : public RedisTest
{
    Q_OBJECT

private Q_SLOTS:
    void noTwoHoldAndNobodyOvertakes();
};

void TestRedisNemesis::noTwoHoldAndNobodyOvertakes()
{
    const QString path = m_node->folder() + u"/tally"_s;
    const SharedTally tally(path);
    std::array<QProcess, kProcesses> processes;
    const auto start = [&](QProcess &process) {
        process.setProcessChannelMode(QProcess::ForwardedChannels);
        process.start(QStringLiteral(LOCKSCOPE_REDISNEMESIS), {m_node->url().toString(), path});
        QVERIFY(process.waitForStarted());
    };
    for (QProcess &process : processes)
        start(process);
    std::mt19937 dice(7);
    int kills = 0;
    int freezes = 0;
    const int seconds = qEnvironmentVariableIntValue("LOCKSCOPE_NEMESIS_SECONDS");
    const QDeadlineTimer end(std::chrono::seconds(seconds > 0 ? seconds : 20));
    while (!end.hasExpired()) {
        std::this_thread::sleep_for(kBetweenFaults);
        QProcess &process = processes[dice() % kProcesses];
        if (dice() % 3 != 0) {
            process.kill();
            process.waitForFinished();
            start(process);
            ++kills;
        } else {
            freezeProcess(process.processId());
            std::this_thread::sleep_for(NemesisTtl + 200ms);
            thawProcess(process.processId());
            ++freezes;
        }
    }
    for (QProcess &process : processes) {
        process.kill();
        process.waitForFinished();
    }
    qInfo("%u grants, %d kills, %d freezes, %u answers without a lease", tally->grants.load(), kills, freezes,
          tally->refusals.load());
    QVERIFY(tally->grants > 100);
    QCOMPARE(tally->doubleHolders.load(), 0U);
    QCOMPARE(tally->tokensOutOfOrder.load(), 0U);
    QCOMPARE(tally->inversions.load(), 0U);
}

QTEST_GUILESS_MAIN(TestRedisNemesis)
#include "tst_redisnemesis.moc"
