// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QStringList>

#include <chrono>

namespace lockscope::test {

/// Processes of three threads that want one lease, while they are killed and frozen past its time.
struct Nemesis
{
    QString program;       ///< one that runs nemesiswork.h
    QStringList arguments; ///< before the tally's file
    QString folder;        ///< for that file
    std::chrono::milliseconds frozenFor;
    quint32 fewestGrants = 10;
};

/// Runs eight of them for LOCKSCOPE_NEMESIS_SECONDS (20), and compares as QCOMPARE does: nobody holds it at a time with
/// another by their own deadlines, tokens grow, nobody overtakes.
void runNemesis(const Nemesis &nemesis);

} // namespace lockscope::test
