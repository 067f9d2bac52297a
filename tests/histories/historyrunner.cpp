// SPDX-License-Identifier: MIT
#include "historyrunner.h"

#include "runner.h"
#include "shrink.h"

#include <QtCore/QDeadlineTimer>

using namespace Qt::StringLiterals;

namespace lockscope::test {

namespace {

using namespace std::chrono_literals;

constexpr int kRuns = 80;
constexpr auto kTime = 5min;
/// A failure that depends on timing may need more than one run to come back.
constexpr int kPatience = 3;

} // namespace

QString HistoryRunner::run(const History &history)
{
    QList<Scenario> scenarios;
    QString error;
    if (!parseScenarios(u"history"_s, history.scenario(), &scenarios, &error))
        return error;
    ++m_runs;
    m_steps += scenarios.first().steps.size();
    return Runner(m_world).run(scenarios.first());
}

QString HistoryRunner::shortest(const History &history, const QString &failure)
{
    const QDeadlineTimer deadline(kTime);
    const int lastRun = m_runs + kRuns;
    QString last = failure;
    int tries = kPatience;
    const auto fails = [&](const History &candidate) {
        const bool hasSteps = !candidate.upTo().moves.isEmpty();
        for (int i = 0; i < tries && hasSteps && m_runs < lastRun && !deadline.hasExpired(); ++i) {
            const QString found = run(candidate);
            if (!found.isEmpty()) {
                last = found;
                return true;
            }
        }
        return false;
    };
    History shorter = history.upTo(failure.section(u':', 1, 1).toInt());
    if (shorter.moves.isEmpty() || !fails(shorter))
        shorter = history; // what was left behind in the end, or a matter of timing
    if (shorter.moves.size() == history.moves.size() && !fails(shorter))
        return u"It did not fail again.\n%1\n%2"_s.arg(failure, history.scenario());
    tries = last == failure ? 1 : 2;
    shorter = shrunk(shorter, fails);
    return u"%1\n%2First seen as %3\n"_s.arg(last, shorter.scenario(), failure);
}

} // namespace lockscope::test
