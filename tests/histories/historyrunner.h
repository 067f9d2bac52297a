// SPDX-License-Identifier: MIT
#pragma once

#include "history.h"
#include "world.h"

namespace lockscope::test {

/// Carries out histories on a server.
class HistoryRunner
{
public:
    explicit HistoryRunner(World &world)
        : m_world(world)
    {
    }

    /// Nothing when all went as the model says; else what did not.
    QString run(const History &history);
    /// The shortest scenario found that fails too, with its failure; `failure` is that of `history`. Within bounded
    /// time.
    QString shortest(const History &history, const QString &failure);

    int runs() const { return m_runs; }
    qsizetype steps() const { return m_steps; }

private:
    World &m_world;
    int m_runs = 0;
    qsizetype m_steps = 0;
};

} // namespace lockscope::test
