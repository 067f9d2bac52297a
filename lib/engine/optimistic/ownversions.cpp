// SPDX-License-Identifier: MIT
#include "ownversions_p.h"

namespace lockscope::detail {

namespace {

/// A row can be removed as idle between its making and its reading, as often as a cleaner is quick: many times where
/// rows are kept for no time at all. More than that means that there is no floor.
constexpr int kMaxMade = 200;
constexpr qsizetype kIdBytes = 8;

ReadResult resultOf(const QByteArray &resource, const QVariantList &row)
{
    ReadResult result;
    result.outcome = ReadOutcome::Read;
    result.snapshot.resource = resource;
    result.snapshot.version = row.value(0).toLongLong();
    result.snapshot.updatedAt = serverTime(row.value(1).toLongLong());
    return result;
}

} // namespace

std::optional<LockError> OwnVersions::validate(const ColumnValues &values) const
{
    if (values.empty())
        return std::nullopt;
    return badRequest(QStringLiteral("The engine's own table has no columns to set. Name a table of the application "
                                     "in VersionedTable."));
}

std::optional<LockError> OwnVersions::validate(const QByteArray &resource) const
{
    return validateResource(m_prefix + resource);
}

ReadResult OwnVersions::read(ReconnectingSession &link, const QByteArray &resource)
{
    const auto params = Params().bytes("resource", m_prefix + resource);
    Reply reply = link.run("engine/version_read", params);
    for (int i = 0; i < kMaxMade && reply && reply.set(-1).rows.isEmpty(); ++i) {
        const QByteArray packet =
            link.render("engine/version_create", params) + "; " + link.render("engine/version_read", params);
        reply = link.run(packet, "engine/version_create");
    }
    if (!reply)
        return {ReadOutcome::Failed, {}, reply.error};
    if (reply.set(-1).rows.isEmpty()) // there is no floor
        return {ReadOutcome::Failed, {}, lockErrorFor(1054, {}, "engine/version_create")};
    return resultOf(resource, reply.set(-1).rows.first());
}

Reply OwnVersions::send(ReconnectingSession &link, const VersionCommit &commit)
{
    return link.run("engine/version_commit",
                    Params()
                        .bytes("resource", m_prefix + commit.from.resource)
                        .number("version", commit.from.version)
                        .bytes("commit", commit.id));
}

Snapshot OwnVersions::after(const VersionCommit &commit, quint64 insertId) const
{
    Snapshot now;
    now.resource = commit.from.resource;
    now.version = commit.from.version + 1;
    if (insertId != 0)
        now.updatedAt = serverTime(qint64(insertId));
    return now;
}

/// Each commit puts its id in front: ours, if it is there, lies as far back as the version went on since.
VersionRows::Fate OwnVersions::fateOf(ReconnectingSession &link, const VersionCommit &commit)
{
    const Reply reply = link.run("engine/version_ask", Params().bytes("resource", m_prefix + commit.from.resource));
    if (!reply)
        return Fate::NoAnswer;
    if (reply.set(-1).rows.isEmpty())
        return Fate::Undecidable; // removed as idle since
    const QVariantList &row = reply.set(-1).rows.first();
    const qint64 version = row.value(0).toLongLong();
    const QByteArray ids = row.value(1).toByteArray();
    if (version <= commit.from.version)
        return Fate::NotDone;
    const qint64 since = version - commit.from.version - 1;
    if (since >= ids.size() / kIdBytes)
        return Fate::Undecidable;
    return ids.mid(since * kIdBytes, kIdBytes) == commit.id ? Fate::Done : Fate::Overtaken;
}

} // namespace lockscope::detail
