// SPDX-License-Identifier: MIT
#pragma once

#include "locks/snapshot.h"

#include <QtCore/QCoreApplication>

namespace lockscope::ui {

/// What the window says of locks that other programs keep in keys of Redis and etcd and in nodes of ZooKeeper. Rows are
/// such locks.
class KeyLockText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::KeyLockText)
public:
    /// By whose clocks its end and its age are.
    static QString clock(const KeyLock &lock);
    /// The sentence over the inspector.
    static QString summary(const LockRow &row, ServerTime now);
    /// What was read of those that hold it, a line for each.
    static QStringList values(const KeyLock &lock);
    /// As a convention has it, as sentences; empty: it has none.
    static QString note(const KeyConvention &convention);
    static QString warning(const KeyConvention &convention);
    /// Without a look at the server; empty: nothing is against it.
    static QString whyNotReleasable(const KeyLock &lock);
    static QString waitersTip(const LockRow &row);
    /// "12 s".
    static QString ageText(std::chrono::steady_clock::time_point endedAt);
    /// How old the last walk for such locks is: "other programs' keys: seen 12 s ago".
    static QString age(const KeyPasses &passes);
    /// What of them was not seen on these servers, and why; empty: nothing.
    static QString unseen(const QMap<int, KeyPasses> &passes);
};

} // namespace lockscope::ui
