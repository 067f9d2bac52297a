// SPDX-License-Identifier: MIT
#include "processcpu.h"

#include <QtCore/QFile>

#include <unistd.h>

namespace lockscope {

std::optional<Duration> cpuOfProcess(qint64 process)
{
    QFile stat(QStringLiteral("/proc/%1/stat").arg(process));
    if (!stat.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QByteArray all = stat.readAll();
    const QList<QByteArray> fields = all.mid(all.lastIndexOf(')') + 2).split(' ');
    const qint64 ticks = fields.value(11).toLongLong() + fields.value(12).toLongLong(); // utime, stime
    return Duration(ticks * 1'000'000 / ::sysconf(_SC_CLK_TCK));
}

} // namespace lockscope
