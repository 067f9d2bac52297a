// SPDX-License-Identifier: MIT
#include "tableerrors.h"

namespace lockscope {

using namespace Qt::StringLiterals;

LockError ofTable(LockError error, TableUse use)
{
    const bool isRead = use == TableUse::Read;
    switch (error.code) {
    case 1044:
    case 1142:
    case 1143:
        error.message = isRead ? u"This user may not read the table. To see its locks takes SELECT on it."_s
                               : u"This user may not change the table. To release its locks takes UPDATE or DELETE on "
                                 "it, as the preview shows."_s;
        break;
    case 1054:
    case 1146:
        error.kind = LockError::Kind::ServerFault;
        error.message = u"The table was dropped or changed meanwhile. List the locks again."_s;
        break;
    case 1205: // what only reads waits for no row
        error.message = isRead
            ? u"The table is locked by another session: LOCK TABLES, or a change of its definition. Try again."_s
            : u"Another transaction holds the row or its table for too long. Try again."_s;
        break;
    default:
        break;
    }
    return error;
}

bool isOfLock(const std::optional<LockError> &error)
{
    return error && (error->kind == LockError::Kind::Contention || error->kind == LockError::Kind::Interrupted);
}

} // namespace lockscope
