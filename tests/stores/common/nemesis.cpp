// SPDX-License-Identifier: MIT
#include "nemesis.h"

#include "freeze.h"
#include "nemesistally.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtTest/QTest>

#include <algorithm>
#include <array>
#include <random>
#include <thread>

namespace lockscope::test {

namespace {

using namespace std::chrono_literals;

constexpr int kProcesses = 8;
constexpr auto kBetweenFaults = 150ms;

using Processes = std::array<QProcess, kProcesses>;

/// Who holds it at this moment: freezing anybody else shows little. Between two grants, any.
QProcess &holderOf(Processes &processes, const NemesisTally &tally, QProcess &any)
{
    const qint64 pid = qint64(tally.holder.load() >> 32);
    const auto found = std::find_if(processes.begin(), processes.end(),
                                    [pid](const QProcess &process) { return process.processId() == pid; });
    return pid != 0 && found != processes.end() ? *found : any;
}

} // namespace

void runNemesis(const Nemesis &nemesis)
{
    QFile file(nemesis.folder + QStringLiteral("/tally"));
    QVERIFY(file.open(QIODevice::ReadWrite) && file.resize(qint64(sizeof(NemesisTally))));
    const auto *tally = reinterpret_cast<const NemesisTally *>(file.map(0, qint64(sizeof(NemesisTally))));
    Processes processes;
    const auto start = [&](QProcess &process) {
        process.setProcessChannelMode(QProcess::ForwardedChannels);
        process.start(nemesis.program, nemesis.arguments + QStringList{file.fileName()});
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
            QProcess &frozen = holderOf(processes, *tally, process);
            freezeProcess(frozen.processId());
            std::this_thread::sleep_for(nemesis.frozenFor);
            thawProcess(frozen.processId());
            ++freezes;
        }
    }
    for (QProcess &process : processes) {
        process.kill();
        process.waitForFinished();
    }
    qInfo("%u grants, %d kills, %d freezes, %u answers without a lease", tally->grants.load(), kills, freezes,
          tally->refusals.load());
    QVERIFY(tally->grants > nemesis.fewestGrants);
    QCOMPARE(tally->doubleHolders.load(), 0U);
    QCOMPARE(tally->tokensOutOfOrder.load(), 0U);
    QCOMPARE(tally->inversions.load(), 0U);
}

} // namespace lockscope::test
