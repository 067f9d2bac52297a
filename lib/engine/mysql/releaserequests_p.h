// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockrequest.h"
#include "lockscope/requestresult.h"
#include "session/reconnectingsession.h"

#include <functional>

namespace lockscope::detail {

/// Writes a request for whoever holds `resource` (as it is stored).
RequestResult askForRelease(ReconnectingSession &link, Mode mode, const QByteArray &resource, const QString &reason);

/// What the holder that the server knows by `number` is asked for; see Hold::number().
struct ReleaseRequest
{
    Mode mode;
    QByteArray resource; ///< as it is stored
    quint64 number;
    QString reason;
};

/// Takes what the holders of the engine with this session are asked, and tells it.
void takeReleaseRequests(ReconnectingSession &link, const QByteArray &session,
                         const std::function<void(const ReleaseRequest &request)> &tell);

} // namespace lockscope::detail
