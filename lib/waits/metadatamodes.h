// SPDX-License-Identifier: MIT
#pragma once

#include "serverwaits.h"

namespace lockscope {

/// True when a request for `wanted` must wait for another session's lock of `other`: one that is granted, or, where
/// `isGranted` is false, one that waits and comes first. Modes as performance_schema.metadata_locks spells them; a mode
/// that is not known conflicts with nothing.
/// Source: the compatibility and priority tables of sql/mdl.cc of both servers, and MariaDB's for BACKUP.
bool waitsFor(const ServerObject &object, const QString &wanted, const QString &other, bool isGranted);

/// To compare the modes in which a session holds one object; 0: a mode that is not known.
int strengthOf(const QString &mode);

/// Adds who waits for whom among metadata and user-level locks, as the server itself decides it: each pair once for an
/// object. Of more than ServerWaits::MaxEdges those of holders stay, and the source is marked as cut.
void addMetadataEdges(const QList<ServerLock> &locks, ServerWaits *waits, bool isInferred = false);

} // namespace lockscope
