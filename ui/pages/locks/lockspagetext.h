// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QCoreApplication>
#include <QtCore/QHash>
#include <QtCore/QMap>
#include <QtCore/QString>

#include <optional>

class QFontMetrics;

namespace lockscope {
struct FilterError;
struct KeyPasses;
struct LockError;
struct LockKey;
struct LockListUpdate;
struct LockRow;
struct TableLocks;
} // namespace lockscope

namespace lockscope::ui {

class EmptyState;
class ServerConnection;

/// The longer texts of the locks page.
class LocksPageText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::LocksPage)
public:
    static QString help();
    /// On the button that ends what has it.
    static QString end(const LockRow &lock, const QFontMetrics &metrics);
    /// What of the filter cannot be understood, and what can be written instead.
    static QString filterError(const FilterError &error);
    /// What has to be known about the list as a whole; empty = nothing.
    /// `passes` are of the servers that answer, `tables` is the last look at those of other programs, and
    /// `tablesFailure` why there was none since.
    static QString notice(const ServerConnection &connection, const QMap<int, KeyPasses> &passes,
                          const TableLocks &tables, const std::optional<LockError> &tablesFailure);
    /// Locks that need a person; an orphan with an alarm counts once.
    static int inNeed(const LockListUpdate &last, const QHash<LockKey, QString> &alarms);
    /// What that number means.
    static QString badge(const LockListUpdate &last, qsizetype alarms);
    /// Says why there is no row, and what to try.
    static void explainEmptyList(const ServerConnection &connection, const QString &filter, bool hasFacets,
                                 EmptyState *empty);

private:
    static int unheard(const ServerConnection &connection);
    static bool explainCutList(const LockListUpdate &last, const QString &filter, bool hasFacets, EmptyState *empty);
};

} // namespace lockscope::ui
