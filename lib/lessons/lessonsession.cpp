// SPDX-License-Identifier: MIT
#include "lessonsession.h"

#include <QtCore/QDateTime>

#include <algorithm>

namespace lockscope {

namespace {

/// Of a result that is told.
constexpr qsizetype kMaxRows = 100;
constexpr qsizetype kMaxValueLength = 200;

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

LessonAnswer answerOf(const QByteArray &sql, const Reply &reply)
{
    LessonAnswer answer{LessonAnswer::Kind::Ok};
    if (reply.error) {
        answer.kind = LessonAnswer::Kind::Error;
        answer.error = reply.error->code;
        answer.serverText = reply.error->serverText;
        // The others speak of the engine's own tables.
        using Kind = LockError::Kind;
        const Kind kind = reply.error->kind;
        const bool hasPlainWords =
            kind == Kind::Contention || kind == Kind::Interrupted || kind == Kind::ConnectionLost;
        answer.message = hasPlainWords || answer.serverText.isEmpty() ? reply.error->message : answer.serverText;
        return answer;
    }
    const ResultSet &set = reply.set(-1);
    if (set.affected >= 0) {
        if (set.affected > 0 || isAboutRows(sql))
            answer.changed = set.affected;
        if (set.insertId > 0)
            answer.insertId = set.insertId;
        return answer;
    }
    answer.kind = LessonAnswer::Kind::Rows;
    QStringList rows;
    for (const QVariantList &row : set.rows.first(std::min(kMaxRows, set.rows.size()))) {
        QStringList values;
        for (const QVariant &value : row)
            values += textOf(value);
        rows += values.join(QStringLiteral(", "));
    }
    if (set.rows.size() > kMaxRows)
        rows += QStringLiteral("… %1 more").arg(set.rows.size() - kMaxRows);
    answer.rows = rows;
    return answer;
}

} // namespace

LessonSession::LessonSession(const SessionTarget &target, const QByteArray &opening, LessonBell &bell,
                             std::optional<LockError> *error)
    : m_bell(bell)
{
    m_thread = std::thread([this, target, opening, error] { work(target, opening, error); });
    std::unique_lock lock(m_bell.mutex);
    m_bell.rung.wait(lock, [this] { return m_isOpened; });
}

LessonSession::~LessonSession()
{
    close();
}

void LessonSession::close()
{
    {
        const std::scoped_lock lock(m_bell.mutex);
        m_mustEnd = true;
    }
    m_bell.rung.notify_all();
    if (m_thread.joinable())
        m_thread.join();
}

void LessonSession::send(const QByteArray &sql)
{
    {
        const std::scoped_lock lock(m_bell.mutex);
        m_statement = sql;
    }
    m_isAsked = true;
    m_bell.rung.notify_all();
}

std::optional<LessonSession::Answered> LessonSession::takeAnswer()
{
    if (m_answered) {
        m_isAsked = false;
        m_isGone = m_answered->isGone;
    }
    return std::exchange(m_answered, {});
}

std::optional<QByteArray> LessonSession::nextStatement()
{
    std::unique_lock lock(m_bell.mutex);
    m_bell.rung.wait(lock, [this] { return m_mustEnd || m_statement; });
    return m_mustEnd ? std::nullopt : std::exchange(m_statement, {});
}

void LessonSession::work(const SessionTarget &target, const QByteArray &opening, std::optional<LockError> *error)
{
    LockError failed;
    const auto session = Session::open(target, &failed);
    if (!session)
        *error = failed;
    else
        *error = session->run(opening, "lesson/open").error;
    {
        const std::scoped_lock lock(m_bell.mutex);
        m_isOpened = true;
        m_connection = session ? session->connectionId() : 0;
    }
    m_bell.rung.notify_all();
    while (const auto sql = nextStatement()) {
        Answered answered{answerOf(*sql, session->run(*sql, "lesson")), Clock::now(), session->isGone()};
        {
            const std::scoped_lock lock(m_bell.mutex);
            m_answered = std::move(answered);
        }
        m_bell.rung.notify_all();
    }
}

} // namespace lockscope
