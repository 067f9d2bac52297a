// SPDX-License-Identifier: MIT
#pragma once

#include "versionrows_p.h"

namespace lockscope::detail {

/// The engine's own table, lock_version.
class OwnVersions final : public VersionRows
{
public:
    explicit OwnVersions(QByteArray prefix)
        : m_prefix(std::move(prefix))
    {
    }

    std::optional<LockError> validate(const QByteArray &resource) const override;
    std::optional<LockError> validate(const ColumnValues &values) const override;
    ReadResult read(ReconnectingSession &link, const QByteArray &resource) override;
    Reply send(ReconnectingSession &link, const VersionCommit &commit) override;
    Snapshot after(const VersionCommit &commit, quint64 insertId) const override;
    Fate fateOf(ReconnectingSession &link, const VersionCommit &commit) override;
    QByteArray countedAs(const QByteArray &resource) const override { return m_prefix + resource; }

private:
    const QByteArray m_prefix; ///< of the names in the table
};

} // namespace lockscope::detail
