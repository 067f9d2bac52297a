// SPDX-License-Identifier: MIT
// What stands in the indexes of a lesson's tables, in their order: the places that locks are on.
#pragma once

#include "lessonlocks.h"

namespace lockscope {

struct LessonEntries
{
    QString table;
    QString index;
    QStringList keys;   ///< in the index's order, as LessonLock::key has them; also of rows that are not committed
    bool isCut = false; ///< there are more

    bool operator==(const LessonEntries &) const = default;
};

/// Reads them, those of the primary keys first. An index with a column whose bytes cannot be compared with a lock's is
/// left out. Waits at most a second for a table whose definition is locked; then, and when a table has just gone, it
/// returns an error.
std::optional<LockError> readEntries(Session &session, const QString &schema, const IndexColumns &indexes,
                                     QList<LessonEntries> *entries);

} // namespace lockscope
