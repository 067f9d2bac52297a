// SPDX-License-Identifier: MIT
#include "lessonexpectation.h"

#include <QtCore/QLocale>
#include <QtCore/QRegularExpression>

#include <algorithm>

namespace lockscope {

namespace {

using Kind = LessonAnswer::Kind;

/// Parts between `separator`s that are in no parentheses, trimmed.
QStringList splitOutside(const QString &text, QChar separator)
{
    QStringList parts(1);
    int depth = 0;
    for (const QChar c : text) {
        depth += (c == u'(') - (c == u')');
        if (c == separator && depth == 0)
            parts += QString();
        else
            parts.back() += c;
    }
    for (QString &part : parts)
        part = part.trimmed();
    return parts;
}

QRegularExpressionMatch whole(const QString &text, const char *pattern)
{
    return QRegularExpression(QRegularExpression::anchoredPattern(QLatin1String(pattern))).match(text);
}

QStringList sessionsIn(const QString &text, QString *reason)
{
    QStringList found = text.split(QRegularExpression(QStringLiteral("(, | and | )")), Qt::SkipEmptyParts);
    for (const QString &name : std::as_const(found)) {
        if (!isLessonSession(name))
            *reason = QStringLiteral("\"%1\" is no name of a session: use A, B, C …").arg(name);
    }
    found.sort();
    return found;
}

std::optional<LessonAnswer> blockedAnswer(const QString &text, QString *reason)
{
    const auto match = whole(text, "blocks on (prepared|[A-Z0-9, and]+?)(?: \\((row|table|metadata|user lock)\\))?");
    if (!match.hasMatch()) {
        *reason = QStringLiteral("write \"blocks on A\" or \"blocks on A, B (row|table|metadata|user lock)\"");
        return std::nullopt;
    }
    LessonAnswer answer{Kind::Blocked};
    if (match.captured(1) == u"prepared")
        answer.blockers = {match.captured(1)};
    else
        answer.blockers = sessionsIn(match.captured(1), reason);
    answer.on = match.captured(2);
    return reason->isEmpty() ? std::optional(answer) : std::nullopt;
}

std::optional<LessonAnswer> answerOf(const QString &text, QString *reason)
{
    if (text == u"any")
        return LessonAnswer{Kind::Anything};
    if (text == u"not sent")
        return LessonAnswer{Kind::NotSent};
    if (text.startsWith(u"blocks"))
        return blockedAnswer(text, reason);
    if (const auto match = whole(text, "ok(?: (\\d{1,18}))?(?: id (\\d{1,18}))?"); match.hasMatch()) {
        LessonAnswer answer{Kind::Ok};
        if (match.hasCaptured(1))
            answer.changed = match.captured(1).toLongLong();
        if (match.hasCaptured(2))
            answer.insertId = match.captured(2).toULongLong();
        return answer;
    }
    if (const auto match = whole(text, "error(?: (\\d{1,5}))?"); match.hasMatch()) {
        LessonAnswer answer{Kind::Error};
        answer.error = match.captured(1).toInt();
        return answer;
    }
    if (const auto match = whole(text, "rows(?: (none)| \\((.*)\\))?"); match.hasMatch()) {
        LessonAnswer answer{Kind::Rows};
        if (match.hasCaptured(1))
            answer.rows = QStringList();
        else if (match.hasCaptured(2))
            answer.rows = match.captured(2).split(QStringLiteral(") ("));
        return answer;
    }
    *reason = QStringLiteral("\"%1\" is no answer: write ok, ok 1, ok 1 id 3, rows, rows none, rows (1, a) (2, b), "
                             "blocks on A, error 1213, not sent or any")
                  .arg(text);
    return std::nullopt;
}

std::optional<LessonFreed> freedOf(const QString &text, QString *reason)
{
    const auto match = whole(text, "(?:unblocks ([A-Z]+\\d*)|one of ([A-Z0-9 ]+))(?:: (.*))?");
    if (!match.hasMatch()) {
        *reason = QStringLiteral("\"%1\": write \"unblocks B\", \"unblocks B: ok 1\" or \"one of B C: error 1213\"")
                      .arg(text);
        return std::nullopt;
    }
    LessonFreed freed;
    freed.sessions = sessionsIn(match.captured(1) + match.captured(2), reason);
    if (match.hasCaptured(3)) {
        const auto answer = answerOf(match.captured(3), reason);
        freed.answer = answer.value_or(LessonAnswer{});
    }
    return reason->isEmpty() ? std::optional(freed) : std::nullopt;
}

std::optional<LessonOutcome> outcomeOf(const QString &text, QString *reason)
{
    QStringList parts = splitOutside(text, u';');
    const auto answer = answerOf(parts.takeFirst(), reason);
    if (!answer)
        return std::nullopt;
    LessonOutcome outcome{*answer, {}};
    for (const QString &part : std::as_const(parts)) {
        const auto freed = freedOf(part, reason);
        if (!freed)
            return std::nullopt;
        outcome.freed += *freed;
    }
    return outcome;
}

std::optional<LessonCondition> conditionOf(const QString &text, QString *reason)
{
    LessonCondition condition;
    for (const QString &word : text.split(u' ', Qt::SkipEmptyParts)) {
        if (const auto match = whole(word, "(mariadb|mysql)(?:>=(\\d+(?:\\.\\d+)*))?"); match.hasMatch()) {
            condition.family = match.captured(1) == u"mysql" ? Family::MySql : Family::MariaDb;
            condition.atLeast = QVersionNumber::fromString(match.captured(2));
        } else if (const auto isolation = lessonIsolation(word)) {
            condition.isolation = isolation;
        } else {
            *reason =
                QStringLiteral("\"%1\" is no place: write mariadb, mysql, mariadb>=11.8, rr, rc, ru or ser").arg(word);
            return std::nullopt;
        }
    }
    return condition;
}

QString toString(const LessonFreed &freed, RowsTold rows)
{
    const QString who = freed.sessions.size() == 1 ? QStringLiteral("unblocks %1").arg(freed.sessions.first())
                                                   : QStringLiteral("one of %1").arg(freed.sessions.join(u' '));
    return freed.answer.kind == Kind::Anything ? who : who + QStringLiteral(": ") + toString(freed.answer, rows);
}

QString toString(const LessonCondition &condition)
{
    QStringList words;
    if (condition.family)
        words += *condition.family == Family::MySql ? QStringLiteral("mysql") : QStringLiteral("mariadb");
    if (!condition.atLeast.isNull())
        words.back() += QStringLiteral(">=") + condition.atLeast.toString();
    if (condition.isolation)
        words += toString(*condition.isolation);
    return words.join(u' ');
}

QString rowsText(const LessonAnswer &answer, RowsTold told)
{
    if (!answer.rows)
        return QStringLiteral("rows");
    if (answer.rows->isEmpty())
        return QStringLiteral("rows none");
    const qsizetype most = told == RowsTold::All ? answer.rows->size() : kMaxShownRows;
    const QStringList shown = answer.rows->first(std::min(most, answer.rows->size()));
    const QString text = QStringLiteral("rows (%1)").arg(shown.join(QStringLiteral(") (")));
    const qint64 all = answer.rows->size() + answer.moreRows;
    return all == shown.size() ? text
                               : text
            + QStringLiteral(" … %1 rows, the first %2 shown")
                  .arg(QLocale(QLocale::English).toString(all))
                  .arg(shown.size());
}

/// Of those that were freed, the one that `expected` means; takes it away.
bool takeFreed(const LessonFreed &expected, QList<LessonFreed> *seen)
{
    const auto found = std::ranges::find_if(*seen, [&expected](const LessonFreed &each) {
        return expected.sessions.contains(each.sessions.value(0)) && agrees(expected.answer, each.answer);
    });
    if (found == seen->end())
        return false;
    seen->erase(found);
    return true;
}

} // namespace

bool isLessonSession(const QString &name)
{
    return whole(name, "[A-Z]{1,2}\\d{0,2}").hasMatch();
}

std::optional<LessonExpectation> lessonExpectation(const QString &text, QString *reason)
{
    reason->clear();
    QStringList parts = splitOutside(text, u'|');
    const auto usual = outcomeOf(parts.takeFirst(), reason);
    if (!usual)
        return std::nullopt;
    LessonExpectation expectation{*usual, {}};
    for (const QString &part : std::as_const(parts)) {
        const qsizetype colon = part.indexOf(u':');
        if (colon < 0) {
            *reason = QStringLiteral("\"%1\": write where it is so, as in \"| mysql rr: ok 1\"").arg(part);
            return std::nullopt;
        }
        const auto condition = conditionOf(part.left(colon), reason);
        const auto outcome = condition ? outcomeOf(part.mid(colon + 1).trimmed(), reason) : std::nullopt;
        if (!outcome)
            return std::nullopt;
        expectation.instead.append({*condition, *outcome});
    }
    return expectation;
}

QString toString(const LessonAnswer &answer, RowsTold rows)
{
    switch (answer.kind) {
    case Kind::Anything:
        return QStringLiteral("any");
    case Kind::NotSent:
        return QStringLiteral("not sent");
    case Kind::Error:
        return answer.error ? QStringLiteral("error %1").arg(answer.error) : QStringLiteral("error");
    case Kind::Blocked: {
        const QString text = QStringLiteral("blocks on ") + answer.blockers.join(QStringLiteral(", "));
        return answer.on.isEmpty() ? text : text + QStringLiteral(" (%1)").arg(answer.on);
    }
    case Kind::Rows:
        return rowsText(answer, rows);
    case Kind::Ok: {
        QString text = QStringLiteral("ok");
        if (answer.changed)
            text += QStringLiteral(" %1").arg(*answer.changed);
        if (answer.insertId)
            text += QStringLiteral(" id %1").arg(*answer.insertId);
        return text;
    }
    }
    return {};
}

QString toString(const LessonOutcome &outcome, RowsTold rows)
{
    QStringList parts{toString(outcome.answer, rows)};
    for (const LessonFreed &freed : outcome.freed)
        parts += toString(freed, rows);
    return parts.join(QStringLiteral("; "));
}

QString toString(const LessonExpectation &expectation)
{
    QStringList parts{toString(expectation.outcome)};
    for (const auto &[condition, outcome] : expectation.instead)
        parts += toString(condition) + QStringLiteral(": ") + toString(outcome);
    return parts.join(QStringLiteral(" | "));
}

bool agrees(const LessonAnswer &expected, const LessonAnswer &seen)
{
    if (expected.kind == Kind::Anything)
        return seen.kind != Kind::Blocked && seen.kind != Kind::NotSent;
    return expected.kind == seen.kind && (!expected.changed || expected.changed == seen.changed)
        && (!expected.insertId || expected.insertId == seen.insertId)
        && (!expected.rows || (expected.rows == seen.rows && expected.moreRows == seen.moreRows))
        && expected.blockers == seen.blockers && (expected.on.isEmpty() || expected.on == seen.on)
        && (expected.error == 0 || expected.error == seen.error);
}

bool agrees(const LessonOutcome &expected, const LessonOutcome &seen)
{
    if (!agrees(expected.answer, seen.answer))
        return false;
    // The exact ones first, so that "one of" takes what is left.
    QList<LessonFreed> order = expected.freed;
    std::ranges::stable_sort(order, {}, [](const LessonFreed &each) { return each.sessions.size(); });
    QList<LessonFreed> left = seen.freed;
    return std::ranges::all_of(order, [&left](const LessonFreed &each) { return takeFreed(each, &left); })
        && left.isEmpty();
}

} // namespace lockscope
