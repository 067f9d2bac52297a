// SPDX-License-Identifier: MIT
#pragma once

#include "rawclient.h"

namespace lockscope::bench {

/// Acquires and releases one resource with the engine's own statements and nothing around them: the packets are put
/// together beforehand, only the token goes in at run time.
class RawLease
{
public:
    /// `owner` as the engine stores it. Makes the row. With a `gate`, acquire waits for that user-level lock first and
    /// release frees it, in the same packets.
    RawLease(RawClient &client, const QByteArray &resource, const QByteArray &owner, const QByteArray &gate = {});

    void acquire();
    void release();
    /// What the engine sends to find that somebody else holds the lease; fails when nobody does.
    void tryHeld();

private:
    RawClient &m_client;
    quint64 m_token = 0;
    QByteArray m_acquire;
    QByteArray m_releaseHead; ///< up to the token
    QByteArray m_releaseTail;
    QByteArray m_look;
};

} // namespace lockscope::bench
