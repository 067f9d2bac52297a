// SPDX-License-Identifier: MIT
// How what a run has made on a server goes again: its sessions, its prepared transactions, its schema and its account,
// in this order; and what is left where that cannot be.
#pragma once

#include "session/session.h"
#include "waits/xid.h"

#include <QtCore/QStringList>

#include <functional>

namespace lockscope {

/// What a run has made.
struct LessonMade
{
    QString schema;
    QString user;
    QString host; ///< this machine as the server sees it

    Params params() const;
    QString account() const { return user + u'@' + host; }
};

/// As lessons/make and lessons/new_password make it, for servers that ask for several kinds of characters. `end`: as a
/// lock's name.
QString lessonPassword(const QByteArray &end);

/// What is left of a run. The next one that is played on the server removes it, once nothing holds it any more.
struct LessonRemains
{
    QString schema;
    QString account; ///< "lockscope_l_…@localhost"
    QString reason;  ///< English; the server's own words
    /// "XA ROLLBACK 'x'": each prepared transaction that the server has, where one at least is the run's and it is not
    /// told which; else none.
    QStringList rollbacks;
};

/// Told of what is left, by the thread that could not remove it.
using OnLessonRemains = std::function<void(const LessonRemains &)>;

/// Ends all sessions of the run's account, in which nobody can log in any more then: by a session of this account, to
/// which the server lets no other account's be ended, and so needs no right for it. `warden` is one, or null: then one
/// is opened with another password. It ends too.
void endLessonSessions(Session &control, const LessonMade &made, SessionTarget learner,
                       std::unique_ptr<Session> warden);

/// Removes schema and account once the sessions have ended; within ten seconds or so. `prepared` are names of
/// transactions that are known as the run's own. Others are rolled back only where the server tells that they are:
/// when as many of them hold locks in the run's schema as there are names on the server at all.
std::optional<LessonRemains> removeLesson(Session &control, const SessionTarget &watcher, const LessonMade &made,
                                          const QList<Xid> &prepared);

/// What runs left whose programs died, and what they could not remove themselves. A run lives as long as it holds the
/// user-level lock of its schema's name, which it does from before it makes anything, or has a session, which it has
/// from the first to the last of its steps: the connection that holds the lock may break. Errors stop no other run.
void removeDeadLessons(Session &control, const SessionTarget &watcher, const OnLessonRemains &onRemains);

} // namespace lockscope
