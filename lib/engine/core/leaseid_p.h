// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/heldleases.h"

namespace lockscope::detail {

/// One lease, and no later one of the same name.
struct LeaseId
{
    QByteArray resource; ///< as it is stored
    int slot = 0;
    quint64 token = 0;
};

/// Who ends a lease and why, kept with its event.
struct ReleaseNote
{
    QString operatorName;
    QString reason; ///< 1–MaxReasonCharacters
};

/// Whether a lease of this owner, whose name has the prefix, is of the selection. Pure.
inline bool isMeant(const LeaseSelection &selection, const Owner &owner)
{
    return selection.session.isEmpty() || owner.session == selection.session;
}

} // namespace lockscope::detail
