#include "waitsreader.h"

#include "foldedleases.h"
#include "guessedwaits.h"
#include "metadatamodes.h"
#include "rowwaits.h"
#include "sessionfacts.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

using State = SourceStatus::State;

/// Columns of waits/metadata.
enum MetadataColumn { TypeCol, SchemaCol, NameCol, ModeCol, DurationCol, PendingCol, SessionCol, EventCol };
/// Columns of waits/metadata_plugin.
enum PluginColumn { PluginModeCol, PluginTypeCol, PluginSchemaCol, PluginNameCol, PluginSessionCol, PluginHeldCol };

/// A metadata lock and for how long the server says that it lasts.
struct MetadataLock
{
    ServerLock lock;
    QString duration; ///< "STATEMENT", "TRANSACTION", "EXPLICIT"; empty: not told
};

MetadataLock toMetadataLock(const QVariantList &values, bool countsEvents)
{
    MetadataLock found;
    const QString type = values.value(TypeCol).toString();
    ServerLock &lock = found.lock;
    lock.object.name = values.value(NameCol).toByteArray();
    if (type == QLatin1String("USER LEVEL LOCK")) {
        lock.object.kind = ServerLockKind::User;
    } else {
        lock.object.kind = ServerLockKind::Metadata;
        lock.object.scope = type;
        lock.object.schema = values.value(SchemaCol).toString();
    }
    lock.mode = values.value(ModeCol).toString();
    lock.isGranted = !values.value(PendingCol).toBool();
    lock.session = values.value(SessionCol).toULongLong();
    if (countsEvents && !values.value(EventCol).isNull())
        lock.event = values.value(EventCol).toULongLong();
    found.duration = values.value(DurationCol).toString();
    return found;
}

/// "Table metadata lock" → "TABLE".
QString scopeOf(const QString &pluginType)
{
    return pluginType.section(u' ', 0, 0).toUpper();
}

MetadataLock fromPlugin(const QVariantList &values, ServerTime now)
{
    MetadataLock found;
    ServerLock &lock = found.lock;
    const QString type = values.value(PluginTypeCol).toString();
    if (type == QLatin1String("User lock")) {
        lock.object.kind = ServerLockKind::User;
        lock.object.name = values.value(PluginSchemaCol).toByteArray();
    } else {
        lock.object.kind = ServerLockKind::Metadata;
        lock.object.scope = scopeOf(type);
        lock.object.schema = values.value(PluginSchemaCol).toString();
        lock.object.name = values.value(PluginNameCol).toByteArray();
    }
    lock.mode = values.value(PluginModeCol).toString().mid(int(qstrlen("MDL_")));
    lock.session = values.value(PluginSessionCol).toULongLong();
    if (!values.value(PluginHeldCol).isNull()) {
        const std::chrono::milliseconds held(values.value(PluginHeldCol).toLongLong());
        lock.age = Age{AgeOf::Lock, now - held};
    }
    return found;
}

LockError calledOff()
{
    LockError error;
    error.kind = LockError::Kind::Interrupted;
    error.message = QStringLiteral("The look was called off.");
    return error;
}

/// One look, put together source by source.
class Look
{
public:
    Look(Session &session, const Capabilities &capabilities, const WaitOptions &options, ServerWaits *waits)
        : m_session(session)
        , m_capabilities(capabilities)
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
    std::optional<LockError> readRows(SourceStatus *status);
    std::optional<LockError> readWantedRows();
    std::optional<LockError> readPeople();
    std::optional<LockError> readGuessed();
    std::optional<LockError> addMetadata();
    std::optional<LockError> readMetadata(WaitSource source, SourceStatus *status);
    void addAges();
    bool isOff(WaitSource source) const { return m_options.off.contains(source); }
    QList<quint64> involved() const;

    Session &m_session;
    const Capabilities &m_capabilities;
    const WaitOptions &m_options;
    ServerWaits *m_waits;
    OpenTransactions m_open;
    std::optional<Reply> m_metadataTable;
    QList<MetadataLock> m_metadata;
};

template<typename Read>
std::optional<LockError> Look::readSource(WaitSource source, Read read)
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

std::optional<LockError> Look::readClock()
{
    const Reply clock = m_session.run("monitor/clock", Params());
    m_waits->clock.server = toServerTime(clock.value()).value_or(ServerTime{});
    m_waits->clock.local = std::chrono::steady_clock::now();
    return clock.error;
}

/// Metadata locks and user-level locks are in one table, which is read once.
std::optional<LockError> Look::readMetadata(WaitSource source, SourceStatus *status)
{
    const bool byPlugin = !m_capabilities.hasMetadataLocks;
    if (byPlugin && !m_capabilities.hasMetadataPlugin) // guesses stand in for it
        return std::nullopt;
    if (!m_metadataTable) {
        Params params;
        params.number("limit", qint64(m_options.limit));
        if (m_capabilities.hasHeldTimes)
            params.identifier("held", QStringLiteral("LOCK_TIME_MS"));
        else
            params.null("held");
        m_metadataTable = m_session.run(byPlugin ? "waits/metadata_plugin" : "waits/metadata", params);
    }
    if (m_metadataTable->error)
        return m_metadataTable->error;
    const auto &rows = m_metadataTable->set(-1).rows;
    status->isCut = rows.size() >= m_options.limit;
    for (const QVariantList &values : rows) {
        MetadataLock one =
            byPlugin ? fromPlugin(values, m_waits->clock.server) : toMetadataLock(values, m_capabilities.hasStatements);
        const bool isUserLock = one.lock.object.kind == ServerLockKind::User;
        if (isUserLock != (source == WaitSource::UserLocks))
            continue;
        ++status->rows;
        m_metadata.append(std::move(one));
    }
    return std::nullopt;
}

/// Everybody that is to be looked up.
QList<quint64> Look::involved() const
{
    QSet<quint64> ids = m_options.sessions;
    for (auto it = m_open.transactions.keyBegin(); it != m_open.transactions.keyEnd(); ++it)
        ids.insert(*it);
    for (const MetadataLock &one : m_metadata)
        ids.insert(one.lock.session);
    for (const WaitEdge &edge : std::as_const(m_waits->edges))
        ids << edge.waiter << edge.blocker;
    ids.remove(0);
    QList<quint64> list(ids.cbegin(), ids.cend());
    std::sort(list.begin(), list.end());
    return list;
}

/// A lock has lasted no longer than what it belongs to, and at least for as long as its session is idle; that is told
/// where the server does not tell its own age. What runs may have taken it at any moment.
void Look::addAges()
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
            lock.age = Age{AgeOf::Session, *session->commandSince};
    }
    for (ServerLock &lock : m_waits->locks) {
        const ServerSession *session = m_waits->session(lock.session);
        if (!lock.age && session && session->transaction)
            lock.age = Age{AgeOf::Transaction, session->transaction->started};
    }
}

std::optional<LockError> Look::run()
{
    if (auto error = readClock())
        return error;
    if (auto error = readLocks())
        return error;
    if (auto error = readPeople())
        return error;
    addAges();
    return addMetadata();
}

std::optional<LockError> Look::readLocks()
{
    auto error = readSource(WaitSource::Transactions, [this](SourceStatus *status) {
        auto failed = readTransactions(m_session, m_options.limit, &m_open);
        status->rows = int(m_open.transactions.size());
        status->isCut = m_open.isCut;
        return failed;
    });
    if (error)
        return error;
    error = readSource(WaitSource::RowWaits, [this](SourceStatus *status) {
        auto failed = readRows(status);
        return failed ? failed : readWantedRows();
    });
    if (error)
        return error;
    m_waits->lost += lostRowWaiters(m_open, *m_waits);
    for (const WaitSource source : {WaitSource::Metadata, WaitSource::UserLocks}) {
        error = readSource(source, [&](SourceStatus *status) { return readMetadata(source, status); });
        if (error)
            return error;
    }
    return std::nullopt;
}

/// Who waits for which row, if anybody does.
std::optional<LockError> Look::readRows(SourceStatus *status)
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
    m_waits->lost += rows.lost;
    m_waits->locks += rows.locks;
    return failed;
}

std::optional<LockError> Look::readWantedRows()
{
    if (m_capabilities.family != Family::MySql)
        return std::nullopt;
    for (const quint64 session : m_options.rowsOf) {
        const Transaction transaction = m_open.transactions.value(session);
        if (transaction.rowsLocked == 0 || transaction.rowsLocked > RowLocks::mostHeld)
            continue;
        RowLocks rows;
        const auto error = readRowLocks(m_session, transaction.id, &rows);
        if (error && error->connectionGone)
            return error;
        if (!error)
            m_waits->rows.insert(session, std::move(rows));
    }
    return std::nullopt;
}

std::optional<LockError> Look::readPeople()
{
    const QList<quint64> ids = involved();
    auto &sessions = m_waits->sessions;
    auto error = readSource(WaitSource::Sessions, [&](SourceStatus *status) {
        auto failed = readSessions(m_session, m_capabilities, {ids, m_options.limit}, &sessions, &status->isCut);
        status->rows = int(sessions.size());
        if (!failed && status->state == State::Complete)
            m_waits->sought = m_options.sessions;
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

/// Who was found to hold something only by asking for it.
std::optional<LockError> Look::readGuessed()
{
    QList<quint64> ids = involved();
    ids.removeIf([this](quint64 id) { return m_waits->sessions.contains(id); });
    if (ids.isEmpty() || isOff(WaitSource::Sessions))
        return std::nullopt;
    auto error = readSessions(m_session, m_capabilities, {ids, 0}, &m_waits->sessions);
    protect(&m_waits->sessions, m_session);
    return error && error->connectionGone ? error : std::nullopt;
}

std::optional<LockError> Look::addMetadata()
{
    QList<ServerLock> metadata;
    for (const MetadataLock &one : std::as_const(m_metadata))
        metadata.append(one.lock);
    addMetadataEdges(metadata, m_waits);
    m_waits->locks += metadata;
    if (!m_capabilities.hasMetadataLocks) {
        if (auto error = guessWaits(m_session, m_options.off, m_waits))
            return error;
        if (auto error = readGuessed())
            return error;
    } else if (!isOff(WaitSource::Metadata)) {
        addLostWaiters(m_waits);
    }
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
    if (auto error = Look(m_session, m_capabilities, options, &fresh).run())
        return error;
    fresh.cost = std::chrono::duration_cast<Microseconds>(std::chrono::steady_clock::now() - start);
    *waits = std::move(fresh);
    return std::nullopt;
}

} // namespace lockscope
