// SPDX-License-Identifier: MIT
#include "auditlog.h"

#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include <algorithm>
#include <optional>

#include <sys/stat.h>

using namespace Qt::StringLiterals;

namespace lockscope {

namespace {

std::optional<AuditLine> lineOf(const QByteArray &bytes)
{
    const QJsonObject object = QJsonDocument::fromJson(bytes).object();
    const auto text = [&object](const char *name) { return object.value(QLatin1String(name)).toString(); };
    AuditLine line;
    line.at = QDateTime::fromString(text("at"), Qt::ISODateWithMs);
    if (!line.at.isValid() || text("target").isEmpty())
        return std::nullopt;
    line.operatorName = text("operator");
    line.server = text("server");
    line.account = text("account");
    line.target = text("target");
    line.statement = text("statement");
    line.reason = text("reason");
    line.outcome = text("outcome");
    return line;
}

} // namespace

bool AuditLine::isIntent() const
{
    return outcome == AuditFile::intentOutcome();
}

bool AuditLine::continues(const AuditLine &before) const
{
    return !isIntent() && target == before.target && server == before.server && operatorName == before.operatorName
        && reason == before.reason;
}

AuditLog::AuditLog(const QString &path)
    : m_path(path)
{
}

QList<AuditLine> AuditLog::readNew(qint64 most)
{
    m_error.clear();
    m_isCut = false;
    QFile file(m_path);
    if (!file.open(QIODevice::ReadOnly)) {
        if (file.exists())
            m_error = u"The audit file %1 cannot be read: %2."_s.arg(m_path, file.errorString());
        return {};
    }
    struct stat status = {};
    ::fstat(file.handle(), &status);
    if (status.st_ino != m_inode || file.size() < m_offset) {
        m_inode = status.st_ino;
        m_offset = 0;
    }
    const qint64 from = std::max(m_offset, file.size() - most);
    m_isCut = from > m_offset;
    file.seek(from);
    const QByteArray bytes = file.read(file.size() - from);
    const qsizetype end = bytes.lastIndexOf('\n') + 1; // the rest is being written
    m_offset = from + end;
    QList<AuditLine> lines;
    for (const QByteArray &one : bytes.first(end).split('\n')) {
        if (const auto line = lineOf(one))
            lines.append(*line);
    }
    return lines;
}

QList<AuditLine> auditActs(const QList<AuditLine> &lines)
{
    QList<AuditLine> acts;
    for (const AuditLine &line : lines) {
        const auto act = line.isIntent()
            ? acts.rend()
            : std::find_if(acts.rbegin(), acts.rend(), [&line](const AuditLine &one) { return line.continues(one); });
        if (act == acts.rend()) {
            acts.append(line);
            continue;
        }
        act->outcome = line.outcome;
        act->statement = line.statement;
    }
    return acts;
}

} // namespace lockscope
