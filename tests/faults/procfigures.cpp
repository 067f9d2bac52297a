// SPDX-License-Identifier: MIT
#include "procfigures.h"

#include <QtCore/QDir>
#include <QtCore/QFile>

using namespace Qt::StringLiterals;

namespace lockscope::faults {

ProcFigures ProcFigures::of(qint64 pid)
{
    const QString folder = u"/proc/%1/"_s.arg(pid);
    ProcFigures figures;
    QFile status(folder + u"status"_s);
    if (!status.open(QIODevice::ReadOnly))
        return figures;
    for (const QByteArray &line : status.readAll().split('\n')) {
        const QByteArray value = line.mid(line.indexOf(':') + 1).simplified();
        if (line.startsWith("VmRSS:"))
            figures.rssKb = value.split(' ').first().toLongLong();
        else if (line.startsWith("Threads:"))
            figures.threads = value.toInt();
    }
    figures.files =
        int(QDir(folder + u"fd"_s).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot).size());
    return figures;
}

QString ProcFigures::toString() const
{
    return u"%1 MiB, %2 threads, %3 files"_s.arg(double(rssKb) / 1024, 0, 'f', 1).arg(threads).arg(files);
}

} // namespace lockscope::faults
