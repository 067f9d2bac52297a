// SPDX-License-Identifier: MIT
#include "preparedtransactions.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QSet>

#include <algorithm>

namespace lockscope {

namespace {

/// How many are asked for their threads in one look.
constexpr int kMaxThreadsAsked = 20;

/// What may have been printed so: text is printed as it is, any other bytes as "0x00FF".
QByteArrayList readingsOf(const QByteArray &printed)
{
    QByteArrayList readings{printed};
    const QByteArray digits = printed.startsWith("0x") ? printed.mid(2) : QByteArray();
    const QByteArray bytes = QByteArray::fromHex(digits);
    const bool isText = std::all_of(bytes.cbegin(), bytes.cend(), [](char c) { return c >= ' ' && c <= '~'; });
    if (!isText && bytes.toHex() == digits.toLower())
        readings.append(bytes);
    return readings;
}

/// A row of waits/prepared: MariaDB's has the name as SQL takes it, MySQL's both parts in a row.
std::optional<Xid> toXid(const QVariantList &values, Family family)
{
    const QByteArray data = values.value(3).toByteArray();
    if (family == Family::MariaDb)
        return Xid::fromSql(data);
    const QByteArray bytes = QByteArray::fromHex(data.mid(int(qstrlen("0x"))));
    const qsizetype size = values.value(1).toLongLong();
    return Xid{values.value(0).toLongLong(), bytes.left(size), bytes.mid(size)};
}

/// By the statement that it ran last: none can follow there.
std::optional<Xid> preparedLast(const ServerSession *session)
{
    if (!session || session->statement.source != Statement::Source::Last || session->statement.isFailed)
        return std::nullopt;
    static const QRegularExpression pattern(QStringLiteral(R"re(^\s*XA\s+PREPARE\s+(.+?)\s*;?\s*$)re"),
                                            QRegularExpression::CaseInsensitiveOption);
    const auto match = pattern.match(QString::fromLatin1(session->statement.text));
    return match.hasMatch() ? Xid::fromSql(match.captured(1).toLatin1()) : std::nullopt;
}

/// On MariaDB a session takes its metadata locks with it; InnoDB's lock on the table stays where it was written to.
bool staysLocked(const ServerLock &lock, Family family)
{
    return family == Family::MySql || lock.mode == QLatin1String("SHARED_WRITE")
        || lock.mode == QLatin1String("SHARED_WRITE_LOW_PRIO");
}

bool isOfTransaction(const MetadataLock &one)
{
    return one.duration == QLatin1String("TRANSACTION") && one.lock.isGranted
        && one.lock.object.kind == ServerLockKind::Metadata;
}

/// The statements of all sessions are in that text: one of them may look like any of its lines.
QSet<quint64> toldTwice(const QString &status)
{
    static const QRegularExpression pattern(QStringLiteral("^---TRANSACTION (\\d+), "),
                                            QRegularExpression::MultilineOption);
    QSet<quint64> once;
    QSet<quint64> twice;
    for (auto match = pattern.globalMatch(status); match.hasNext();) {
        const quint64 transaction = match.next().captured(1).toULongLong();
        (once.contains(transaction) ? twice : once).insert(transaction);
    }
    return twice;
}

} // namespace

QList<Xid> readingsOf(qint64 format, const QByteArray &gtrid, const QByteArray &bqual)
{
    QList<Xid> readings;
    for (const QByteArray &first : readingsOf(gtrid)) {
        for (const QByteArray &second : readingsOf(bqual))
            readings.append({format, first, second});
    }
    return readings;
}

QHash<quint64, quint64> preparedInStatus(const QByteArray &status, bool *isCut)
{
    static const QRegularExpression pattern(
        QStringLiteral(R"re(^---TRANSACTION (\d+), ACTIVE \(PREPARED\).*\n(?:(?!---).*\n)*?)re"
                       R"re(\w+ thread id (\d+),)re"),
        QRegularExpression::MultilineOption);
    const QString text = QString::fromLatin1(status);
    const QSet<quint64> unsure = toldTwice(text);
    QHash<quint64, quint64> found;
    for (auto match = pattern.globalMatch(text); match.hasNext();) {
        const auto one = match.next();
        if (!unsure.contains(one.captured(1).toULongLong()))
            found.insert(one.captured(1).toULongLong(), one.captured(2).toULongLong());
    }
    *isCut = !unsure.isEmpty() || status.contains("truncated...");
    return found;
}

std::optional<LockError> readXids(Session &session, QList<Xid> *xids)
{
    const Reply names = session.run("waits/prepared", Params());
    for (const QVariantList &values : names.set(-1).rows) {
        if (const auto xid = toXid(values, session.info().family))
            xids->append(*xid);
    }
    return names.error;
}

std::optional<LockError> PreparedTransactions::read(Session &session, const Capabilities &capabilities,
                                                    OpenTransactions *open)
{
    m_session = &session;
    m_family = capabilities.family;
    m_hasLocks = m_family == Family::MySql && capabilities.hasPerformanceSchema;
    if (capabilities.mayRecover) {
        if (auto error = readXids(session, &m_xids))
            return error;
        if (m_xids.isEmpty())
            return std::nullopt;
    }
    if (capabilities.hasXaStates) {
        if (auto error = readSessions(session))
            return error;
        for (const Preparing &one : std::as_const(m_preparing)) {
            const quint64 transaction = open->transactions.value(one.session).id;
            if (transaction != 0)
                open->attached.insert(transaction, one.session);
        }
        return std::nullopt;
    }
    const bool isExplained = m_xids.size() <= open->loose.size();
    return isExplained ? std::nullopt : readStatus(session, open);
}

std::optional<LockError> PreparedTransactions::readSessions(Session &session)
{
    const Reply reply = session.run("waits/prepared_sessions", Params());
    for (const QVariantList &values : reply.set(-1).rows) {
        Preparing one;
        one.session = values.value(0).toULongLong();
        one.thread = values.value(1).toULongLong();
        QList<Xid> names =
            readingsOf(values.value(2).toLongLong(), values.value(3).toByteArray(), values.value(4).toByteArray());
        if (!m_xids.isEmpty())
            names.removeIf([this](const Xid &xid) { return !m_xids.contains(xid); });
        if (names.isEmpty()) // it has ended since
            continue;
        if (names.size() == 1)
            one.xid = names.first();
        m_preparing.append(one);
    }
    return reply.error;
}

std::optional<LockError> PreparedTransactions::readStatus(Session &session, OpenTransactions *open)
{
    const auto hasNumber = [](const Transaction &one) { return one.id != 0 && !one.waitStarted; };
    if (std::none_of(open->transactions.cbegin(), open->transactions.cend(), hasNumber))
        return std::nullopt;
    const Reply reply = session.run("waits/innodb_status", Params());
    if (reply.error && reply.error->connectionGone)
        return reply.error;
    bool isCut = reply.error.has_value();
    const auto found = isCut ? QHash<quint64, quint64>()
                             : preparedInStatus(reply.set(-1).rows.value(0).value(2).toByteArray(), &isCut);
    for (auto it = found.cbegin(); it != found.cend(); ++it) {
        if (open->transactions.value(it.value()).id == it.key())
            open->attached.insert(it.key(), it.value());
    }
    if (!isCut)
        return std::nullopt;
    for (Transaction &one : open->transactions)
        one.mayBePrepared = hasNumber(one) && !open->attached.contains(one.id);
    return std::nullopt;
}

std::optional<LockError> PreparedTransactions::addTo(ServerWaits *waits, const OpenTransactions &open)
{
    for (const Transaction &one : open.loose)
        waits->prepared.insert(preparedNumber(one.id), {one});
    for (auto it = open.attached.cbegin(); it != open.attached.cend(); ++it) {
        const quint64 number = preparedNumber(it.key());
        m_attached.insert(it.value(), number);
        waits->prepared.insert(number, {open.transactions.value(it.value()), it.value(), true});
    }
    return m_hasLocks ? readThreads(waits) : std::nullopt;
}

/// By it a transaction has metadata locks, and a name while the session is there that gave it.
std::optional<LockError> PreparedTransactions::readThreads(ServerWaits *waits)
{
    int asked = 0;
    for (auto it = waits->prepared.begin(); it != waits->prepared.end(); ++it) {
        if (it->transaction.rowsLocked > RowLocks::MaxHeld || ++asked > kMaxThreadsAsked)
            continue;
        const Reply reply = m_session->run("waits/prepared_thread", Params().number("transaction", it->transaction.id));
        if (reply.error)
            return reply.error->connectionGone ? reply.error : std::nullopt;
        const quint64 thread = reply.value().toULongLong();
        if (thread == 0)
            continue;
        m_byThread.insert(thread, it.key());
        for (const Preparing &one : std::as_const(m_preparing)) {
            if (one.thread == thread)
                it->session = one.session;
        }
    }
    return std::nullopt;
}

void PreparedTransactions::takeLocks(QList<MetadataLock> *locks, const ServerWaits &waits) const
{
    for (MetadataLock &one : *locks) {
        ServerLock &lock = one.lock;
        const quint64 attached = m_attached.value(lock.session);
        const quint64 left = m_byThread.value(one.thread);
        const PreparedTransaction *prepared = waits.preparedTransaction(left);
        const bool isLeft = lock.session == 0 || (prepared && prepared->session == lock.session);
        if (attached != 0 && isOfTransaction(one) && staysLocked(lock, m_family))
            lock.session = attached;
        else if (prepared && isLeft && isOfTransaction(one))
            lock.session = left;
    }
    locks->removeIf([](const MetadataLock &one) { return one.lock.session == 0; });
}

void PreparedTransactions::name(ServerWaits *waits) const
{
    QList<Xid> left = m_xids;
    QList<PreparedTransaction *> untold;
    for (PreparedTransaction &one : waits->prepared) {
        auto xid = preparedLast(one.isAttached ? waits->session(one.session) : nullptr);
        for (const Preparing &preparing : m_preparing) {
            if (one.session == preparing.session)
                xid = preparing.xid;
        }
        one.isTold = xid && (m_xids.isEmpty() || left.removeOne(*xid));
        if (one.isTold)
            one.xids = {*xid};
        else
            untold.append(&one);
    }
    for (PreparedTransaction *one : std::as_const(untold)) {
        one->xids = left;
        one->isTold = left.size() == 1 && untold.size() == 1;
    }
}

} // namespace lockscope
