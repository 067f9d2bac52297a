// SPDX-License-Identifier: MIT
#include "labevent.h"

#include <chrono>

namespace lockscope {

qint64 LabEvent::now()
{
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

QByteArray LabEvent::toLine() const
{
    return QByteArray::number(at) + ' ' + QByteArray::number(int(kind)) + ' ' + QByteArray::number(worker) + ' '
        + QByteArray::number(resource) + ' ' + QByteArray::number(token) + ' ' + QByteArray::number(value) + ' '
        + QByteArray::number(version);
}

std::optional<LabEvent> LabEvent::fromLine(const QByteArray &line)
{
    const QList<QByteArray> words = line.split(' ');
    if (words.size() != 7)
        return std::nullopt;
    bool areNumbers[7];
    LabEvent event;
    event.at = words[0].toLongLong(&areNumbers[0]);
    const int kind = words[1].toInt(&areNumbers[1]);
    event.worker = words[2].toInt(&areNumbers[2]);
    event.resource = words[3].toInt(&areNumbers[3]);
    event.token = words[4].toULongLong(&areNumbers[4]);
    event.value = words[5].toLongLong(&areNumbers[5]);
    event.version = words[6].toULongLong(&areNumbers[6]);
    for (const bool isNumber : areNumbers) {
        if (!isNumber)
            return std::nullopt;
    }
    if (kind < 0 || kind > int(Kind::Halfway))
        return std::nullopt;
    event.kind = Kind(kind);
    return event;
}

} // namespace lockscope
