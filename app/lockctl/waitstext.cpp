#include "waitstext.h"

#include "monitor/duration.h"
#include "output.h"
#include "waits/userlocknames.h"

#include <array>

#include <sys/ioctl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

constexpr int kFileColumns = 160;
constexpr int kSmallestColumns = 40;
constexpr int kBytesOfACharacter = 4;

struct Range
{
    char32_t first;
    char32_t last;
};

/// East Asian wide and full-width characters, and pictures.
constexpr std::array<Range, 10> kWide = {{{0x1100, 0x115f},
                                          {0x2e80, 0x303e},
                                          {0x3041, 0xa4cf},
                                          {0xac00, 0xd7a3},
                                          {0xf900, 0xfaff},
                                          {0xfe30, 0xfe6f},
                                          {0xff00, 0xff60},
                                          {0xffe0, 0xffe6},
                                          {0x1f300, 0x1f9ff},
                                          {0x20000, 0x3fffd}}};

int columnsOf(char32_t c)
{
    const auto category = QChar::category(c);
    if (category == QChar::Mark_NonSpacing || category == QChar::Mark_Enclosing)
        return 0;
    for (const Range &range : kWide) {
        if (c >= range.first && c <= range.last)
            return 2;
    }
    return 1;
}

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
    case Statement::Source::NotInstrumented:
        return u"its last statement is not kept by the server"_s;
    case Statement::Source::NotAllowed:
        break;
    }
    return u"its statement is not shown to this user"_s;
}

} // namespace

int columnsOf(const QString &text)
{
    int columns = 0;
    for (const char32_t c : text.toUcs4())
        columns += columnsOf(c);
    return columns;
}

QString shortened(const QString &text, int columns)
{
    if (columnsOf(text) <= columns)
        return text;
    QString cut;
    int left = columns - 1;
    for (const char32_t c : text.toUcs4()) {
        left -= columnsOf(c);
        if (left < 0)
            break;
        cut += QChar::fromUcs4(c);
    }
    return cut + u'…';
}

int outputColumns()
{
    winsize size = {};
    if (::isatty(STDOUT_FILENO) == 0 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return kFileColumns;
    return qMax<int>(size.ws_col, kSmallestColumns);
}

bool isOutputColoured()
{
    return ::isatty(STDOUT_FILENO) != 0 && qEnvironmentVariableIsEmpty("NO_COLOR")
        && qEnvironmentVariable("TERM") != u"dumb"_s;
}

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
    const QString name = printable(object.toString().toUtf8());
    if (object.isLease())
        return name;
    if (object.kind == ServerLockKind::User) {
        const QString program = userLockProgram(object.name, schemas);
        const QString text = u"GET_LOCK "_s + printable(object.name);
        return program.isEmpty() ? text : text + u" ("_s + printable(program.toUtf8()) + u')';
    }
    return (object.kind == ServerLockKind::Metadata ? u"metadata of "_s : kindText(object.kind) + u' ') + name;
}

QString accountText(const ServerSession *session)
{
    if (!session)
        return u"gone"_s;
    const QString account = printable(session->account().toUtf8());
    const QString name = session->program.isEmpty() ? session->owner.service : session->program;
    return name.isEmpty() ? account : account + u" ("_s + printable(name.toUtf8()) + u')';
}

QString doingText(const ServerSession &session, ServerTime now)
{
    const QString time = session.commandSince ? u' ' + formatCoarseDuration(now - *session.commandSince) : QString();
    if (session.transaction && session.transaction->isRollingBack())
        return u"rolling back, %1 left"_s.arg(counted(qint64(session.transaction->rowsChanged), u"row"_s, u"rows"_s));
    if (session.isIdle())
        return (session.transaction ? u"idle in transaction"_s : u"idle"_s) + time;
    return u"at its statement"_s + time;
}

QString statementText(const Statement &statement, int columns)
{
    QString text = statementWord(statement.source);
    if (statement.source == Statement::Source::Running || statement.source == Statement::Source::Last)
        text += printable(inOneLine(statement.text, columns));
    return shortened(text, columns);
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

void complainAboutSources(const ServerWaits &waits)
{
    for (const SourceStatus &status : waits.sources) {
        if (status.isCut)
            complain(
                u"%1: there are more than the %2 that are shown."_s.arg(sourceText(status.source)).arg(status.rows));
        if (status.state == SourceStatus::State::Complete || status.state == SourceStatus::State::Off)
            continue;
        const QString text = u"%1: %2"_s.arg(sourceText(status.source), printable(status.reason.toUtf8()));
        complain(status.remedy.isEmpty() ? text : text + u" Remedy: "_s + printable(status.remedy.toUtf8()));
    }
}

void complainAboutServer(const Capabilities &capabilities)
{
    if (capabilities.isReplica)
        complain(u"this server is a replica: the locks of its primary are not among these."_s);
    if (capabilities.isCluster)
        complain(u"this server belongs to a cluster: these are the locks of this node only."_s);
}

} // namespace lockscope::ctl
