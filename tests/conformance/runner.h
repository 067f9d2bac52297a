// SPDX-License-Identifier: MIT
#pragma once

#include "world.h"

#include <QtCore/QHash>
#include <QtCore/QRegularExpression>
#include <QtCore/QSet>

namespace lockscope::test {

/// Carries out scenarios. scenarios/README.md describes the verbs.
class Runner
{
public:
    explicit Runner(World &world)
        : m_world(world)
    {
    }

    /// Nothing when the scenario went as it is written; else what went otherwise, with file:line and the log so far.
    QString run(const Scenario &scenario);
    /// A line that is no step at all, without running anything; nothing when all are.
    static QString mistakeIn(const Scenario &scenario);

private:
    using Match = QRegularExpressionMatch;
    using Handler = void (Runner::*)(const Match &match);
    struct Verb
    {
        QRegularExpression form;
        Handler handler;
    };
    static const QList<Verb> &verbs();
    static const Verb *verbOf(const QString &step, Match *match);

    // Of sessions.
    void command(const Match &match);
    void queueFor(const Match &match);
    void waitsFor(const Match &match);
    void stillWaits(const Match &match);
    void inOrder(const Match &match);
    void inAnyOrder(const Match &match);
    void takeTurn(const QString &ref, const QStringList &later, quint64 *lastToken);
    void oneOf(const Match &match);
    void compareNumbers(const Match &match);
    void rememberNumber(const Match &match);
    // Of what happens to them.
    void endProcess(const Match &match);
    void killConnections(const Match &match);
    void awaitEnd(const QString &process, const QStringList &connections);
    void isGone(const Match &match);
    void changeServer(const Match &match);
    void changeNetwork(const Match &match);
    // Of the server's tables.
    void guardedWrite(const Match &match);
    void forceRelease(const Match &match);
    void outsider(const Match &match);
    void until(const Match &match);
    void leaseHasEnded(const Match &match);
    void leaseIsRenewed(const Match &match);
    void nothingIsLeft(const Match &match);

    void send(const QString &ref, const QString &command);
    void expectAnswer(const QString &ref, const QString &expected);
    QString takeAnswer(const QString &ref);
    void compare(const QString &what, const QString &expected, const QString &got);
    void fail(const QString &what);
    SessionClient *known(const QString &process);
    quint64 numberNamed(const QString &name);
    void forgetProcess(const QString &process);
    void awaitQueued(const QString &ref, const QByteArray &resource);

    World &m_world;
    bool m_isServerThere = true; ///< and answers
    QString m_failure;
    QSet<QString> m_pending;                   // owners with a command in the background
    QSet<QPair<QString, QByteArray>> m_queued; // owner and resource of requests seen in the queue
    QHash<QString, quint64> m_numbers;         // "token of A", "version of A" and remembered ones
};

} // namespace lockscope::test
