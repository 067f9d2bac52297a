// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"
#include "lockscope/lockrequest.h"

#include <optional>

namespace lockscope::detail {

/// A refusal before any I/O.
inline LockError badRequest(const QString &message)
{
    LockError error;
    error.kind = LockError::Kind::BadRequest;
    error.message = message;
    return error;
}

/// The statement certainly did nothing, and may fare better the next time. Not sure after a broken connection.
inline bool isTransient(const LockError &error)
{
    return error.kind == LockError::Kind::Contention || error.kind == LockError::Kind::Interrupted
        || error.kind == LockError::Kind::ConnectionLost;
}

/// The server could not be asked, or its answer was lost; it may come back.
inline bool isUnreachable(const LockError &error)
{
    return error.kind == LockError::Kind::ConnectionLost || error.kind == LockError::Kind::Unavailable;
}

/// What is wrong with the name or the reason that a record of an action keeps; `action` begins the sentence:
/// "A release".
inline std::optional<LockError> validateRecord(const QString &action, const QString &operatorName,
                                               const QString &reason)
{
    if (reason.trimmed().isEmpty())
        return badRequest(action + QStringLiteral(" needs a reason: it is kept beside the operator's name."));
    if (reason.size() > MaxReasonCharacters)
        return badRequest(QStringLiteral("The reason is too long: at most %1 characters.").arg(MaxReasonCharacters));
    if (operatorName.trimmed().isEmpty())
        return badRequest(action + QStringLiteral(" needs the operator's name: it is kept beside the reason."));
    if (operatorName.size() > MaxOperatorCharacters)
        return badRequest(
            QStringLiteral("The operator's name is too long: at most %1 characters.").arg(MaxOperatorCharacters));
    return std::nullopt;
}

/// What is wrong with a resource's name, the same in every mode. `prefixBytes` stand in front of it in the store.
inline std::optional<LockError> validateResource(const QByteArray &resource, qsizetype prefixBytes = 0)
{
    if (resource.isEmpty())
        return badRequest(QStringLiteral("The resource name is empty; it needs 1 to %1 bytes.").arg(MaxResourceBytes));
    if (resource.size() > MaxResourceBytes) {
        return badRequest(QStringLiteral("The resource name has %1 bytes; at most %2 are allowed.")
                              .arg(resource.size())
                              .arg(MaxResourceBytes));
    }
    if (prefixBytes + resource.size() > MaxResourceBytes) {
        return badRequest(QStringLiteral("The resource name has %1 bytes after the %2 of EngineConfig::namePrefix; at "
                                         "most %3 are allowed together.")
                              .arg(resource.size())
                              .arg(prefixBytes)
                              .arg(MaxResourceBytes));
    }
    if (resource.contains('\0'))
        return badRequest(QStringLiteral("The resource name contains a NUL byte; any other byte is allowed."));
    return std::nullopt;
}

} // namespace lockscope::detail
