// SPDX-License-Identifier: MIT
#include "lessonflow.h"

#include "lessonexpectation.h"

#include <QtCore/QMap>
#include <QtCore/QRegularExpression>

namespace lockscope {

namespace {

using Kind = LessonAnswer::Kind;

class Flow
{
public:
    explicit Flow(const LessonPlace &place)
        : m_place(place)
    {
    }

    /// Empty when it may follow what was before.
    QString add(const LessonStep &step)
    {
        const LessonOutcome &outcome = step.expected.at(m_place);
        const State before = m_states.value(step.session);
        m_states.insert(step.session, before); // it exists from here on
        QString reason;
        if (step.kind == LessonStep::Kind::Statement)
            reason = send(step, outcome.answer, before);
        else if (outcome.answer.kind != Kind::Ok)
            reason = QStringLiteral("this step has no answer of its own");
        for (const LessonFreed &freed : outcome.freed) {
            if (reason.isEmpty())
                reason = release(freed);
        }
        if (step.kind == LessonStep::Kind::Await && reason.isEmpty() && before == State::Ready)
            return QStringLiteral("%1 does not wait").arg(step.session);
        if (reason.isEmpty())
            befall(step);
        return reason;
    }

private:
    enum class State { Ready, Waits, MayWait };

    void befall(const LessonStep &step)
    {
        switch (step.kind) {
        case LessonStep::Kind::CutOff:
            m_cutOff += step.session;
            [[fallthrough]];
        case LessonStep::Kind::Disconnect: // another connection has this name from now on
            m_states.insert(step.session, State::Ready);
            break;
        case LessonStep::Kind::Freeze:
            m_frozen += step.session;
            break;
        case LessonStep::Kind::Thaw:
            m_frozen.removeAll(step.session);
            break;
        default:
            break;
        }
    }

    /// A session whose number the statement wants and that is not there yet.
    QString missingIn(const QString &sql) const
    {
        static const QRegularExpression place(QStringLiteral("\\{([A-Z]{1,2}\\d{0,2})\\}"));
        for (auto found = place.globalMatch(sql); found.hasNext();) {
            if (const QString name = found.next().captured(1); !m_states.contains(name))
                return name;
        }
        return {};
    }

    QString send(const LessonStep &step, const LessonAnswer &answer, State before)
    {
        if (const QString name = missingIn(step.sql); !name.isEmpty())
            return QStringLiteral("there is no session %1 yet, so {%1} has no number").arg(name);
        const bool isFrozen = m_frozen.contains(step.session);
        if (answer.kind == Kind::NotSent)
            return before == State::Ready && !isFrozen
                ? QStringLiteral("%1 does not wait, so it is sent").arg(step.session)
                : QString();
        if (isFrozen)
            return QStringLiteral("%1 stands still: it sends nothing (write \"not sent\")").arg(step.session);
        if (before == State::Waits)
            return QStringLiteral("%1 still waits: nothing can be sent to it (write \"not sent\")").arg(step.session);
        for (const QString &blocker : answer.blockers) {
            const bool isItself = blocker == step.session && !m_cutOff.contains(blocker);
            if (blocker != u"prepared" && (isItself || !m_states.contains(blocker)))
                return QStringLiteral("there is no session %1 yet that it could wait for").arg(blocker);
        }
        m_states.insert(step.session, answer.kind == Kind::Blocked ? State::Waits : State::Ready);
        return {};
    }

    QString release(const LessonFreed &freed)
    {
        if (freed.answer.kind == Kind::Blocked || freed.answer.kind == Kind::NotSent)
            return QStringLiteral("who is freed is answered: \"%1\" is no answer").arg(toString(freed.answer));
        for (const QString &session : freed.sessions) {
            if (m_states.value(session) != State::Waits && m_states.value(session) != State::MayWait)
                return QStringLiteral("%1 does not wait here, so nothing frees it").arg(session);
            m_states.insert(session, freed.sessions.size() > 1 ? State::MayWait : State::Ready);
        }
        return {};
    }

    const LessonPlace m_place;
    QMap<QString, State> m_states;
    QStringList m_cutOff;
    QStringList m_frozen;
};

QString nameOf(const LessonPlace &place)
{
    return QStringLiteral("%1, %2").arg(familyName(place.family), toString(place.isolation));
}

} // namespace

std::optional<LessonFault> checkFlow(const Lesson &lesson)
{
    for (const Family family : lesson.families) {
        for (const LessonIsolation isolation : lesson.isolations) {
            const LessonPlace place{family, {}, isolation};
            Flow flow(place);
            for (const LessonStep &step : lesson.steps) {
                if (const QString reason = flow.add(step); !reason.isEmpty())
                    return LessonFault{step.line, QStringLiteral("%1 (%2)").arg(reason, nameOf(place))};
            }
        }
    }
    return std::nullopt;
}

} // namespace lockscope
