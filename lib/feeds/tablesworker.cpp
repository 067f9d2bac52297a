// SPDX-License-Identifier: MIT
#include "tablesworker.h"

#include "locktables/profilelibrary.h"

#include <QtCore/QSet>

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
    if (!error)
        m_known = *tables;
    else if (m_known)
        *tables = knownUnread(*error);
    tables->faultyProfiles = m_faulty;
    if (m_known)
        Q_EMIT updated(tables);
    if (error)
        Q_EMIT failed(*error);
}

/// None was read: what they had is not gone with that. The reader does not tell it where there is no connection.
TableLocks TablesWorker::knownUnread(const LockError &error) const
{
    TableLocks tables = *m_known;
    tables.notes = {error.toString()};
    tables.read.clear();
    tables.unread.clear();
    QSet<QString> places;
    const QList<LockTable> found = m_reader ? m_reader->scan().tables : QList<LockTable>();
    for (const LockTable &table : found) {
        tables.unread.append({table.place(), table.isLookAlike, error});
        places.insert(table.place());
    }
    tables.tables = int(tables.unread.size());
    tables.locks.removeIf([&places](const TableLock &lock) { return !places.contains(lock.table.place()); });
    for (TableLock &lock : tables.locks)
        lock.unread = error.toString();
    return tables;
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
    if (before != m_serverName) {
        m_reader.reset();
        if (m_known)
            m_known.emplace(); // what was told of the other one is over
    } else if (m_reader) {
        m_reader->forgetTables();
    }
    return std::nullopt;
}

} // namespace lockscope
