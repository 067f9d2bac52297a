// SPDX-License-Identifier: MIT
#include "event.h"

#include "lab/labevent.h"

#include <QtCore/QDir>
#include <QtCore/QFile>

#include <algorithm>
#include <iterator>

#include <fcntl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace lockscope::faults {

namespace {

constexpr const char *kNames[] = {"began",  "ask",     "got",    "missed",  "doubt",    "holds",   "write",
                                  "wrote",  "refused", "maybe",  "release", "released", "gone",    "unsure",
                                  "ended",  "killed",  "frozen", "thawed",  "cut",      "stalled", "reset",
                                  "healed", "session", "died",   "stop",    "restart",  "crash",   "up",
                                  "free",   "expired", "held",   "queued",  "stood",    "stored"};
static_assert(std::size(kNames) == std::size_t(Kind::Stored) + 1);

constexpr qsizetype kWords = 7;

bool readFile(const QString &path, std::vector<Event> *events, QString *error)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        *error = file.errorString();
        return false;
    }
    for (int number = 1; !file.atEnd(); ++number) {
        const QByteArray line = file.readLine();
        if (!line.endsWith('\n'))
            break;
        const auto event = Event::fromLine(line);
        if (!event) {
            *error = u"%1:%2: no event: %3"_s.arg(path).arg(number).arg(QString::fromUtf8(line.trimmed()));
            return false;
        }
        events->push_back(*event);
    }
    return true;
}

} // namespace

qint64 Event::now()
{
    return LabEvent::now();
}

QByteArray Event::toLine() const
{
    const auto word = [](auto number) { return ' ' + QByteArray::number(number); };
    return QByteArray::number(at) + ' ' + kNames[int(kind)] + word(process) + word(request) + word(resource)
        + word(token) + word(value) + '\n';
}

std::optional<Event> Event::fromLine(const QByteArray &line)
{
    const QList<QByteArray> words = line.trimmed().split(' ');
    const auto name = std::find(std::begin(kNames), std::end(kNames), words.value(1));
    if (words.size() != kWords || name == std::end(kNames))
        return std::nullopt;
    bool areNumbers[kWords - 1];
    Event event;
    event.at = words[0].toLongLong(&areNumbers[0]);
    event.kind = Kind(name - std::begin(kNames));
    event.process = words[2].toInt(&areNumbers[1]);
    event.request = words[3].toLongLong(&areNumbers[2]);
    event.resource = words[4].toInt(&areNumbers[3]);
    event.token = words[5].toULongLong(&areNumbers[4]);
    event.value = words[6].toLongLong(&areNumbers[5]);
    if (!std::all_of(std::begin(areNumbers), std::end(areNumbers), [](bool is) { return is; }))
        return std::nullopt;
    return event;
}

EventFile::EventFile(const QString &path)
    : m_file(::open(QFile::encodeName(path).constData(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600))
{
    if (m_file < 0)
        qFatal("Cannot write %ls", qUtf16Printable(path));
}

EventFile::~EventFile()
{
    ::close(m_file);
}

/// One write past every buffer, so that no line is lost or torn by SIGKILL.
void EventFile::add(const Event &event)
{
    const QByteArray line = event.toLine();
    if (::write(m_file, line.constData(), std::size_t(line.size())) != line.size())
        qFatal("The history cannot be written: is the disk full?");
}

bool readEvents(const QString &folder, std::vector<Event> *events, QString *error)
{
    const QDir files(folder, u"*.events"_s);
    for (const QString &name : files.entryList(QDir::Files)) {
        if (!readFile(files.filePath(name), events, error))
            return false;
    }
    // Lines of one file keep their order where their times are equal.
    std::stable_sort(events->begin(), events->end(), [](const Event &a, const Event &b) { return a.at < b.at; });
    return true;
}

} // namespace lockscope::faults
