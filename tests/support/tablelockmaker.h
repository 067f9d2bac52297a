// SPDX-License-Identifier: MIT
#pragma once

#include "locktables/tablelock.h"

namespace lockscope::test {

constexpr ServerTime kTableNow{std::chrono::hours(500'000)};

/// A lock of app.shedlock as it is read: held for ten minutes by "a7", for five more.
inline TableLock tableLock(const QByteArray &name, TableLockState state = TableLockState::Held)
{
    TableLock lock;
    lock.table.schema = QStringLiteral("app");
    lock.table.name = QStringLiteral("shedlock");
    lock.table.engine = QStringLiteral("InnoDB");
    TableProfile &profile = lock.table.profile;
    profile.id = QStringLiteral("shedlock");
    profile.title = QStringLiteral("ShedLock");
    profile.columns = {{QStringLiteral("name")}, {QStringLiteral("locked_by")}};
    profile.key = {QStringLiteral("name")};
    profile.holder = {QStringLiteral("locked_by")};
    profile.release.way = ProfileRelease::Way::Update;
    profile.release.set = {{QStringLiteral("locked_by")}};
    lock.table.columns = {{QStringLiteral("name"), "varchar", true}, {QStringLiteral("locked_by"), "varchar"}};
    lock.values = {name, QByteArray("a7")};
    lock.key = name;
    lock.holder = "a7";
    lock.state = state;
    lock.since = kTableNow - std::chrono::minutes(10);
    lock.until = kTableNow + std::chrono::minutes(state == TableLockState::Expired ? -5 : 5);
    return lock;
}

} // namespace lockscope::test
