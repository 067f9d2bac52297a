// SPDX-License-Identifier: MIT
#include "waittext.h"

#include "preparedtext.h"
#include "ui/text/commontext.h"

#include "console/duration.h"
#include "waits/userlocknames.h"

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

QString shown(const QString &text)
{
    return CommonText::note(text.toUtf8());
}

/// Of a list of them, in characters.
constexpr int kMaxPastStatement = 160;

/// A statement that was cut may end within a character.
QByteArray withoutHalfCharacter(QByteArray text)
{
    constexpr int longest = 4;
    if (text.size() < ServerWaits::MaxStatementBytes)
        return text;
    const auto isContinuation = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; };
    qsizetype start = text.size();
    while (start > text.size() - longest && start > 0 && isContinuation(text[start - 1]))
        --start;
    if (start > 0 && static_cast<unsigned char>(text[start - 1]) >= 0xc0)
        text.truncate(start - 1);
    return text;
}

QString cutNotice(const QByteArray &text)
{
    return text.size() < ServerWaits::MaxStatementBytes ? QString() : u"…"_s;
}

QString inOneLine(const QByteArray &statement)
{
    return CommonText::note(withoutHalfCharacter(statement).simplified()) + cutNotice(statement);
}

} // namespace

QString WaitText::numbers(const QList<quint64> &sessions)
{
    constexpr qsizetype most = 8;
    QStringList names;
    for (const quint64 session : sessions.first(std::min(sessions.size(), most)))
        names += PreparedText::holder(session);
    const QString text = names.join(tr(", "));
    return sessions.size() <= most ? text : tr("%1 and %2 more").arg(text, CommonText::count(sessions.size() - most));
}

QString WaitText::account(const ServerSession &session)
{
    return session.user.isEmpty() && session.host.isEmpty() ? CommonText::none() : shown(session.account());
}

QString WaitText::rows(const ServerSession &session)
{
    if (!session.transaction)
        return CommonText::none();
    return tr("%1 locked, %2 changed")
        .arg(CommonText::count(qint64(session.transaction->rowsLocked)),
             CommonText::count(qint64(session.transaction->rowsChanged)));
}

QStringList WaitText::rowLocks(const RowLocks &rows)
{
    QStringList lines;
    for (const ServerLock &lock : rows.locks)
        lines += objectAndMode(lock.object, lock.mode);
    if (rows.isCut)
        lines += tr("… and more");
    return lines;
}

QString WaitText::session(const ServerWaits &waits, quint64 id)
{
    if (const PreparedTransaction *prepared = waits.preparedTransaction(id))
        return tr("%1 · %2").arg(PreparedText::name(*prepared), PreparedText::holder(id));
    const ServerSession *session = waits.session(id);
    return session ? tr("%1 · %2").arg(id).arg(account(*session)) : QString::number(id);
}

QString WaitText::program(const ServerSession &session)
{
    if (!session.owner.service.isEmpty())
        return CommonText::service(session.owner);
    return session.program.isEmpty() ? CommonText::none() : shown(session.program);
}

QString WaitText::object(const ServerObject &object, const QStringList &schemas)
{
    if (object.kind == ServerLockKind::User && object.scope.isEmpty()) {
        const QString program = shown(userLockProgram(object.name, schemas));
        const QString name = CommonText::resource(object.name);
        return program.isEmpty() ? name : tr("%1 (%2)").arg(name, program);
    }
    const bool isNameless = object.schema.isEmpty() && object.name.isEmpty();
    if (object.kind == ServerLockKind::Metadata && isNameless)
        return tr("the whole server (%1)").arg(shown(object.scope.toLower()));
    if (object.kind == ServerLockKind::Metadata && object.scope == "SCHEMA"_L1)
        return tr("schema %1").arg(shown(object.schema));
    if (object.name.isEmpty() && object.kind != ServerLockKind::User)
        return lostWait({0, object.kind, {}}); // gone before it was looked up
    QString text = CommonText::resource(object.name);
    if (!object.schema.isEmpty())
        text.prepend(shown(object.schema) + u'.');
    if (!object.index.isEmpty())
        text += u' ' + shown(object.index);
    if (object.kind == ServerLockKind::Metadata && !object.isOfTable() && !object.scope.isEmpty())
        return u"%1 %2"_s.arg(shown(object.scope.toLower()), text);
    if (object.isAtEnd())
        return tr("%1, gap at the end").arg(text);
    const QString record = CommonText::note(object.record);
    if (!record.isEmpty() && object.isGap)
        return tr("%1, gap before (%2)").arg(text, record);
    return record.isEmpty() ? text : u"%1 (%2)"_s.arg(text, record);
}

QString WaitText::objectAndMode(const ServerObject &object, const QString &mode, const QStringList &schemas)
{
    const QString name = WaitText::object(object, schemas);
    return mode.isEmpty() ? name : tr("%1, %2").arg(name, shown(mode));
}

QString WaitText::lockKind(ServerLockKind kind)
{
    switch (kind) {
    case ServerLockKind::Record:
        return tr("Row lock");
    case ServerLockKind::Table:
        return tr("Table lock");
    case ServerLockKind::Metadata:
        return tr("Metadata lock");
    case ServerLockKind::User:
        break;
    }
    return tr("User-level lock");
}

QString WaitText::lostWait(const ServerWaits &waits, const LostWaiter &waiter)
{
    return waits.isAsked(waiter.kind) ? lostWait(waiter) : tr("something whose source is switched off");
}

QString WaitText::lostWait(const LostWaiter &waiter)
{
    switch (waiter.kind) {
    case ServerLockKind::Record:
        return tr("a row lock that the server does not name");
    case ServerLockKind::Table:
        return tr("a table lock that the server does not name");
    case ServerLockKind::Metadata:
        return tr("a metadata lock that the server does not name");
    case ServerLockKind::User:
        break;
    }
    return tr("a user-level lock that the server does not name");
}

QString WaitText::ring(int sessions)
{
    return tr("Ring of %n session(s)", nullptr, sessions);
}

QString WaitText::more(int hidden)
{
    return tr("+%1 more").arg(CommonText::count(hidden));
}

QString WaitText::equal(const WaitPicture &picture, const QList<quint64> &sessions)
{
    const ServerSession *session = picture.waits->session(sessions.value(0));
    const QString account = session ? shown(session->accountWithoutPort()) : CommonText::none();
    return tr("×%1 %2").arg(CommonText::count(sessions.size()), account);
}

QString WaitText::lock(const WaitPicture &picture, const WaitNode &node)
{
    if (node.isCycle())
        return tr("each waits for the next one");
    const auto own = picture.waitsFor.value(node.session);
    if (!own.isEmpty()) {
        const WaitEdge &edge = node.cause ? *node.cause : picture.waits->edges[own.first()];
        QString text = objectAndMode(edge.object, edge.mode, picture.schemas);
        if (edge.isInferred)
            text = tr("inferred: %1").arg(text);
        return node.alsoBlockedBy.isEmpty() ? text : tr("%1 – also behind %2").arg(text, numbers(node.alsoBlockedBy));
    }
    if (node.isLost) {
        for (const LostWaiter &lost : picture.waits->lost) {
            if (lost.session == node.session)
                return lost.mayBeBehindPrepared
                    ? tr("%1 – %2").arg(lostWait(*picture.waits, lost), PreparedText::hint(*picture.waits))
                    : lostWait(*picture.waits, lost);
        }
    }
    const QList<ServerObject> wanted = picture.graph.wanted.value(node.session);
    if (wanted.isEmpty())
        return CommonText::none();
    const QString first = object(wanted.first(), picture.schemas);
    return wanted.size() == 1 ? tr("holds %1").arg(first)
                              : tr("holds %1 and %2 more").arg(first, CommonText::count(wanted.size() - 1));
}

bool WaitText::isIdleBlocker(const WaitPicture &picture, quint64 session)
{
    const ServerSession *known = picture.waits->session(session);
    if (picture.waits->preparedTransaction(session))
        return true;
    return known && known->isIdle() && !picture.isWaiting(session) && picture.blocks.contains(session)
        && !(known->transaction && known->transaction->isRollingBack());
}

QString WaitText::state(const WaitPicture &picture, quint64 session)
{
    const ServerSession *known = picture.waits->session(session);
    if (const PreparedTransaction *prepared = picture.waits->preparedTransaction(session))
        return PreparedText::state(*prepared);
    if (!known)
        return tr("Not told");
    if (known->transaction && known->transaction->isRollingBack())
        return tr("Rolling back");
    if (picture.isWaiting(session))
        return tr("Waiting");
    if (!known->isIdle())
        return tr("Running");
    return known->transaction ? tr("Idle in transaction") : tr("Idle");
}

Mark WaitText::mark(const WaitPicture &picture, const WaitNode &node)
{
    if (node.cycle >= 0)
        return Mark::Violation;
    if (picture.isWaiting(node.session))
        return Mark::Waiting;
    return isIdleBlocker(picture, node.session) ? Mark::Idle : Mark::Held;
}

std::optional<Microseconds> WaitText::since(const WaitPicture &picture, quint64 session, ServerTime now)
{
    std::optional<ServerTime> since;
    if (picture.isWaiting(session))
        since = picture.waitsSince(session);
    else if (const PreparedTransaction *prepared = picture.waits->preparedTransaction(session))
        since = prepared->transaction.started;
    else if (const ServerSession *known = picture.waits->session(session))
        since = known->transaction ? std::optional(known->transaction->started) : known->doneSince();
    if (!since)
        return std::nullopt;
    return std::max(Microseconds::zero(), now - *since);
}

QString WaitText::age(const WaitPicture &picture, quint64 session, ServerTime now)
{
    const auto lasted = since(picture, session, now);
    if (!lasted)
        return CommonText::none();
    const QString time = formatDuration(*lasted);
    const ServerSession *known = picture.waits->session(session);
    if (picture.isWaiting(session))
        return tr("waits %1").arg(time);
    if (known && known->transaction)
        return tr("transaction %1").arg(time);
    if (picture.waits->preparedTransaction(session))
        return tr("open %1").arg(time);
    return known && known->isIdle() ? tr("idle %1").arg(time) : tr("statement %1").arg(time);
}

QString WaitText::stateAndAge(const WaitPicture &picture, quint64 session, ServerTime now)
{
    const ServerSession *known = picture.waits->session(session);
    const bool isIdle = known && isIdleBlocker(picture, session);
    const auto lasted = since(picture, session, now);
    if (isIdle && !known->transaction && lasted) // its age is that of being idle
        return tr("Idle %1").arg(formatDuration(*lasted));
    return tr("%1 · %2").arg(isIdle ? tr("Idle") : state(picture, session), age(picture, session, now));
}

QString WaitText::statement(const ServerSession &session)
{
    if (const PastStatement *culprit = session.culprit())
        return tr("took the lock: %1").arg(inOneLine(culprit->text));
    const QString text = inOneLine(session.statement.text);
    switch (session.statement.source) {
    case Statement::Source::Running:
        return text;
    case Statement::Source::Last:
        return tr("last: %1").arg(text);
    case Statement::Source::None:
        return tr("none so far");
    case Statement::Source::NotAsked:
        return tr("not read");
    case Statement::Source::NotInstrumented:
        return tr("not instrumented");
    case Statement::Source::NotAllowed:
        break;
    }
    return tr("hidden from this user");
}

QStringList WaitText::history(const QList<PastStatement> &history)
{
    QStringList lines;
    for (const PastStatement &one : history) {
        const QString text = CommonText::shortened(inOneLine(one.text), kMaxPastStatement);
        lines += one.tookLock ? tr("took the lock: %1").arg(text) : text;
    }
    return lines;
}

QString WaitText::statementTitle(const Statement &statement)
{
    switch (statement.source) {
    case Statement::Source::Running:
        return tr("Statement that it runs");
    case Statement::Source::Last:
        return tr("Statement that it ran last");
    case Statement::Source::None:
        return tr("It has run no statement yet");
    case Statement::Source::NotAsked:
        return tr("Its last statement was not read");
    case Statement::Source::NotInstrumented:
        return tr("The server keeps no last statements");
    case Statement::Source::NotAllowed:
        break;
    }
    return tr("This user may not see its statement");
}

QString WaitText::statementText(const Statement &statement)
{
    QByteArray text = withoutHalfCharacter(statement.text);
    text.replace("\r\n", "\n").replace("\t", "    ");
    QStringList lines;
    for (const QByteArray &line : text.split('\n'))
        lines += CommonText::note(line);
    return lines.join(u'\n') + cutNotice(statement.text);
}

QString WaitText::whyProtected(Protection protection)
{
    switch (protection) {
    case Protection::None:
        break;
    case Protection::Own:
        return tr("This is a connection of Lockscope itself.");
    case Protection::System:
        return tr("This is a thread of the server itself.");
    case Protection::Replication:
        return tr("This session replicates, or belongs to the cluster.");
    }
    return {};
}

QString WaitText::source(WaitSource source)
{
    switch (source) {
    case WaitSource::Sessions:
        return tr("Sessions");
    case WaitSource::Transactions:
        return tr("Transactions");
    case WaitSource::RowWaits:
        return tr("Row lock waits");
    case WaitSource::Metadata:
        return tr("Metadata locks");
    case WaitSource::UserLocks:
        return tr("User-level locks");
    case WaitSource::Statements:
        return tr("Last statements");
    case WaitSource::Attributes:
        break;
    }
    return tr("Client programs");
}

QString WaitText::sourceState(const SourceStatus &status)
{
    switch (status.state) {
    case SourceStatus::State::Complete:
        return status.isCut ? tr("cut after %1").arg(CommonText::count(status.rows)) : tr("complete");
    case SourceStatus::State::Partial:
        return tr("in part");
    case SourceStatus::State::Missing:
        return tr("not there");
    case SourceStatus::State::Failed:
        return tr("failed");
    case SourceStatus::State::Off:
        break;
    }
    return tr("switched off");
}

} // namespace lockscope::ui
