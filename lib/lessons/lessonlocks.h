// SPDX-License-Identifier: MIT
// The row locks that a server holds in a lesson's schema, on both families in the same words: data_locks on MySQL, on
// MariaDB what SHOW ENGINE INNODB STATUS prints.
#pragma once

#include "innodbstatus.h"
#include "session/session.h"
#include "waits/keycolumns.h"

#include <QtCore/QMap>
#include <QtCore/QStringList>

namespace lockscope {

/// One lock on one record or gap. The server's word where nothing else is said.
struct LessonLock
{
    quint64 connection = 0; ///< 0: a transaction without a session
    QString table;
    QString index;
    QString mode; ///< "X", "S,REC_NOT_GAP", "X,GAP", "X,GAP,INSERT_INTENTION"
    QString key;  ///< "20, 2": the columns of the index, then those of the primary key; or kEndOfIndex
    bool isWaiting = false;
    /// Ours: a record's lock that the session has had since an earlier statement, as the lock of a row that it
    /// inserted; servers list such ones only once somebody waits for them.
    bool wasHidden = false;

    static constexpr auto kEndOfIndex = "supremum pseudo-record";

    bool isAtEnd() const { return key == QLatin1String(kEndOfIndex); }
    /// On the gap before the record alone.
    bool isGap() const;
    /// On the record without the gap before it.
    bool isRecordAlone() const;
    bool operator==(const LessonLock &) const = default;
};

struct LessonLocks
{
    QList<LessonLock> locks; ///< sorted
    bool isCut = false;      ///< there are more
};

/// Marks those that were hidden: that appear, held, with a session that was none of `busy`, which did something
/// meanwhile.
void markHidden(const QList<LessonLock> &before, const QList<quint64> &busy, QList<LessonLock> *now);

/// Reads the locks in a schema. On MariaDB none are told of a server without innodb_status_output_locks.
std::optional<LockError> readLocks(Session &session, const QString &schema, const IndexColumns &indexes,
                                   LessonLocks *locks);

} // namespace lockscope
