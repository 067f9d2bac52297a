// SPDX-License-Identifier: MIT
#pragma once

#include "auditfile.h"

#include <QtCore/QDateTime>
#include <QtCore/QList>

namespace lockscope {

/// A line of the record, read back.
struct AuditLine : AuditEntry
{
    QDateTime at; ///< UTC, by this machine's clock
    QString operatorName;

    /// The one that was written before the act; see recordIntent().
    bool isIntent() const;
    /// This tells what became of what `before` tells.
    bool continues(const AuditLine &before) const;
    bool operator==(const AuditLine &) const = default;
};

/// Reads the record as it grows, without changing it; several programs may write it meanwhile. Thread: one at a time.
class AuditLog
{
public:
    explicit AuditLog(const QString &path = AuditFile::defaultPath());

    const QString &path() const { return m_path; }
    /// The lines that were not told yet, oldest first; the first time, of a long file, those of its last `most` bytes.
    /// Whatever is not a line of a record is left out. Another file at its place is read from its beginning.
    QList<AuditLine> readNew(qint64 most = qint64{4} * 1024 * 1024);
    /// The file was longer than what the last call read of it.
    bool isCut() const { return m_isCut; }
    /// Why the last call could not read a file that is there; else empty.
    const QString &error() const { return m_error; }

private:
    QString m_path;
    QString m_error;
    bool m_isCut = false;
    quint64 m_inode = 0;
    qint64 m_offset = 0; ///< behind the last whole line that was told
};

/// One entry for each act: the line before it and those after it are one, with the time of the first and what the last
/// one tells.
QList<AuditLine> auditActs(const QList<AuditLine> &lines);

} // namespace lockscope
