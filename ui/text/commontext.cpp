// SPDX-License-Identifier: MIT
#include "commontext.h"

#include "console/duration.h"
#include "console/visibletext.h"
#include "keylocktext.h"
#include "lockscope/lockerror.h"
#include "tablelocktext.h"
#include "ui/style/displaytimezone.h"

#include <QtCore/QLocale>
#include <QtCore/QStringDecoder>

#include <algorithm>
#include <limits>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

QString escapedBytes(const QByteArray &bytes)
{
    QString text;
    for (const char byte : bytes) {
        const auto code = static_cast<unsigned char>(byte);
        if (code >= 0x20 && code < 0x7f)
            text += QLatin1Char(byte);
        else
            text += QStringLiteral("\\x%1").arg(code, 2, 16, QLatin1Char('0'));
    }
    return text;
}

/// Accents typed as characters of their own look like the composed letter, but are another name.
bool isLooseAccent(char32_t c, bool isComposed)
{
    const QChar::Category category = QChar::category(c);
    return !isComposed && (category == QChar::Mark_NonSpacing || category == QChar::Mark_SpacingCombining);
}

QString escapedText(const QString &decoded)
{
    const bool isComposed = decoded == decoded.normalized(QString::NormalizationForm_C);
    QString text;
    for (const char32_t c : decoded.toUcs4()) {
        if (isUnseen(c) || isLooseAccent(c, isComposed))
            text += QStringLiteral("\\u%1").arg(uint(c), 4, 16, QLatin1Char('0'));
        else
            text += QString::fromUcs4(&c, 1);
    }
    return text;
}

QString shownBytes(const QByteArray &bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringConverter::Flag::Stateless);
    const QString decoded = decoder(bytes);
    return decoder.hasError() ? escapedBytes(bytes) : escapedText(decoded);
}

} // namespace

QString CommonText::none()
{
    return u"–"_s;
}

/// In the order of the enumeration, as below.
CommonText::Words CommonText::wordsOf(LockState state)
{
    static constexpr Words words[] = {
        {QT_TR_NOOP("Held"), QT_TR_NOOP("Its session is alive and its time is not up.")},
        {QT_TR_NOOP("Orphan"),
         QT_TR_NOOP(
             "Its session is gone, but its time is not up: nobody else gets it before that, unless it is released.")},
        {QT_TR_NOOP("Expired"),
         QT_TR_NOOP("Its time is up and nobody has taken it yet. The next program that asks gets it.")},
        {QT_TR_NOOP("Kept"), QT_TR_NOOP("Released early; it stays taken for the rest of its minimum hold time.")},
        {QT_TR_NOOP("Optimistic"),
         QT_TR_NOOP("Nobody holds it: whoever commits first wins, and the others meet a conflict and try again.")},
        {QT_TR_NOOP("Unknown"),
         QT_TR_NOOP(
             "This server is read-only, perhaps a replica: it cannot tell whether the holder's session is alive.")},
    };
    static_assert(std::size(words) == std::size_t(LockState::Unknown) + 1);
    return words[std::size_t(state)];
}

QString CommonText::state(const LockRow &row)
{
    if (row.state != LockState::Held)
        return state(row.state);
    switch (row.key.kind) {
    case LockKind::Row:
        return tr("Held row");
    case LockKind::Transaction:
        return tr("Rows");
    case LockKind::Metadata:
        return tr("Metadata");
    case LockKind::User:
        return tr("User lock");
    case LockKind::Table:
        return tr("In a table");
    case LockKind::RedisKey:
        return tr("Redis key");
    case LockKind::ZooKeeperNode:
        return tr("ZooKeeper node");
    case LockKind::EtcdKey:
        return tr("etcd key");
    case LockKind::Lease:
    case LockKind::Version:
        break;
    }
    return state(row.state);
}

QString CommonText::stateMeaning(const LockRow &row)
{
    if (row.table)
        return TableLockText::stateMeaning(*row.table);
    return traitsOf(row.key.kind).isServers || row.keyLock ? kindMeaning(row.key.kind) : stateMeaning(row.state);
}

QString CommonText::kindMeaning(LockKind kind)
{
    switch (kind) {
    case LockKind::Row:
        return tr("A row lock: a transaction holds it and it ends with that; it has no TTL and shows no token.");
    case LockKind::Version:
        return tr("Optimistic: nobody holds it. Attempts to commit either succeed or meet a conflict.");
    case LockKind::Transaction:
        return tr("Rows that a transaction has locked or changed, and that it gives up when it ends; not taken by an "
                  "engine.");
    case LockKind::Metadata:
        return tr("A lock on the definition of a table, a schema or the whole server; it is kept until its transaction "
                  "or session ends.");
    case LockKind::User:
        return tr("A lock that a session took with GET_LOCK; it is kept until that gives it back or ends.");
    case LockKind::Table:
        return tr("A lock that another program keeps in a table of its own: held as far as its row tells.");
    case LockKind::RedisKey:
    case LockKind::ZooKeeperNode:
    case LockKind::EtcdKey:
        return tr("A lock that another program keeps in Redis, ZooKeeper or etcd: recognised by name, type and value.");
    case LockKind::Lease:
        break;
    }
    return tr("A lease: it has an owner, a TTL and a fencing token.");
}

QString CommonText::age(AgeOf of)
{
    switch (of) {
    case AgeOf::Wait:
        return tr("Age of the wait");
    case AgeOf::Transaction:
        return tr("Age of the transaction; the server does not tell that of the lock");
    case AgeOf::Statement:
        return tr("Age of the statement; the server does not tell that of the lock");
    case AgeOf::Session:
        return tr(
            "Since the session last did something: the lock is at least that old; the server does not tell its age");
    case AgeOf::Lock:
        break;
    }
    return tr("Age of the lock");
}

QString CommonText::heldFor(const LockRow &row, ServerTime now)
{
    const QString time = duration(row.heldFor(now));
    switch (row.acquiredAt ? boundOf(row.ageOf) : AgeBound::Exact) {
    case AgeBound::AtMost:
        return tr("≤ %1").arg(time);
    case AgeBound::AtLeast:
        return tr("≥ %1").arg(time);
    case AgeBound::Exact:
        break;
    }
    return time;
}

QString CommonText::held(const QString &who, const QString &name, const LockRow &row, ServerTime now)
{
    return row.acquiredAt ? tr("%1 has held %2 for %3").arg(who, name, heldFor(row, now))
                          : tr("%1 holds %2").arg(who, name);
}

QString CommonText::since(const LockRow &row)
{
    if (!row.acquiredAt)
        return row.table  ? TableLockText::reason(*row.table)
            : row.keyLock ? tr("Its key does not tell since when.")
                          : tr("The server does not tell since when.");
    const QString moment = exactMoment(row.acquiredAt);
    return traitsOf(row.key.kind).isServers ? tr("%1: since %2").arg(age(row.ageOf), moment)
                                            : tr("Since %1").arg(moment);
}

QString CommonText::whyNotReleasable(const LockRow &row)
{
    if (row.table)
        return TableLockText::whyNotReleasable(*row.table);
    if (row.keyLock)
        return KeyLockText::whyNotReleasable(*row.keyLock);
    const LockTraits traits = traitsOf(row.key.kind);
    if (traits.isReleasable || row.endsWith() || isPreparedNumber(row.key.session))
        return {};
    return traits.hasHolder ? tr("A row lock ends with its transaction: stop its program or end its connection.")
                            : tr("Nobody holds it: there is nothing to release.");
}

CommonText::Words CommonText::wordsOf(Event::Kind kind)
{
    static constexpr Words words[] = {
        {QT_TR_NOOP("Taken over"), QT_TR_NOOP("The lease ran out and the next program took it.")},
        {QT_TR_NOOP("Lost"), QT_TR_NOOP("The holder found that the lease was no longer its own.")},
        {QT_TR_NOOP("Force-released"), QT_TR_NOOP("A person ended the lease.")},
        {QT_TR_NOOP("Release failed"), QT_TR_NOOP("The holder could not release; the lease ended with its time.")},
        {QT_TR_NOOP("Session ended"), QT_TR_NOOP("A person ended a session of the server.")},
        {QT_TR_NOOP("Server restarted"),
         QT_TR_NOOP("The server was restarted while this window was open: earlier sessions, and what they held, are "
                    "gone. Leases stay.")},
        {"", ""}, // of a newer engine
        {QT_TR_NOOP("Table lock released"), QT_TR_NOOP("A person released a row of another program's lock table.")},
    };
    static_assert(std::size(words) == std::size_t(Event::Kind::TableRelease) + 1);
    return words[std::size_t(kind)];
}

/// A prepared transaction is ended by its name, and the record names the statement.
CommonText::Words CommonText::wordsOf(const Event &event)
{
    if (event.kind == Event::Kind::Kill && event.key.resource.startsWith("XA COMMIT "))
        return {QT_TR_NOOP("Committed (XA)"), QT_TR_NOOP("A person committed a prepared transaction.")};
    if (event.kind == Event::Kind::Kill && event.key.resource.startsWith("XA ROLLBACK "))
        return {QT_TR_NOOP("Rolled back (XA)"), QT_TR_NOOP("A person rolled back a prepared transaction.")};
    return wordsOf(event.kind);
}

QString CommonText::eventKind(const Event &event)
{
    return event.kind == Event::Kind::Other ? QString::fromUtf8(event.kindName) : tr(wordsOf(event).name);
}

QString CommonText::eventMeaning(const Event &event)
{
    return event.kind == Event::Kind::Other ? QString() : tr(wordsOf(event).meaning);
}

QString CommonText::resource(const QByteArray &bytes)
{
    QString text = shownBytes(bytes);
    const QChar space = u' ';
    const QChar shown = u'␣';
    for (qsizetype i = 0; i < text.size() && text[i] == space; ++i)
        text[i] = shown;
    for (qsizetype i = text.size() - 1; i >= 0 && text[i] == space; --i)
        text[i] = shown;
    return text;
}

/// Lists of all consoles call one so; a name that a program gave stays as it is.
QString CommonText::ofTransaction(const QString &name)
{
    const QString known = u"transaction "_s;
    return name.startsWith(known) ? tr("transaction %1").arg(name.mid(known.size())) : name;
}

QString CommonText::lock(const LockKey &key)
{
    if (key.kind == LockKind::Transaction)
        return ofTransaction(resource(key.resource));
    if (key.kind == LockKind::Table && key.slot > 0)
        return tr("%1 (%2)").arg(resource(key.resource), QString::number(key.slot + 1));
    return key.slot == 0 ? resource(key.resource)
                         : tr("%1 · slot %2").arg(resource(key.resource), QString::number(key.slot));
}

QString CommonText::shortened(const QString &text, int most)
{
    return text.size() <= most ? text : text.left(most / 2) + u'…' + text.right(most / 2);
}

QString CommonText::onButton(QString text)
{
    return text.replace(u'&', u"&&"_s);
}

QString CommonText::note(const QByteArray &bytes)
{
    return shownBytes(bytes);
}

QString CommonText::noteOf(const LockRow &row)
{
    if (row.table)
        return resource(TableLockText::program(*row.table).toUtf8());
    const QString text = note(row.note);
    return row.key.kind == LockKind::Transaction ? ofTransaction(text) : text;
}

QString CommonText::service(const Owner &owner)
{
    const QString known = owner.service.isEmpty() && owner.pid == 0 ? owner.host : owner.service;
    return known.isEmpty() ? none() : escapedText(known);
}

QString CommonText::who(const Owner &owner)
{
    const QString service = escapedText(owner.service);
    const QString host = escapedText(owner.host);
    if (service.isEmpty() && host.isEmpty())
        return none();
    if (host.isEmpty())
        return service;
    return service.isEmpty() ? host : tr("%1 on %2").arg(service, host);
}

QString CommonText::whoInFull(const Owner &owner)
{
    if (owner.pid == 0)
        return who(owner);
    if (owner.thread.isEmpty())
        return tr("%1 (pid %2)").arg(who(owner), QString::number(owner.pid));
    return tr("%1 (pid %2, thread %3)").arg(who(owner), QString::number(owner.pid), escapedText(owner.thread));
}

QString CommonText::process(const Owner &owner)
{
    QString text = escapedText(owner.host);
    if (owner.pid != 0)
        text += u':' + QString::number(owner.pid);
    if (!owner.thread.isEmpty())
        text += u'/' + escapedText(owner.thread);
    return text.isEmpty() ? none() : text;
}

QString CommonText::count(qint64 number)
{
    return QLocale().toString(number);
}

QString CommonText::token(quint64 token)
{
    return QLocale().toString(token);
}

QString CommonText::countdown(const std::optional<Microseconds> &remaining)
{
    if (!remaining)
        return tr("no end");
    if (remaining->count() <= 0)
        return tr("expired %1 ago").arg(formatCoarseDuration(*remaining));
    return formatDuration(*remaining);
}

QString CommonText::duration(const std::optional<Microseconds> &duration)
{
    return duration ? formatDuration(*duration) : none();
}

QString CommonText::moment(ServerTime time)
{
    const DisplayTimeZone *zone = DisplayTimeZone::instance();
    const QDateTime shown = zone->of(time);
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const bool isToday = shown.date() == (zone->isUtc() ? now : now.toLocalTime()).date();
    const QString text = QLocale().toString(shown, isToday ? u"HH:mm:ss"_s : u"yyyy-MM-dd HH:mm:ss"_s);
    return zone->isUtc() ? text + u'Z' : text;
}

QString CommonText::exactMoment(const std::optional<ServerTime> &time)
{
    return time ? QLocale().toString(DisplayTimeZone::instance()->of(*time), u"yyyy-MM-dd HH:mm:ss.zzz t"_s) : none();
}

/// Of what is tried, not held.
QString CommonText::attemptsSummary(const LockRow &row)
{
    const QString name = shortened(lock(row.key));
    const auto &recent = row.attempts->recent;
    if (recent && recent->attempts() == 0)
        return tr("Nobody has committed %1 in the last minute.").arg(name);
    const AttemptCounts shown = recent.value_or(row.attempts->total);
    const QString part =
        tr("%1 of %2 attempts (%3)")
            .arg(count(qint64(shown.conflicts)), count(qint64(shown.attempts())), percent(shown.conflictRate()));
    return recent ? tr("In the last minute %1 to commit %2 met a conflict.").arg(part, name)
                  : tr("So far %1 to commit %2 met a conflict. What is recent shows within a minute.").arg(part, name);
}

/// Of a lock that has no end of its own. What LOCK TABLES, FLUSH TABLES or GET_LOCK took outlives a COMMIT.
QString CommonText::lasts(LockKind kind)
{
    switch (kind) {
    case LockKind::Metadata:
        return tr("it lasts until its transaction or its session ends, or it is given back");
    case LockKind::User:
        return tr("it lasts until it is given back or its session ends");
    default:
        return tr("its transaction is open, and the lock ends with it");
    }
}

QString CommonText::holder(const LockRow &row)
{
    const bool isStranger = row.key.kind == LockKind::Lease && row.owner == Owner();
    return isStranger ? tr("Another program") : whoInFull(row.owner);
}

QString CommonText::summary(const LockRow &row, ServerTime now)
{
    if (row.attempts)
        return attemptsSummary(row);
    if (row.table)
        return TableLockText::summary(row, now);
    if (row.keyLock)
        return KeyLockText::summary(row, now);
    const QString head = held(holder(row), shortened(lock(row.key)), row, now);
    if (!traitsOf(row.key.kind).hasEnd)
        return tr("%1; %2; %3.").arg(head, lasts(row.key.kind), waiting(row.waiters));
    QStringList parts;
    const auto remaining = row.remaining(now);
    if (row.state == LockState::Kept)
        parts += tr("it was released and stays taken for its minimum time");
    else if (row.state == LockState::Unknown)
        parts += tr("whether its session is alive cannot be told here");
    else
        parts += row.sessionAlive ? tr("its session is alive") : tr("its session is gone");
    if (row.isOfSession)
        parts += tr("it ends with its session");
    else if (!remaining)
        parts += tr("the lease has no end");
    else if (remaining->count() > 0)
        parts += tr("the lease ends in %1").arg(formatDuration(*remaining));
    else
        parts += tr("the lease expired %1 ago").arg(formatDuration(*remaining));
    parts += waiting(row.waiters);
    const QString between = tr("; ", "between the parts of a sentence");
    return head + between + parts.join(between) + tr(".", "at the end of a sentence");
}

QString CommonText::waiting(const std::optional<int> &waiters)
{
    if (!waiters)
        return tr("who waits is unknown");
    if (*waiters == 0)
        return tr("nobody waits");
    return *waiters == 1 ? tr("one waits") : tr("%1 wait").arg(count(*waiters));
}

QString CommonText::withoutTables(const LockError &why, const QString &consequence)
{
    if (why.code == 0)
        return tr("The engine's lock tables were not read then: %1").arg(consequence);
    if (why.code == 1046) // the server does not tell which
        return tr("There is no such schema, or this user may not use it: %1").arg(consequence);
    if (why.kind == LockError::Kind::NoPermission)
        return tr("This user may not read the engine's lock tables, if there are any: %1").arg(consequence);
    return tr("The engine's lock tables are not installed in this schema: %1").arg(consequence);
}

QString CommonText::whyWaitersUnknown()
{
    return tr(
        "The server shows who waits for a row only to users with a grant for it: GRANT PROCESS ON *.* on MariaDB, "
        "GRANT SELECT ON performance_schema.* on MySQL. Connect again afterwards. A MySQL that was started with its "
        "performance schema off shows it to nobody.");
}

QString CommonText::percent(const std::optional<double> &share)
{
    if (!share)
        return none();
    if (*share > 0 && *share < 0.01)
        return tr("< 1\u00a0%");
    return tr("%1\u00a0%").arg(QLocale().toString(qRound(*share * 100)));
}

int CommonText::plural(quint64 number)
{
    return int(std::min(number, quint64(std::numeric_limits<int>::max())));
}

QString CommonText::counts(const AttemptCounts &counts)
{
    return tr("%1, %2").arg(tr("%1 commits", nullptr, plural(counts.commits)).arg(count(qint64(counts.commits))),
                            tr("%1 conflicts", nullptr, plural(counts.conflicts)).arg(count(qint64(counts.conflicts))));
}

QString CommonText::tip(const QString &text)
{
    return u"<qt>"_s + text.toHtmlEscaped().replace(u'\n', u"<br>"_s) + u"</qt>"_s;
}

QString CommonText::serverWords(const LockError &error)
{
    if (error.serverText.isEmpty())
        return {};
    return error.code ? u"%1: %2"_s.arg(error.code).arg(error.serverText) : error.serverText;
}

} // namespace lockscope::ui
