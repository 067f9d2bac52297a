// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>

namespace lockscope::faults {

/// What a process has of the machine.
struct ProcFigures
{
    qint64 rssKb = 0;
    int threads = 0;
    int files = 0; ///< descriptors, sockets among them

    /// Zeros when there is no such process.
    static ProcFigures of(qint64 pid);
    QString toString() const;
};

} // namespace lockscope::faults
