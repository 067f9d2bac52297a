// SPDX-License-Identifier: MIT
#include "actions/preparedend.h"
#include "arguments.h"
#include "commands/endrun.h"
#include "console/duration.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/killtext.h"
#include "text/preparedtext.h"
#include "text/waitstext.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

using Outcome = PreparedReport::Outcome;

struct XaArguments : EndArguments
{
    std::string fate;
    std::string xid;
};

/// What the command line names.
struct Found
{
    Xid xid;
    quint64 number = 0; ///< of the transaction, where it is told; 0: several may have the name, or the list is hidden
};

bool isNamed(const Xid &xid, const QByteArray &word)
{
    const auto parsed = Xid::fromSql(word);
    return parsed ? *parsed == xid : xid.gtrid == word;
}

/// All that the word may mean.
QList<Found> find(const ServerWaits &waits, const Capabilities &capabilities, const QByteArray &word)
{
    QList<Found> found;
    for (auto it = waits.prepared.cbegin(); it != waits.prepared.cend(); ++it) {
        for (const Xid &xid : it->xids) {
            const auto isSame = [&xid](const Found &one) { return one.xid == xid; };
            if (isNamed(xid, word) && std::none_of(found.cbegin(), found.cend(), isSame))
                found.append({xid, it->isTold ? it.key() : 0});
        }
    }
    const auto given = Xid::fromSql(word);
    if (found.isEmpty() && given && !capabilities.mayRecover)
        found.append({*given});
    return found;
}

/// One run of the command.
class XaEnd
{
public:
    XaEnd(const Globals &globals, const XaArguments &arguments)
        : m_globals(globals)
        , m_arguments(arguments)
        , m_run(globals, arguments)
    {
    }

    int run();

private:
    int notOneFound(const QList<Found> &found) const;
    void makeOrder(const Found &found);
    /// Why it cannot be done; empty: it can, as far as is known.
    QString refusal(const Found &found) const;
    QStringList preview(const Found &found) const;
    QJsonObject toJson() const;
    int act(const Found &found);
    QString title() const { return QString::fromLatin1(preparedCommand(m_order)); }

    const Globals &m_globals;
    const XaArguments &m_arguments;
    EndRun m_run;
    AuditFile m_audit;
    PreparedOrder m_order;
};

int XaEnd::notOneFound(const QList<Found> &found) const
{
    const QString name = printable(QByteArray::fromStdString(m_arguments.xid));
    const SourceStatus transactions = m_run.poll().capabilities().status(WaitSource::Transactions);
    QStringList names;
    for (const Found &one : found)
        names.append(QString::fromLatin1(one.xid.toSql()));
    if (!names.isEmpty())
        printError(
            u"nothing was done: %1 may be any of %2; name one as it stands there."_s.arg(name, names.join(u" or "_s)));
    else if (transactions.state == SourceStatus::State::Missing)
        printError(
            u"nothing was done: nobody knows whether a prepared transaction has the name %1. %2 Remedy: %3"_s.arg(
                name, transactions.reason, printable(transactions.remedy)));
    else
        printError(
            u"nothing was done: no prepared transaction with locks has exactly the name %1; `lockctl list --all` "
            "lists them."_s.arg(name));
    return NothingDone;
}

void XaEnd::makeOrder(const Found &found)
{
    m_order.target = PreparedTarget::of(m_run.poll().waits(), found.number, found.xid);
    m_order.fate = m_arguments.fate == "commit" ? PreparedFate::Commit : PreparedFate::Rollback;
    m_order.operatorName = AuditFile::operatorName();
    m_order.reason = QString::fromStdString(m_arguments.reason);
}

QString XaEnd::refusal(const Found &found) const
{
    const PreparedTransaction *prepared = m_run.poll().waits().preparedTransaction(found.number);
    return prepared ? preparedRefusal(*prepared) : QString();
}

QStringList XaEnd::preview(const Found &found) const
{
    const ServerWaits &waits = m_run.poll().waits();
    QStringList lines;
    if (const PreparedTransaction *prepared = waits.preparedTransaction(found.number)) {
        const Transaction &transaction = prepared->transaction;
        lines.append(u"%1: %2, open for %3, %4 changed"_s.arg(
            title(), holderText(found.number), formatCoarseDuration(waits.clock.server - transaction.started),
            counted(qint64(transaction.rowsChanged), u"row"_s, u"rows"_s)));
        lines += forecastLines(forecast(waits, {found.number}), waits);
        if (const QString why = refusal(found); !why.isEmpty())
            lines.append(u"Refused: "_s + printable(why));
    } else {
        lines.append(title());
        lines.append(u"The server does not tell which transaction has this name, so nobody knows who goes on."_s);
    }
    lines.append(u"Warning: only its coordinator knows what was decided for it; the wrong choice cannot be undone."_s);
    const QByteArray statement = preparedStatement(m_order, m_run.poll().capabilities().family);
    return lines << QString() << printableLines(QString::fromUtf8(statement + ';'));
}

QJsonObject XaEnd::toJson() const
{
    const PreparedTarget &target = m_order.target;
    return {{u"xid"_s, QString::fromLatin1(target.xid.toSql())},
            {u"transaction"_s, target.transaction == 0 ? QJsonValue() : number(target.transaction)},
            {u"statement"_s, QString::fromUtf8(preparedStatement(m_order, m_run.poll().capabilities().family))}};
}

int XaEnd::act(const Found &found)
{
    int exitCode = Done;
    Capabilities capabilities;
    const auto session = m_run.openSession(&capabilities, &exitCode);
    if (!session)
        return exitCode;
    const PreparedReport report = endPrepared(*session, capabilities, m_order, m_run.access(), &m_audit);
    const QString text = title() + u": "_s + printable(outcomeOf(report));
    const bool isDone = report.outcome == Outcome::Ended;
    QJsonObject json = toJson();
    json.insert(u"outcome"_s, printable(outcomeOf(report)));
    if (!isDone)
        printError(text);
    else if (!m_globals.json)
        printLine(text);
    if (!report.recordError.isEmpty())
        printError(printable(report.recordError));
    if (isDone) {
        if (const auto after = m_run.lookAfterwards(forecast(m_run.poll().waits(), {found.number})))
            json.insert(u"after"_s, *after);
    }
    if (m_globals.json)
        printJson(json);
    if (report.outcome == Outcome::Failed)
        return exitCodeFor(report.error.value_or(LockError()));
    return !isDone ? NothingDone : report.recordError.isEmpty() ? Done : Failed;
}

int XaEnd::run()
{
    if (!m_run.mayAsk())
        return Usage;
    int exitCode = Done;
    if (!m_run.reach(&exitCode))
        return exitCode;
    const auto findIt = [this] {
        return find(m_run.poll().waits(), m_run.poll().capabilities(), QByteArray::fromStdString(m_arguments.xid));
    };
    auto found = findIt();
    if (found.isEmpty()) { // InnoDB's lists may be older than it
        if (const auto failed = m_run.poll().againWithNewLists())
            return printError(*failed);
        found = findIt();
    }
    if (found.size() != 1)
        return notOneFound(found);
    makeOrder(found.first());
    if (!m_globals.json)
        printLine(preview(found.first()).join(u'\n') + u'\n');
    if (m_arguments.dryRun) {
        if (m_globals.json)
            printJson(toJson());
        return Done;
    }
    if (const QString why = refusal(found.first()); !why.isEmpty()) {
        printError(u"nothing was done: "_s + printable(why));
        return NothingDone;
    }
    if (!m_run.isAgreed(title() + u'?', title() + u" cannot be undone."_s))
        return NothingDone;
    return act(found.first());
}

} // namespace

void addXa(CLI::App &app, Globals &globals)
{
    auto *command = addCommand(app, "xa",
                               "End a prepared transaction that no session has, if it is still the one that was looked "
                               "at: shows who goes on, asks, and keeps a record on this machine",
                               "lockctl xa rollback x1 --reason 'its coordinator is gone' --dry-run");
    auto arguments = std::make_shared<XaArguments>();
    command->add_option("commit|rollback", arguments->fate, "What to do with it: only its coordinator knows which")
        ->required()
        ->type_name("")
        ->check(CLI::IsMember({"commit", "rollback"}));
    command->add_option("XID", arguments->xid, "Its name as `blockers` shows it, or the plain text in it")
        ->required()
        ->type_name("");
    addEndOptions(*command, *arguments, "Do not ask; on a production server only together with --server");
    command->callback(
        [&globals, arguments] { globals.action = [&globals, arguments] { return XaEnd(globals, *arguments).run(); }; });
}

} // namespace lockscope::ctl
