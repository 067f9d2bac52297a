// SPDX-License-Identifier: MIT
#include "freeze.h"

#include "enginefixture.h"

#include <QtCore/QDir>
#include <QtCore/QFile>

#include <algorithm>
#include <csignal>

using namespace Qt::StringLiterals;

namespace lockscope::test {

namespace {

/// One thread, by proc(5): the state stands behind the name, which may hold anything.
bool isStopped(const QString &stat)
{
    QFile file(stat);
    if (!file.open(QIODevice::ReadOnly))
        return true; // it has ended
    const QByteArray text = file.readAll();
    return text.mid(text.lastIndexOf(')') + 2).startsWith('T');
}

} // namespace

void freezeProcess(qint64 pid)
{
    const QString tasks = u"/proc/%1/task/"_s.arg(pid);
    const auto areStopped = [&] {
        const QStringList threads = QDir(tasks).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        return !threads.isEmpty() && std::all_of(threads.begin(), threads.end(), [&](const QString &thread) {
            return isStopped(tasks + thread + u"/stat"_s);
        });
    };
    if (::kill(static_cast<pid_t>(pid), SIGSTOP) != 0 || !eventually(areStopped))
        qFatal("Process %lld could not be frozen.", pid);
}

void thawProcess(qint64 pid)
{
    ::kill(static_cast<pid_t>(pid), SIGCONT);
}

} // namespace lockscope::test
