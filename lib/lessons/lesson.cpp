// SPDX-License-Identifier: MIT
#include "lesson.h"

#include <QtCore/QRegularExpression>

#include <algorithm>

namespace lockscope {

namespace {

struct IsolationName
{
    LessonIsolation isolation;
    const char *name;
    const char *sql;
};
constexpr IsolationName kIsolations[] = {
    {LessonIsolation::ReadUncommitted, "ru", "READ UNCOMMITTED"},
    {LessonIsolation::ReadCommitted, "rc", "READ COMMITTED"},
    {LessonIsolation::RepeatableRead, "rr", "REPEATABLE READ"},
    {LessonIsolation::Serializable, "ser", "SERIALIZABLE"},
};

struct FaultName
{
    LessonStep::Kind kind;
    const char *word;
};
constexpr FaultName kFaults[] = {
    {LessonStep::Kind::Disconnect, "disconnects"}, {LessonStep::Kind::Kill, "is killed"},
    {LessonStep::Kind::CutOff, "is cut off"},      {LessonStep::Kind::Freeze, "freezes"},
    {LessonStep::Kind::Thaw, "goes on"},
};

const IsolationName &nameOf(LessonIsolation isolation)
{
    return *std::ranges::find(kIsolations, isolation, &IsolationName::isolation);
}

} // namespace

QString scenarioOf(const QString &link)
{
    return link.section(u'/', 0, 0);
}

QString modeOf(const QString &link)
{
    return link.section(u'/', 1);
}

QString toString(LessonIsolation isolation)
{
    return QLatin1String(nameOf(isolation).name);
}

std::optional<LessonIsolation> lessonIsolation(const QString &text)
{
    for (const IsolationName &each : kIsolations) {
        if (text.compare(QLatin1String(each.name), Qt::CaseInsensitive) == 0)
            return each.isolation;
    }
    return std::nullopt;
}

QString sqlName(LessonIsolation isolation)
{
    return QLatin1String(nameOf(isolation).sql);
}

bool LessonCondition::holds(const LessonPlace &place) const
{
    return (!family || *family == place.family) && (atLeast.isNull() || place.version >= atLeast)
        && (!isolation || *isolation == place.isolation);
}

const LessonOutcome &LessonExpectation::at(const LessonPlace &place) const
{
    const LessonOutcome *found = &outcome;
    for (const auto &[condition, other] : instead) {
        if (condition.holds(place))
            found = &other;
    }
    return *found;
}

QString LessonStep::toString() const
{
    switch (kind) {
    case Kind::Statement:
        return sql;
    case Kind::Pause:
        return QStringLiteral("%1 s go by").arg(double(pause.count()) / 1000);
    case Kind::Await:
        return QStringLiteral("wait until %1 is answered").arg(session);
    default:
        return session + u' ' + faultWord(kind);
    }
}

QString withoutEnd(const QString &sql)
{
    const QString text = sql.trimmed();
    return text.endsWith(u';') ? text.chopped(1) : text;
}

bool beginsWith(const QString &sql, const QString &words)
{
    const QRegularExpression at(QStringLiteral("^(\\s|\\(|/\\*.*?\\*/|--\\s[^\\n]*\\n)*(%1)\\b").arg(words),
                                QRegularExpression::CaseInsensitiveOption
                                    | QRegularExpression::DotMatchesEverythingOption);
    return at.match(sql).hasMatch();
}

QString faultWord(LessonStep::Kind kind)
{
    const auto *found = std::ranges::find(kFaults, kind, &FaultName::kind);
    return found == std::end(kFaults) ? QString() : QString(QLatin1String(found->word));
}

std::optional<LessonStep::Kind> lessonFault(const QString &word)
{
    const auto *found =
        std::ranges::find_if(kFaults, [&word](const FaultName &each) { return word == QLatin1String(each.word); });
    return found == std::end(kFaults) ? std::nullopt : std::optional(found->kind);
}

QStringList Lesson::sessions() const
{
    QStringList found;
    for (const LessonStep &step : steps) {
        if (!step.session.isEmpty() && !found.contains(step.session))
            found += step.session;
    }
    return found;
}

} // namespace lockscope
