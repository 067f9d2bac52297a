// SPDX-License-Identifier: MIT
#include "waitstext.h"

#include "console/duration.h"
#include "terminal/columns.h"
#include "terminal/output.h"
#include "waits/userlocknames.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

constexpr int kBytesOfACharacter = 4;

/// Line ends and indentation as one space each.
QByteArray inOneLine(const QByteArray &statement, int columns)
{
    return statement.left(qsizetype(columns) * kBytesOfACharacter * 4).simplified();
}

QString statementWord(Statement::Source source)
{
    switch (source) {
    case Statement::Source::Running:
        return u"runs: "_s;
    case Statement::Source::Last:
        return u"ran last: "_s;
    case Statement::Source::None:
        return u"has run nothing yet"_s;
    case Statement::Source::NotAsked:
        return u"its last statement was not read"_s;
    case Statement::Source::NotInstrumented:
        return u"its last statement is not kept by the server"_s;
    case Statement::Source::NotAllowed:
        break;
    }
    return u"its statement is not shown to this user"_s;
}

} // namespace

QString kindText(ServerLockKind kind)
{
    switch (kind) {
    case ServerLockKind::Record:
        return u"row"_s;
    case ServerLockKind::Table:
        return u"table"_s;
    case ServerLockKind::Metadata:
        return u"metadata"_s;
    case ServerLockKind::User:
        break;
    }
    return u"user"_s;
}

QString kindText(const ServerObject &object)
{
    return object.isLease() ? u"lease"_s : kindText(object.kind);
}

QString objectText(const ServerObject &object, const QStringList &schemas)
{
    const QString name = printable(object.toString());
    if (object.isLease())
        return name;
    if (object.kind == ServerLockKind::User) {
        const QString program = userLockProgram(object.name, schemas);
        const QString text = u"GET_LOCK "_s + printable(object.name);
        return program.isEmpty() ? text : text + u" ("_s + printable(program) + u')';
    }
    return (object.kind == ServerLockKind::Metadata ? u"metadata of "_s : kindText(object.kind) + u' ') + name;
}

bool areSessionsSeen(const ServerWaits &waits)
{
    return std::any_of(waits.sources.cbegin(), waits.sources.cend(), [](const SourceStatus &status) {
        return status.source == WaitSource::Sessions && status.state == SourceStatus::State::Complete;
    });
}

QString accountText(const ServerWaits &waits, quint64 id, bool hasPid)
{
    const ServerSession *session = waits.session(id);
    if (!session)
        return areSessionsSeen(waits) ? u"gone"_s : u"not looked up"_s;
    const QString account = printable(session->account());
    const QString name = session->programName();
    const qint64 pid = hasPid ? session->asOwner().pid : 0;
    QStringList told;
    if (!name.isEmpty())
        told.append(printable(name));
    if (pid != 0)
        told.append(u"pid %1"_s.arg(pid));
    return told.isEmpty() ? account : account + u" ("_s + told.join(u", "_s) + u')';
}

QString groupText(const ServerSession &session)
{
    const QString account = printable(session.accountWithoutPort());
    const QString name = session.programName();
    return name.isEmpty() ? account : u"%1 (%2)"_s.arg(account, printable(name));
}

QString doingText(const ServerSession &session, ServerTime now)
{
    const QString time = session.doneSince() ? u' ' + formatCoarseDuration(now - *session.doneSince()) : QString();
    if (session.transaction && session.transaction->isRollingBack())
        return u"rolling back, %1 left"_s.arg(counted(qint64(session.transaction->rowsChanged), u"row"_s, u"rows"_s));
    if (session.isIdle() && session.transaction)
        return u"idle%1 in a transaction of %2"_s.arg(time, formatCoarseDuration(now - session.transaction->started));
    if (session.isIdle())
        return u"idle"_s + time;
    return u"at its statement"_s + time;
}

QString statementText(const Statement &statement, int columns)
{
    QString text = statementWord(statement.source);
    if (statement.source == Statement::Source::Running || statement.source == Statement::Source::Last)
        text += printable(inOneLine(statement.text, columns));
    return shortened(text, columns);
}

QString culpritText(const PastStatement &statement, int columns)
{
    return shortened(u"took the lock by: "_s + printable(inOneLine(statement.text, columns)), columns);
}

QString protectionWord(Protection protection)
{
    switch (protection) {
    case Protection::Own:
        return u"lockctl itself"_s;
    case Protection::System:
        return u"a thread of the server"_s;
    case Protection::Replication:
        return u"replication"_s;
    case Protection::None:
        break;
    }
    return {};
}

QString counted(qint64 number, const QString &one, const QString &many)
{
    return QString::number(number) + u' ' + (number == 1 ? one : many);
}

QString sourceText(WaitSource source)
{
    switch (source) {
    case WaitSource::Sessions:
        return u"sessions"_s;
    case WaitSource::Transactions:
        return u"transactions"_s;
    case WaitSource::RowWaits:
        return u"waits for rows"_s;
    case WaitSource::Metadata:
        return u"metadata locks"_s;
    case WaitSource::UserLocks:
        return u"user-level locks"_s;
    case WaitSource::Statements:
        return u"last statements"_s;
    case WaitSource::Attributes:
        break;
    }
    return u"names of programs"_s;
}

const SourceStatus *essentialUnseen(const ServerWaits &waits)
{
    const auto found = std::find_if(waits.sources.cbegin(), waits.sources.cend(), [](const SourceStatus &status) {
        return (status.state == SourceStatus::State::Missing || status.state == SourceStatus::State::Failed)
            && (status.source == WaitSource::Sessions || status.source == WaitSource::Transactions
                || status.source == WaitSource::RowWaits);
    });
    return found == waits.sources.cend() ? nullptr : &*found;
}

void warnAboutUnseen(const ServerWaits &waits, const Capabilities &capabilities)
{
    for (const SourceStatus &status : waits.sources) {
        if (status.isCut)
            printError(
                u"%1: there are more than the %2 that are shown."_s.arg(sourceText(status.source)).arg(status.rows));
        if (status.state == SourceStatus::State::Complete || status.state == SourceStatus::State::Off)
            continue;
        const QString text = u"%1: %2"_s.arg(sourceText(status.source), printable(status.reason));
        printError(status.remedy.isEmpty() ? text : text + u" Remedy: "_s + printable(status.remedy));
    }
    if (capabilities.isReplica)
        printError(u"this server is a replica: the locks of its primary are not among these."_s);
    if (capabilities.isCluster)
        printError(u"this server belongs to a cluster: these are the locks of this node only."_s);
}

} // namespace lockscope::ctl
