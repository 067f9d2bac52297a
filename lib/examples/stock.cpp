// SPDX-License-Identifier: MIT
// A stock that several processes sell from at the same time, without a lock: optimistic mode.
//
//   example_stock [--url URL] fill PIECES
//   example_stock [--url URL] sell PIECES     start it several times at once
//
// Every sale reads the amount with its version, decides, and writes the new amount if the version is still the same. Of
// two that read the same amount one gets a conflict and decides again, with the amount that the other left: so the last
// piece is sold once, and nobody holds anything that a crash could leave behind.
#include "example.h"

#include <lockscope/optimistic.h>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const QString kAmount = QStringLiteral("amount");
const QByteArray kArticle = "screws";

VersionedTable stockTable()
{
    VersionedTable table;
    table.table = QStringLiteral("example_stock");
    table.keyColumn = QStringLiteral("article");
    table.versionColumn = QStringLiteral("version");
    table.readColumns = {kAmount};
    return table;
}

void fill(const EngineConfig &config, qint64 pieces)
{
    QSqlDatabase own = example::database(config);
    example::execute(own,
                     QStringLiteral("CREATE TABLE IF NOT EXISTS example_stock (article VARBINARY(255) PRIMARY KEY, "
                                    "version BIGINT NOT NULL, amount BIGINT NOT NULL) ENGINE = InnoDB"));
    example::execute(own,
                     QStringLiteral("INSERT INTO example_stock VALUES (?, 1, ?) ON DUPLICATE KEY UPDATE "
                                    "version = version + 1, amount = VALUES(amount)"),
                     {kArticle, pieces});
    example::say(QStringLiteral("filled with %1").arg(pieces));
}

/// One piece less, or nothing to write when none is left. May run several times for one sale.
std::optional<ColumnValues> takeOne(const Snapshot &now)
{
    const qint64 amount = now.values[0].toLongLong();
    if (amount <= 0)
        return std::nullopt;
    return ColumnValues{{kAmount, amount - 1}};
}

void sell(const EngineConfig &config, qint64 pieces)
{
    LockEngine engine(config);
    OptimisticStore stock(engine, stockTable());
    qint64 sold = 0;
    bool isEmpty = false;
    while (sold < pieces && !isEmpty) {
        const RunResult sale = stock.run(kArticle, takeOne);
        switch (sale.outcome) {
        case RunOutcome::Committed:
            ++sold;
            break;
        case RunOutcome::Abandoned:
            isEmpty = true;
            break;
        case RunOutcome::GaveUp:
        case RunOutcome::TimedOut:
            break; // too many others: nothing was written, and this loop has time
        default:   // Unknown as well: the piece may be gone, so it must not be sold again
            example::say(QStringLiteral("sold %1, then stopped").arg(sold));
            example::fail(sale.error.value_or(LockError()));
        }
    }
    const CommitCounts counts = stock.statistics().resources[kArticle];
    example::say(QStringLiteral("sold %1%2, %3 conflicts on the way")
                     .arg(sold)
                     .arg(isEmpty ? QStringLiteral(", then sold out") : QString())
                     .arg(counts.conflicts));
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QString usage = QStringLiteral("example_stock [--url URL] fill|sell PIECES");
    const auto [config, words] = example::arguments(usage, 2, 2);
    const qint64 pieces = words[1].toLongLong();
    if (words[0] == QLatin1String("fill"))
        fill(config, pieces);
    else if (words[0] == QLatin1String("sell"))
        sell(config, pieces);
    else
        example::fail(QStringLiteral("usage: ") + usage, 64);
    return 0;
}
