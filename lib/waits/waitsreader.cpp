// SPDX-License-Identifier: MIT
#include "waitsreader.h"

#include "foldedleases.h"
#include "hiddenholders.h"
#include "inferredwaits.h"
#include "metadatalocks.h"
#include "metadatamodes.h"
#include "preparedtransactions.h"
#include "rowwaits.h"
#include "sessionfacts.h"
#include "statementhistory.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

using State = SourceStatus::State;

LockError calledOff()
{
    LockError error;
    error.kind = LockError::Kind::Interrupted;
    error.message = QStringLiteral("The look was called off.");
    return error;
}

/// One reading, put together source by source.
class Reading
{
public:
    Reading(Session &session, const Capabilities &capabilities, UserLockThreads *threads, const WaitOptions &options,
            ServerWaits *waits)
        : m_session(session)
        , m_capabilities(capabilities)
        , m_threads(threads)
        , m_options(options)
        , m_waits(waits)
    {
    }

    std::optional<LockError> run();

private:
    /// Runs one source unless it is off or missing, and notes how it went; the error only when nothing else can be
    /// read.
    template<typename Read>
    std::optional<LockError> readSource(WaitSource source, Read read);
    std::optional<LockError> readClock();
    std::optional<LockError> readLocks();
    std::optional<LockError> readTransactionsSource(SourceStatus *status);
    std::optional<LockError> readRows(SourceStatus *status);
    std::optional<LockError> readWantedRows();
    std::optional<LockError> readHolders();
    std::optional<LockError> readPeople();
    std::optional<LockError> addInferred();
    std::optional<LockError> readInferred();
    std::optional<LockError> addMetadata();
    std::optional<LockError> readHistories();
    std::optional<LockError> readMetadata(WaitSource source, SourceStatus *status);
    void addAges();
    bool isOff(WaitSource source) const { return m_options.off.contains(source); }
    QList<quint64> involved() const;

    Session &m_session;
    const Capabilities &m_capabilities;
    UserLockThreads *m_threads;
    const WaitOptions &m_options;
    ServerWaits *m_waits;
    OpenTransactions m_open;
    PreparedTransactions m_prepared;
    std::optional<MetadataTable> m_table;
    QList<MetadataLock> m_metadata;
};

template<typename Read>
std::optional<LockError> Reading::readSource(WaitSource source, Read read)
{
    SourceStatus status = m_capabilities.status(source);
    std::optional<LockError> error;
    if (m_options.isCalledOff && m_options.isCalledOff())
        return calledOff();
    if (isOff(source)) {
        status = {source, State::Off, {}, {}, false, 0};
    } else if (status.state != State::Missing) {
        error = read(&status);
        if (error && !error->connectionGone) {
            status.state = State::Failed;
            status.reason = error->toString();
            error.reset();
        }
    }
    m_waits->sources.append(status);
    return error;
}

std::optional<LockError> Reading::readClock()
{
    const Reply clock = m_session.run("monitor/clock", Params());
    m_waits->clock.server = toServerTime(clock.value()).value_or(ServerTime{});
    m_waits->clock.local = std::chrono::steady_clock::now();
    return clock.error;
}

/// Metadata locks and user-level locks are in one table, which is read once for both.
std::optional<LockError> Reading::readMetadata(WaitSource source, SourceStatus *status)
{
    if (!m_table)
        m_table = readMetadataTable(m_session, m_capabilities, m_threads,
                                    {m_options.limit, m_waits->clock.server, m_open.hasWaiters()});
    status->isCut = m_table->isCut;
    for (const MetadataLock &one : std::as_const(m_table->locks)) {
        const bool isUserLock = one.lock.object.kind == ServerLockKind::User;
        if (isUserLock != (source == WaitSource::UserLocks))
            continue;
        ++status->rows;
        m_metadata.append(one);
    }
    return m_table->error;
}

/// Every session that is to be looked up.
QList<quint64> Reading::involved() const
{
    QSet<quint64> ids = m_options.sessions;
    for (auto it = m_open.transactions.keyBegin(); it != m_open.transactions.keyEnd(); ++it)
        ids.insert(*it);
    for (const MetadataLock &one : m_metadata)
        ids.insert(one.lock.session);
    for (const WaitEdge &edge : std::as_const(m_waits->edges))
        ids << edge.waiter << edge.blocker;
    for (const PreparedTransaction &one : std::as_const(m_waits->prepared))
        ids.insert(one.session);
    ids.remove(0);
    ids.removeIf(isPreparedNumber);
    QList<quint64> list(ids.cbegin(), ids.cend());
    std::sort(list.begin(), list.end());
    return list;
}

/// A lock has lasted no longer than what it belongs to, and at least for as long as its session is idle; that is told
/// where the server does not tell its own age. What runs may have taken it at any moment.
void Reading::addAges()
{
    for (MetadataLock &one : m_metadata) {
        ServerLock &lock = one.lock;
        const ServerSession *session = m_waits->session(lock.session);
        if (lock.age || !session)
            continue;
        const auto &transaction = session->transaction;
        if (!lock.isGranted && session->commandSince)
            lock.age = Age{AgeOf::Wait, *session->commandSince};
        else if (one.duration == QLatin1String("STATEMENT") && session->commandSince)
            lock.age = Age{AgeOf::Statement, *session->commandSince};
        else if (one.duration == QLatin1String("TRANSACTION") && transaction)
            lock.age = Age{AgeOf::Transaction, transaction->started};
        else if (lock.isGranted && session->isIdle() && session->commandSince)
            lock.age = Age{AgeOf::Session, *session->doneSince()};
    }
    for (ServerLock &lock : m_waits->locks) {
        const ServerSession *session = m_waits->session(lock.session);
        if (!lock.age && session && session->transaction)
            lock.age = Age{AgeOf::Transaction, session->transaction->started};
    }
    const auto addPrepared = [this](ServerLock *lock) {
        const PreparedTransaction *prepared = m_waits->preparedTransaction(lock->session);
        if (prepared && !lock->age)
            lock->age = Age{AgeOf::Transaction, prepared->transaction.started};
    };
    for (MetadataLock &one : m_metadata)
        addPrepared(&one.lock);
    for (ServerLock &lock : m_waits->locks)
        addPrepared(&lock);
}

std::optional<LockError> Reading::run()
{
    if (auto error = readClock())
        return error;
    if (auto error = readLocks())
        return error;
    if (auto error = readPeople())
        return error;
    m_prepared.name(m_waits);
    addAges();
    if (auto error = addMetadata())
        return error;
    return readHistories();
}

/// Not a source of its own: it adds to the last statements.
std::optional<LockError> Reading::readHistories()
{
    if (!m_capabilities.hasHistory || isOff(WaitSource::Statements))
        return std::nullopt;
    const auto error = readHistory(m_session, m_waits);
    return error && error->connectionGone ? error : std::nullopt;
}

std::optional<LockError> Reading::readLocks()
{
    auto error =
        readSource(WaitSource::Transactions, [this](SourceStatus *status) { return readTransactionsSource(status); });
    if (error)
        return error;
    error = readSource(WaitSource::RowWaits, [this](SourceStatus *status) {
        auto failed = readRows(status);
        return failed ? failed : readWantedRows();
    });
    if (error)
        return error;
    error = m_prepared.addTo(m_waits, m_open);
    if (error)
        return error;
    for (const WaitSource source : {WaitSource::Metadata, WaitSource::UserLocks}) {
        error = readSource(source, [&](SourceStatus *status) { return readMetadata(source, status); });
        if (error)
            return error;
    }
    m_prepared.takeLocks(&m_metadata, *m_waits);
    error = readHolders();
    m_waits->lost += lostRowWaiters(m_open, *m_waits);
    return error;
}

std::optional<LockError> Reading::readTransactionsSource(SourceStatus *status)
{
    auto failed = readTransactions(m_session, m_options.limit, &m_open);
    status->rows = int(m_open.transactions.size());
    status->isCut = m_open.isCut;
    if (failed)
        return failed;
    if (!m_open.loose.isEmpty() && !m_capabilities.mayRecover) {
        status->state = State::Partial;
        status->reason = QStringLiteral("Transactions without a session are there, and this user may not know the "
                                        "names by which they are ended.");
        status->remedy = QStringLiteral("GRANT XA_RECOVER_ADMIN ON *.* TO ") + m_capabilities.account;
    }
    return m_prepared.read(m_session, m_capabilities, &m_open);
}

/// Who waits for which row, if anybody does.
std::optional<LockError> Reading::readRows(SourceStatus *status)
{
    const SourceStatus &transactions = m_waits->sources.constFirst();
    if (transactions.state == State::Off || transactions.state == State::Failed) {
        status->state = State::Missing;
        status->reason =
            QStringLiteral("The open transactions are not read, and only they tell who waits. ") + transactions.reason;
    }
    if (!m_open.hasWaiters())
        return std::nullopt;
    RowWaits rows;
    auto failed = readRowWaits(m_session, &m_open, &rows);
    status->rows = int(rows.edges.size());
    status->isCut = rows.isCut;
    m_waits->edges += rows.edges;
    m_waits->locks += rows.locks;
    return failed;
}

/// Whoever holds a definition that somebody waits for may itself wait for a row beyond those that are read, and then is
/// not a root.
std::optional<LockError> Reading::readHolders()
{
    if (!m_open.isCut)
        return std::nullopt;
    QSet<ServerObject> wanted;
    for (const MetadataLock &one : std::as_const(m_metadata)) {
        if (!one.lock.isGranted)
            wanted.insert(one.lock.object);
    }
    QSet<quint64> holders;
    for (const MetadataLock &one : std::as_const(m_metadata)) {
        if (one.lock.isGranted && wanted.contains(one.lock.object))
            holders.insert(one.lock.session);
    }
    const auto error = readTransactionsOf(m_session, holders.values(), &m_open);
    return error && error->connectionGone ? error : std::nullopt;
}

std::optional<LockError> Reading::readWantedRows()
{
    if (m_capabilities.family != Family::MySql)
        return std::nullopt;
    for (const quint64 session : m_options.rowsOf) {
        const Transaction transaction = m_open.transactions.value(session);
        if (transaction.rowsLocked == 0 || transaction.rowsLocked > RowLocks::MaxHeld)
            continue;
        RowLocks rows;
        const auto error = readRowLocks(m_session, transaction.id, &rows);
        if (error && error->connectionGone)
            return error;
        if (!error)
            m_waits->rows.insert(session, rows);
    }
    return std::nullopt;
}

std::optional<LockError> Reading::readPeople()
{
    const QList<quint64> ids = involved();
    auto &sessions = m_waits->sessions;
    auto error = readSource(WaitSource::Sessions, [&](SourceStatus *status) {
        auto failed = readSessions(m_session, m_capabilities, {ids, m_options.limit}, &sessions, &status->isCut);
        status->rows = int(sessions.size());
        if (!failed && status->state == State::Complete)
            m_waits->tracked = m_options.sessions;
        return failed;
    });
    if (error)
        return error;
    const QList<quint64> found = sessions.keys();
    error = readSource(WaitSource::Statements, [&](SourceStatus *) {
        return found.isEmpty() ? std::nullopt : readStatements(m_session, found, &sessions);
    });
    if (error)
        return error;
    for (ServerSession &session : sessions) {
        const bool isCounted = m_capabilities.family == Family::MySql && session.commandSince; // in whole seconds
        const Microseconds ago = isCounted ? m_waits->clock.server - *session.commandSince : Microseconds::zero();
        session.lastTook = std::clamp(session.lastTook, Microseconds::zero(), std::max(ago, Microseconds::zero()));
    }
    error = readSource(WaitSource::Attributes, [&](SourceStatus *) {
        return found.isEmpty() ? std::nullopt : readAttributes(m_session, found, &sessions);
    });
    if (error)
        return error;
    for (ServerSession &session : sessions) {
        const auto transaction = m_open.transactions.constFind(session.id);
        if (transaction != m_open.transactions.cend())
            session.transaction = *transaction;
    }
    protect(&sessions, m_session);
    error = m_capabilities.hasLockRows ? readOwners(m_session, &sessions) : std::nullopt;
    return error && error->connectionGone ? error : std::nullopt;
}

/// What the server does not tell by itself, or has not recorded.
std::optional<LockError> Reading::addInferred()
{
    const qsizetype told = m_waits->edges.size();
    std::optional<LockError> error;
    if (!m_capabilities.hasMetadataLocks)
        error = inferWaits(m_session, m_options.off, m_waits);
    else if (!isOff(WaitSource::UserLocks))
        error = inferUserLocks(m_session, m_waits);
    return error || m_waits->edges.size() == told ? error : readInferred();
}

/// Who was found to hold something only by asking for it.
std::optional<LockError> Reading::readInferred()
{
    QList<quint64> ids = involved();
    ids.removeIf([this](quint64 id) { return m_waits->sessions.contains(id); });
    if (ids.isEmpty() || isOff(WaitSource::Sessions))
        return std::nullopt;
    auto error = readSessions(m_session, m_capabilities, {ids, 0}, &m_waits->sessions);
    protect(&m_waits->sessions, m_session);
    return error && error->connectionGone ? error : std::nullopt;
}

std::optional<LockError> Reading::addMetadata()
{
    QList<ServerLock> metadata;
    for (const MetadataLock &one : std::as_const(m_metadata))
        metadata.append(one.lock);
    addMetadataEdges(metadata, m_waits);
    m_waits->locks += metadata;
    if (m_capabilities.hasMetadataLocks && !isOff(WaitSource::Metadata)) {
        addHiddenHolders(m_capabilities.family, m_waits);
        addLostWaiters(m_waits);
    }
    if (auto error = addInferred())
        return error;
    if (auto error = foldLeases(m_session, m_waits))
        return error;
    std::stable_sort(m_waits->locks.begin(), m_waits->locks.end(),
                     [](const ServerLock &a, const ServerLock &b) { return a.session < b.session; });
    return std::nullopt;
}

} // namespace

WaitsReader::WaitsReader(Session &session)
    : m_session(session)
{
}

std::optional<LockError> WaitsReader::read(ServerWaits *waits, const WaitOptions &options)
{
    const auto start = std::chrono::steady_clock::now();
    if (!m_probedAt || start - *m_probedAt >= options.probeEvery) {
        if (auto error = probe(m_session, &m_capabilities))
            return error;
        m_probedAt = start;
    }
    ServerWaits fresh;
    fresh.identity = m_capabilities.identity;
    if (auto error = Reading(m_session, m_capabilities, &m_threads, options, &fresh).run())
        return error;
    fresh.cost = std::chrono::duration_cast<Microseconds>(std::chrono::steady_clock::now() - start);
    *waits = std::move(fresh);
    return std::nullopt;
}

} // namespace lockscope
