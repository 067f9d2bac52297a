// SPDX-License-Identifier: MIT
#pragma once

#include "tableshape_p.h"
#include "versionrows_p.h"

#include <mutex>

namespace lockscope::detail {

/// Rows of an application's table.
class TableVersions final : public VersionRows
{
public:
    TableVersions(VersionedTable table, const QString &defaultSchema);

    std::optional<LockError> validationError() const override { return m_validationError; }
    std::optional<LockError> validate(const ColumnValues &values) const override;
    std::optional<LockError> prepare(ReconnectingSession &link) override;
    std::optional<LockError> validate(const QByteArray &resource) const override;
    ReadResult read(ReconnectingSession &link, const QByteArray &resource) override;
    Reply send(ReconnectingSession &link, const VersionCommit &commit) override;
    Snapshot after(const VersionCommit &commit, quint64 insertId) const override;
    Fate fateOf(ReconnectingSession &link, const VersionCommit &commit) override;
    QByteArray countedAs(const QByteArray &resource) const override;

private:
    bool isByTime() const { return m_table.versionColumn.isEmpty(); }
    TableShape::Key key() const;
    QByteArray keyLiteral(const QByteArray &resource) const;
    QByteArray newVersion(qint64 old) const;

    VersionedTable m_table;
    std::optional<LockError> m_validationError;
    QByteArray m_countedAs;     ///< the same: "table:"
    QByteArray m_select;        ///< up to the key's value
    QByteArray m_where;         ///< the same
    mutable std::mutex m_mutex; // protects the member below
    std::optional<TableShape> m_shape;
};

} // namespace lockscope::detail
