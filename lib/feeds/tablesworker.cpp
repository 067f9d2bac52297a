// SPDX-License-Identifier: MIT
#include "tablesworker.h"

#include "locktables/profilelibrary.h"

#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto kShortestInterval = 200ms;

} // namespace

TablesWorker::TablesWorker(const SessionTarget &target)
    : FeedWorker(target, PollPace(TablesFeed::DefaultInterval, kShortestInterval))
    , m_target(target)
{
}

void TablesWorker::refresh()
{
    m_areProfilesOld = true;
    poll();
}

void TablesWorker::poll()
{
    auto tables = std::make_shared<TableLocks>();
    const auto error = pollServer([&](Session &session) {
        if (!m_reader || std::exchange(m_areProfilesOld, false))
            readProfiles();
        m_reader->setZones(applicationZones()); // which somebody may have told lockctl meanwhile
        return m_reader->read(session, {}, tables.get());
    });
    tables->faultyProfiles = m_faulty;
    if (error && tables->unread.isEmpty())
        Q_EMIT failed(*error);
    else
        Q_EMIT updated(tables);
}

void TablesWorker::readProfiles()
{
    QList<ProfileFile> faulty;
    TableReader reader(allProfiles(ownProfileFolder(), &faulty));
    if (m_reader)
        reader.goOnFrom(*m_reader);
    m_reader.emplace(std::move(reader));
    m_faulty.clear();
    for (const ProfileFile &file : std::as_const(faulty))
        m_faulty.append(QStringLiteral("%1:%2: %3").arg(file.path).arg(file.fault()->line).arg(file.fault()->reason));
}

void TablesWorker::preview(const TableReleaseOrder &order)
{
    QString why;
    const auto error = askServer([&](Session &session) { return lookUpTableRefusal(session, order, &why); });
    Q_EMIT previewReady(order, why, error);
}

/// On a session of its own: what fails in the middle of a transaction must not meet the polls.
void TablesWorker::release(const TableReleaseOrder &order, const ServerAccess &access)
{
    TableReleaseReport report;
    LockError error;
    if (const auto session = Session::open(m_target, &error))
        report = releaseTableLock(*session, order, access, &m_audit);
    else
        report.error = error;
    Q_EMIT released(order, report);
    poll();
}

std::optional<LockError> TablesWorker::onOpened(Session & /*session*/)
{
    m_reader.reset(); // the tables may be another server's
    return std::nullopt;
}

} // namespace lockscope
