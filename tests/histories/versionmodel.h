// SPDX-License-Identifier: MIT
#pragma once

#include "historymodel.h"
#include "lockstate.h"

namespace lockscope::test {

/// What optimistic mode promises: a commit on the newest version is done, once; on any other it is a conflict.
class VersionModel : public HistoryModel
{
public:
    std::optional<QStringList> apply(const Move &move) override;

private:
    using Network = Process::Network;

    struct State
    {
        QMap<QString, Process> processes;
        QMap<QString, QMap<QString, int>> snapshots; ///< by owner and resource: the version that it commits on
        QMap<QString, int> versions;                 ///< counted from the first one that was read
    };

    bool make(const Move &move);
    bool engineCall(const Move &move);
    bool read(const Move &move);
    bool commit(const Move &move);
    bool commitBetween(const Move &move, const QStringList &before, const QStringList &after);
    bool commitOverNetwork(const Move &move);
    bool commitOverServer(const Move &move);
    bool overtakenCommit(const Move &move);
    bool lateCommit(const Move &move);
    bool raceCommit(const Move &move);
    bool add(const Move &move);
    bool crowd(const Move &move);
    bool freeze(const Move &move);
    bool thaw(const Move &move);
    bool breakNetwork(const Move &move);
    bool heal(const Move &move);
    bool reset(const Move &move);
    bool kill(const Move &move);
    bool killConnections(const Move &move);
    bool restart(const Move &move);

    void loseSessions(const QString &process);
    bool isAble(const QString &ref) const;
    bool mayCommit(const Move &move) const;
    QString outcome(const QString &ref, const QString &resource);
    QStringList withNewestVersion(const QString &resource) const;
    void sayVersion(const QString &ref, const QString &resource);
    void say(const QString &line) { m_lines += line; }

    State m_state;
    QStringList m_lines; ///< of the move that is made
};

} // namespace lockscope::test
