// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "deadlocks/deadlocklog.h"
#include "server/follow.h"
#include "server/server.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/deadlocktext.h"
#include "text/waitstext.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QJsonArray>

#include <utility>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

void printNews(const Globals &globals, const DeadlockNews &news, bool isFirst)
{
    const bool isNew = news.latest || news.notCaptured.value_or(0) > 0;
    if (!isFirst && !isNew)
        return;
    if (globals.json) {
        printJson(toJson(news));
        return;
    }
    if (news.latest)
        print(deadlockLines(*news.latest).join(u'\n') + u'\n');
    else if (isFirst && news.notCaptured == std::optional<quint64>(0))
        printLine(u"No deadlock since the server started."_s);
    if (const QString line = notCapturedLine(news); !line.isEmpty() && (isNew || isFirst))
        printLine(line);
}

int deadlocks(const Globals &globals, bool follow)
{
    int exitCode = Done;
    auto link = linkToServer(globals, &exitCode, nullptr, LinkUse::Watch);
    if (!link)
        return exitCode;
    DeadlockFeed feed;
    DeadlockNews news;
    bool isFirst = true;
    const auto printFound = [&] { printNews(globals, news, std::exchange(isFirst, false)); };
    return pollOrFollow(
        std::move(link), follow, [&](Session &session) { return feed.read(session, &news); }, printFound);
}

/// No server prints a longer one of a deadlock.
constexpr int kLongestLine = 64 * 1024;

/// Whether it is of a deadlock, in whatever form.
bool isOfDeadlock(const QByteArray &line)
{
    return line.contains("*** WE ROLL BACK") || line.contains("WAITING FOR THIS LOCK TO BE GRANTED")
        || line.contains("Transactions deadlock detected");
}

/// The file's; why it cannot be read, or nothing.
QString readLog(const QString &name, DeadlockInbox *inbox, bool *hasSkipped)
{
    if (QFileInfo(name).isDir())
        return u"it is a folder"_s;
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly))
        return file.errorString();
    DeadlockLog log;
    const auto add = [inbox](const QList<Deadlock> &found) {
        for (const Deadlock &one : found)
            inbox->take({.latest = one});
    };
    QByteArray buffer(kLongestLine, Qt::Uninitialized);
    qint64 length = 0;
    bool hasText = false;
    if (file.peek(2) == "\x1f\x8b")
        return u"it is compressed; try `zcat FILE | lockctl deadlocks --log /dev/stdin`"_s;
    while ((length = file.readLine(buffer.data(), buffer.size())) > 0) {
        QByteArray line = buffer.first(length);
        if (line.endsWith('\n'))
            line.chop(line.endsWith("\r\n") ? 2 : 1);
        hasText = hasText || isOfDeadlock(line);
        add(log.take(line));
    }
    add(log.end());
    if (length < 0 && !file.atEnd())
        return file.errorString();
    *hasSkipped = log.hasSkipped();
    const bool isUnknown = hasText && inbox->shapes().isEmpty() && !*hasSkipped;
    return isUnknown ? u"its deadlocks have a form that is not known"_s : QString();
}

int deadlocksInLog(const Globals &globals, const std::string &file)
{
    const QString name = QString::fromStdString(file);
    DeadlockInbox inbox;
    bool hasSkipped = false;
    if (const QString why = readLog(name, &inbox, &hasSkipped); !why.isEmpty()) {
        printError(u"%1 cannot be read: %2. It has to be the server's error log as the server writes it, which its own "
                   u"account and root can read."_s.arg(printable(name), why));
        return Failed;
    }
    QJsonArray array;
    QStringList lines;
    for (const DeadlockShape &shape : inbox.shapes()) {
        if (globals.json)
            array.append(toJson(shape));
        else
            lines << shapeLines(shape) << QString();
    }
    if (globals.json)
        printJson(array);
    else if (inbox.shapes().isEmpty())
        printLine(u"No deadlock in %1. A server writes them there while innodb_print_all_deadlocks is ON."_s.arg(
            printable(name)));
    else
        print(lines.join(u'\n'));
    if (hasSkipped)
        printError(u"%1 begins within a deadlock, which is left out."_s.arg(printable(name)));
    if (inbox.dropped() > 0)
        printError(u"%1 left out."_s.arg(counted(qint64(inbox.dropped()), u"older shape is"_s, u"older shapes are"_s)));
    return Done;
}

} // namespace

void addDeadlocks(CLI::App &app, Globals &globals)
{
    auto *command =
        addCommand(app, "deadlocks",
                   "The server's latest deadlock: who waited for whom, who was rolled back, and why. Needs no "
                   "lock tables and writes nothing",
                   "lockctl deadlocks --follow");
    auto follow = std::make_shared<bool>(false);
    auto log = std::make_shared<std::string>();
    auto *following =
        command->add_flag("--follow", *follow, "Keep printing as deadlocks come; with --json one document per line");
    command
        ->add_option("--log", *log,
                     "All of a server's error log in place of its latest one, each shape once. The server writes them "
                     "there while innodb_print_all_deadlocks is ON; MySQL without time and victim unless "
                     "log_error_verbosity is 3")
        ->type_name("FILE")
        ->check(given())
        ->excludes(following);
    command->callback([&globals, follow, log] {
        globals.action = [&globals, follow, log] {
            return log->empty() ? deadlocks(globals, *follow) : deadlocksInLog(globals, *log);
        };
    });
}

} // namespace lockscope::ctl
