#pragma once

#include "versionrows_p.h"

namespace lockscope::detail {

/// The engine's own table, lock_version.
class OwnVersions final : public VersionRows
{
public:
    using VersionRows::complaintAbout;
    std::optional<LockError> complaintAbout(const ColumnValues &values) const override;
    ReadResult read(Link &link, const QByteArray &resource) override;
    Reply send(Link &link, const VersionCommit &commit) override;
    Snapshot after(const VersionCommit &commit, quint64 insertId) const override;
    Fate fateOf(Link &link, const VersionCommit &commit) override;
};

} // namespace lockscope::detail
