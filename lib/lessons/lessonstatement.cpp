// SPDX-License-Identifier: MIT
#include "lessonstatement.h"

#include "session/clientlibrary.h"
#include "session/replybound.h"

#include <QtCore/QDateTime>
#include <QtCore/QRegularExpression>
#include <QtSql/QSqlDatabase>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

/// Of one answer.
constexpr qint64 kMaxBytes = qint64(16) * 1024 * 1024;
constexpr qint64 kMaxRows = 100;
constexpr qsizetype kMaxValueLength = 200;

constexpr int kSyntaxError = 1064;

QString textOf(const QVariant &value)
{
    if (value.isNull())
        return QStringLiteral("NULL");
    QString text;
    switch (value.typeId()) {
    case QMetaType::QDateTime: {
        const QDateTime time = value.toDateTime();
        text = time.toString(time.time().msec() ? QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz")
                                                : QStringLiteral("yyyy-MM-dd HH:mm:ss"));
        break;
    }
    case QMetaType::QByteArray:
        text = QString::fromUtf8(value.toByteArray());
        break;
    default:
        text = value.toString();
    }
    return text.size() > kMaxValueLength ? text.left(kMaxValueLength) + QStringLiteral("…") : text;
}

/// Of others, as of BEGIN, no rows are no news.
bool isAboutRows(const QByteArray &sql)
{
    return beginsWith(QString::fromUtf8(sql), QStringLiteral("UPDATE|DELETE|INSERT|REPLACE|WITH|LOAD"));
}

/// The server stopped reading where another statement begins.
bool endsBefore(const QString &sql, const LockError &error)
{
    static const QRegularExpression pattern(QStringLiteral("near '(.+)' at line \\d+$"),
                                            QRegularExpression::DotMatchesEverythingOption);
    const auto match = pattern.match(error.serverText);
    const qsizetype at = error.code == kSyntaxError && match.hasMatch() ? sql.lastIndexOf(match.captured(1)) : -1;
    return at > 0 && sql.first(at).trimmed().endsWith(u';');
}

LessonAnswer refusal(const QByteArray &sql, const LockError &error)
{
    LessonAnswer answer{LessonAnswer::Kind::Error};
    answer.error = error.code;
    answer.serverText = error.serverText;
    answer.message = ofLesson(error).message;
    if (endsBefore(QString::fromUtf8(sql), error))
        answer.message.prepend(QStringLiteral("A step is one statement; what stands behind its semicolon is a step of "
                                              "its own. "));
    return answer;
}

/// Of all results that have rows: a procedure may answer with several.
QStringList rowsOf(const Reply &reply)
{
    QStringList rows;
    for (const ResultSet &set : reply.sets) {
        for (const QVariantList &row : set.rows) {
            QStringList values;
            for (const QVariant &value : row)
                values += textOf(value);
            rows += values.join(QStringLiteral(", "));
        }
    }
    return rows;
}

LockError tooLarge()
{
    LockError error = lockErrorFor(2013, {}, "lesson");
    error.message = QStringLiteral("The answer is larger than 16 MiB, so the session's connection was ended. Ask for "
                                   "fewer rows or shorter values, as with LIMIT.");
    return error;
}

} // namespace

LockError ofLesson(LockError error)
{
    using Kind = LockError::Kind;
    const bool hasPlainWords =
        error.kind == Kind::Contention || error.kind == Kind::Interrupted || error.kind == Kind::ConnectionLost;
    if (!hasPlainWords && !error.serverText.isEmpty())
        error.message = std::exchange(error.serverText, {});
    return error;
}

LessonReply runStatement(Session &session, const QByteArray &sql)
{
    ReplyBound bound(kMaxBytes, std::nullopt);
    bound.keepRows(kMaxRows);
    LessonReply result;
    result.reply = session.run(sql, "lesson");
    result.moreRows = bound.rowsLeftOut();
    result.isGone = session.isGone();
    if (bound.isExceeded()) {
        result.reply.error = tooLarge();
        result.isGone = true;
    }
    return result;
}

StopBreaks::StopBreaks(const Session &session, const std::stop_token &stop)
{
    if (const int socket = clientSocket(session.database()); socket >= 0)
        m_socket = ::fcntl(socket, F_DUPFD_CLOEXEC, 0);
    if (m_socket >= 0)
        m_onStop.emplace(stop, [this] { ::shutdown(m_socket, SHUT_RDWR); });
}

StopBreaks::~StopBreaks()
{
    m_onStop.reset();
    if (m_socket >= 0)
        ::close(m_socket);
}

LockError runStopped()
{
    LockError error;
    error.kind = LockError::Kind::Interrupted;
    error.message = QStringLiteral("The run was stopped.");
    return error;
}

LessonAnswer answerOf(const QByteArray &sql, const LessonReply &result)
{
    const Reply &reply = result.reply;
    if (reply.error)
        return refusal(sql, *reply.error);
    if (std::ranges::any_of(reply.sets, [](const ResultSet &set) { return set.affected < 0; })) {
        LessonAnswer answer{LessonAnswer::Kind::Rows};
        answer.rows = rowsOf(reply);
        answer.moreRows = result.moreRows;
        return answer;
    }
    LessonAnswer answer{LessonAnswer::Kind::Ok};
    const ResultSet &set = reply.set(-1);
    if (set.affected > 0 || isAboutRows(sql))
        answer.changed = set.affected;
    if (set.insertId > 0)
        answer.insertId = set.insertId;
    return answer;
}

} // namespace lockscope
