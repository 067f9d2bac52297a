// SPDX-License-Identifier: MIT
#include "timeline.h"

#include "lessontext.h"
#include "ui/text/commontext.h"

#include <QtCore/QRegularExpression>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

/// What a session's own statements say about its transaction.
class Transaction
{
public:
    bool isOpen() const { return m_isOpen; }
    void end() { *this = {}; }

    void add(const QString &sql, const LessonAnswer &answer)
    {
        constexpr int kDeadlock = 1213;
        constexpr int kRecordChanged = 1020; // MariaDB, by innodb_snapshot_isolation
        if (answer.kind == LessonAnswer::Kind::Error) {
            m_isOpen = m_isOpen && answer.error != kDeadlock && answer.error != kRecordChanged;
            return;
        }
        if (beginsWith(sql, u"BEGIN|START\\s+TRANSACTION|XA\\s+(START|BEGIN)"_s))
            m_isOpen = true;
        else if (beginsWith(sql, u"ROLLBACK\\s+(WORK\\s+)?TO"_s))
            return;
        else if (beginsWith(sql, u"COMMIT|ROLLBACK|XA\\s+(PREPARE|COMMIT|ROLLBACK)"_s)
                 || beginsWith(sql, u"ALTER|CREATE|DROP|TRUNCATE|RENAME|LOCK\\s+TABLES?"_s)) // these commit too
            m_isOpen = false;
        else if (beginsWith(sql, u"SET\\s+(SESSION\\s+)?(@@)?autocommit\\s*=\\s*(1|ON)"_s))
            m_isOpen = m_isOffAutocommit = false;
        else if (beginsWith(sql, u"SET\\s+(SESSION\\s+)?(@@)?autocommit\\s*=\\s*(0|OFF)"_s))
            m_isOffAutocommit = true;
        else if (!beginsWith(sql, u"SET"_s))
            m_isOpen = m_isOpen || m_isOffAutocommit;
    }

private:
    bool m_isOpen = false;
    bool m_isOffAutocommit = false;
};

/// Goes through the steps once.
class Maker
{
public:
    explicit Maker(const QStringList &sessions)
    {
        m_made.sessions = sessions;
        m_made.lanes = sessions;
        m_lanes.resize(sessions.size());
    }

    void add(const TimelineStep &step)
    {
        m_column = m_made.played++;
        m_made.words += wordsOf(step);
        addOwn(step);
        for (const LessonFreed &freed : step.outcome.freed) {
            for (const QString &session : freed.sessions)
                addFreed(step.session, laneOf(session), freed.answer);
        }
        for (qsizetype lane = 0; lane < m_lanes.size(); ++lane) { // who was killed is answered nothing
            const bool waits = m_lanes[lane].line == Timeline::Line::Waiting;
            if (waits && !step.waiting.contains(m_made.lanes[lane]))
                change(lane, lineBehind(lane));
        }
    }

    void addAhead(const TimelineStep &step)
    {
        const qsizetype column = m_made.columns();
        m_made.words += u"%1. "_s.arg(column + 1) + LessonText::tr("%1 (not played yet)").arg(nameOf(step));
        m_made.notes.append({laneOf(step), column, Timeline::Look::Ahead, wordOf(step), {}});
    }

    Timeline take()
    {
        for (qsizetype lane = 0; lane < m_lanes.size(); ++lane)
            change(lane, {});
        return std::move(m_made);
    }

private:
    struct Lane
    {
        std::optional<Timeline::Line> line; ///< none: there is no session
        qsizetype since = 0;
        Transaction transaction;
        QString sql; ///< that was sent last
    };

    qsizetype laneOf(const QString &session)
    {
        if (!m_made.lanes.contains(session)) {
            m_made.lanes += session;
            m_lanes.resize(m_made.lanes.size());
        }
        return m_made.lanes.indexOf(session);
    }

    /// A pause is nobody's, and stands in the first lane.
    qsizetype laneOf(const TimelineStep &step)
    {
        return laneOf(step.session.isEmpty() ? m_made.sessions.value(0) : step.session);
    }

    Timeline::Line lineBehind(qsizetype lane) const
    {
        return m_lanes[lane].transaction.isOpen() ? Timeline::Line::Transaction : Timeline::Line::Idle;
    }

    void change(qsizetype lane, std::optional<Timeline::Line> line)
    {
        Lane &of = m_lanes[lane];
        if (of.line == line)
            return;
        if (of.line && of.since < m_column)
            m_made.stretches.append({lane, of.since, m_column, *of.line});
        of.line = line;
        of.since = m_column;
    }

    void addOwn(const TimelineStep &step)
    {
        const qsizetype lane = laneOf(step);
        if (step.kind == LessonStep::Kind::Statement) {
            addStatement(step, lane);
            return;
        }
        using Kind = LessonStep::Kind;
        if (step.kind == Kind::Disconnect || step.kind == Kind::Kill || step.kind == Kind::CutOff) {
            endSession(lane);
        }
        if (step.kind != LessonStep::Kind::Await || step.outcome.freed.isEmpty())
            m_made.notes.append({lane, m_column, Timeline::Look::Event, wordOf(step), {}});
    }

    void addStatement(const TimelineStep &step, qsizetype lane)
    {
        using Kind = LessonAnswer::Kind;
        const LessonAnswer &answer = step.outcome.answer;
        const Timeline::Look look = answer.kind == Kind::Blocked ? Timeline::Look::Waits
            : answer.kind == Kind::Error                         ? Timeline::Look::Error
            : answer.kind == Kind::NotSent                       ? Timeline::Look::NotSent
                                                                 : Timeline::Look::Done;
        m_made.notes.append({lane, m_column, look, wordOf(step), LessonText::shortAnswer(answer)});
        if (answer.kind == Kind::NotSent)
            return;
        m_lanes[lane].sql = step.text;
        if (answer.kind == Kind::Blocked) {
            change(lane, Timeline::Line::Waiting);
            for (const QString &blocker : answer.blockers)
                m_made.arrows.append({m_column, lane, laneOf(blocker), false});
            return;
        }
        goOn(lane, answer);
        static const QRegularExpression kill(
            u"^\\s*KILL\\s+(HARD\\s+|SOFT\\s+)?(CONNECTION\\s+)?\\{([A-Z]+[0-9]*)\\}"_s,
            QRegularExpression::CaseInsensitiveOption);
        if (const auto match = kill.match(step.text); match.hasMatch() && answer.kind == Kind::Ok)
            endSession(laneOf(match.captured(3)));
    }

    /// Also where its client does not know yet.
    void endSession(qsizetype lane)
    {
        m_lanes[lane].transaction.end();
        change(lane, {});
    }

    void addFreed(const QString &by, qsizetype lane, const LessonAnswer &answer)
    {
        const Timeline::Look look =
            answer.kind == LessonAnswer::Kind::Error ? Timeline::Look::Error : Timeline::Look::Freed;
        m_made.notes.append({lane, m_column, look, {}, LessonText::shortAnswer(answer)});
        if (!by.isEmpty() && laneOf(by) != lane)
            m_made.arrows.append({m_column, laneOf(by), lane, true});
        goOn(lane, answer);
    }

    void goOn(qsizetype lane, const LessonAnswer &answer)
    {
        Lane &of = m_lanes[lane];
        constexpr int kClientErrors = 2000; // 2006, 2013: the connection has broken
        if (answer.kind == LessonAnswer::Kind::Error && answer.error / 1000 * 1000 == kClientErrors) {
            endSession(lane);
            return;
        }
        of.transaction.add(of.sql, answer);
        change(lane, lineBehind(lane));
    }

    static QString wordOf(const TimelineStep &step)
    {
        switch (step.kind) {
        case LessonStep::Kind::Statement:
            return shortStatement(step.text);
        case LessonStep::Kind::Disconnect:
            return LessonText::tr("gone");
        case LessonStep::Kind::Kill:
            return LessonText::tr("killed");
        case LessonStep::Kind::CutOff:
            return LessonText::tr("lost");
        case LessonStep::Kind::Freeze:
            return LessonText::tr("frozen");
        case LessonStep::Kind::Thaw:
            return LessonText::tr("thawed");
        case LessonStep::Kind::Pause:
            return LessonText::tr("pause");
        case LessonStep::Kind::Await:
            break;
        }
        return u"…"_s;
    }

    static QString nameOf(const TimelineStep &step)
    {
        return step.kind == LessonStep::Kind::Statement ? step.session + u": "_s + step.text.simplified() : step.text;
    }

    QString wordsOf(const TimelineStep &step) const
    {
        QString words = u"%1. "_s.arg(m_column + 1) + nameOf(step);
        if (step.kind == LessonStep::Kind::Statement)
            words += u": "_s + LessonText::answer(step.outcome.answer);
        words = (QStringList(words) + LessonText::freed(step.outcome)).join(u"; "_s);
        return CommonText::note(words.toUtf8()); // a value may contain anything
    }

    Timeline m_made;
    QList<Lane> m_lanes; ///< those of m_made
    qsizetype m_column = 0;
};

} // namespace

QString shortStatement(const QString &sql)
{
    static const QRegularExpression named(
        u"\\b(GET_LOCK|RELEASE_LOCK|RELEASE_ALL_LOCKS|IS_FREE_LOCK|IS_USED_LOCK)\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression locking(u"\\b(FOR\\s+UPDATE|FOR\\s+SHARE|SHARE\\s+MODE)\\b"_s,
                                            QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression first(u"(XA\\s+)?[A-Za-z_]+"_s, QRegularExpression::CaseInsensitiveOption);
    if (beginsWith(sql, u"SELECT|DO|SET|WITH"_s)) {
        for (const QRegularExpression &part : {named, locking}) {
            if (const auto match = part.match(sql); match.hasMatch())
                return match.captured().toUpper().simplified();
        }
    }
    static const QRegularExpression comments(u"/\\*.*?\\*/|--\\s[^\\n]*"_s,
                                             QRegularExpression::DotMatchesEverythingOption);
    QString text = sql;
    return first.match(text.remove(comments)).captured().toUpper().simplified();
}

Timeline timelineOf(const QStringList &sessions, const QList<TimelineStep> &played, const QList<TimelineStep> &ahead)
{
    Maker maker(sessions);
    for (const TimelineStep &step : played)
        maker.add(step);
    for (const TimelineStep &step : ahead)
        maker.addAhead(step);
    return maker.take();
}

Timeline timelineOf(const QStringList &sessions, const QList<LessonMoment> &moments, const QList<LessonStep> &left)
{
    const auto stepOf = [](const LessonStep &step) {
        return TimelineStep{step.session, LessonText::step(step), step.kind};
    };
    QList<TimelineStep> played;
    for (const LessonMoment &moment : moments) {
        TimelineStep step = stepOf(moment.step);
        step.outcome = moment.result.outcome;
        step.waiting = moment.waiting;
        played.append(step);
    }
    QList<TimelineStep> ahead;
    for (const LessonStep &step : left)
        ahead.append(stepOf(step));
    return timelineOf(sessions, played, ahead);
}

} // namespace lockscope::ui
