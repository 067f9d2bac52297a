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
    if (error) // the reader does not tell it where there is no connection
        *tables = m_reader ? m_reader->asUnread(*error) : TableLocks();
    tables->faultyProfiles = m_faulty;
    const bool hasTables = tables->tables > 0;
    // Beside an error, that none is known is told once: where those before were another server's.
    if (!error || hasTables || m_hasToldTables)
        Q_EMIT updated(tables);
    m_hasToldTables = hasTables;
    if (error)
        Q_EMIT failed(*error);
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

/// At the same address there may be another server by now, of whose tables nothing is known.
std::optional<LockError> TablesWorker::onOpened(Session &session)
{
    const QString before = std::exchange(m_serverName, session.info().ownName);
    if (before != m_serverName)
        m_reader.reset();
    else if (m_reader)
        m_reader->forgetTables();
    return std::nullopt;
}

} // namespace lockscope
