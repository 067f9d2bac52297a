// SPDX-License-Identifier: MIT
#pragma once

#include "enginetest.h"

#include "lockscope/optimistic.h"

#include <QtTest/QTest>

#include <thread>
#include <vector>

namespace lockscope::test {

/// Where a test keeps its versions.
enum class Place { Own, Version, Time };

/// A table of an application, made by makeStock().
inline VersionedTable stock()
{
    VersionedTable table;
    table.table = QStringLiteral("stock");
    table.keyColumn = QStringLiteral("name");
    table.versionColumn = QStringLiteral("version");
    table.readColumns = {QStringLiteral("amount")};
    return table;
}

inline VersionedTable timedStock()
{
    VersionedTable table = stock();
    table.versionColumn.clear();
    table.timestampColumn = QStringLiteral("changed");
    return table;
}

inline VersionedTable tableOf(Place place)
{
    return place == Place::Own ? VersionedTable() : place == Place::Version ? stock() : timedStock();
}

/// Starts over: no versions, and the rows "a" and "b" in stock.
inline void makeStock(Observer &administrator)
{
    administrator.run("DELETE FROM lock_version");
    administrator.run("DROP TABLE IF EXISTS stock");
    administrator.run("CREATE TABLE stock (name VARBINARY(255) PRIMARY KEY, version BIGINT NOT NULL, "
                      "changed DATETIME(6) NOT NULL, amount BIGINT NOT NULL) ENGINE = InnoDB");
    administrator.run("INSERT INTO stock VALUES ('a', 7, '2020-02-02 02:02:02', 0), ('b', 0, '2020-02-02', 0)");
}

inline qint64 amountOf(Observer &observer, const QByteArray &name)
{
    return observer.value("SELECT amount FROM stock WHERE name = '" + name + "'").toLongLong();
}

inline ColumnValues amount(qint64 value)
{
    return {{QStringLiteral("amount"), value}};
}

/// Changes for OptimisticStore::run.
inline std::optional<ColumnValues> oneMore(const Snapshot &snapshot)
{
    return amount(snapshot.values.value(0).toLongLong() + 1);
}
inline std::optional<ColumnValues> nothingElse(const Snapshot &)
{
    return ColumnValues();
}

inline RetryPolicy patientPolicy()
{
    RetryPolicy policy;
    policy.maxAttempts = 100'000;
    policy.timeLimit = Patience;
    policy.maxDelay = 20ms;
    return policy;
}

/// Rows for a test that must hold wherever versions are kept.
inline void everyPlace()
{
    QTest::addColumn<Place>("place");
    QTest::newRow("the engine's table") << Place::Own;
    QTest::newRow("a version column") << Place::Version;
    QTest::newRow("a timestamp column") << Place::Time;
}

/// Runs `work` in `count` threads and waits for all.
inline void inThreads(int count, const std::function<void()> &work)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i)
        threads.emplace_back(work);
    for (auto &thread : threads)
        thread.join();
}

inline QString said(const std::optional<LockError> &error)
{
    return error ? error->toString() : QString();
}

} // namespace lockscope::test

Q_DECLARE_METATYPE(lockscope::test::Place)
