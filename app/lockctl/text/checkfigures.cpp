// SPDX-License-Identifier: MIT
#include "checkfigures.h"

#include "console/duration.h"
#include "terminal/output.h"
#include "waitstext.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

QString word(CheckState state)
{
    switch (state) {
    case CheckState::Ok:
        return u"OK"_s;
    case CheckState::Warning:
        return u"WARNING"_s;
    case CheckState::Critical:
        return u"CRITICAL"_s;
    case CheckState::Unknown:
        break;
    }
    return u"UNKNOWN"_s;
}

/// No '|': what follows it are numbers.
QString toLine(CheckState state, QString text)
{
    text.replace(u'\n', u' ');
    return word(state) + u" - "_s + text.replace(u'|', u'/');
}

/// The longest of what is known; none: of something, and nothing is known.
std::optional<Microseconds> known(Microseconds longest, int untold)
{
    return untold == 0 || longest > Microseconds::zero() ? std::optional(longest) : std::nullopt;
}

/// As the guidelines for monitoring plugins want it: "U" for what could not be found out.
QString figure(const std::optional<Microseconds> &time)
{
    return time ? QString::number(double(time->count()) / 1e6, 'f', 1) + u's' : u"U"_s;
}

QString seconds(const std::optional<Duration> &time)
{
    return time ? QString::number(double(time->count()) / 1e6, 'g', 15) : QString();
}

QString numbers(const CheckFigures &figures, const WaitLimits &limits)
{
    return u"wait=%1;%2;%3;0 queue=%4;;%5;0 held=%6;;%7;0"_s.arg(
        figure(known(figures.wait, figures.waitsUntold)), seconds(limits.warn), seconds(limits.maxWait),
        QString::number(figures.queue), limits.maxQueue ? QString::number(*limits.maxQueue) : QString(),
        figure(known(figures.held, figures.heldUntold)), seconds(limits.maxHeld));
}

/// Whether somebody waits whom no limit judges.
bool isWaitUnjudged(const CheckFigures &figures, const WaitLimits &limits)
{
    return figures.waitsUntold > 0 && !limits.maxQueue;
}

QJsonValue toJson(const std::optional<Microseconds> &time)
{
    return time ? QJsonValue(milliseconds(*time)) : QJsonValue();
}

QJsonObject toJson(CheckState state, const QString &text)
{
    return {{u"state"_s, word(state).toLower()}, {u"text"_s, text},           {u"waitMs"_s, QJsonValue()},
            {u"queue"_s, QJsonValue()},          {u"heldMs"_s, QJsonValue()}, {u"heldBy"_s, QJsonValue()}};
}

} // namespace

bool isBad(CheckState state)
{
    return state == CheckState::Warning || state == CheckState::Critical;
}

CheckState stateOf(const CheckFigures &figures, const WaitLimits &limits)
{
    const bool isCritical = (limits.maxWait && figures.wait > *limits.maxWait)
        || (limits.maxQueue && figures.queue > *limits.maxQueue) || (limits.maxHeld && figures.held > *limits.maxHeld);
    if (isCritical)
        return CheckState::Critical;
    if (limits.warn && figures.wait > *limits.warn)
        return CheckState::Warning;
    return isWaitUnjudged(figures, limits) ? CheckState::Unknown : CheckState::Ok;
}

CheckResult checkResult(CheckState state, const QString &text, const CheckFigures &figures, const WaitLimits &limits,
                        const QJsonValue &heldBy)
{
    QJsonObject json = toJson(state, text);
    json[u"waitMs"_s] = toJson(known(figures.wait, figures.waitsUntold));
    json[u"queue"_s] = figures.queue;
    json[u"heldMs"_s] = toJson(known(figures.held, figures.heldUntold));
    json[u"heldBy"_s] = heldBy;
    return {state, toLine(state, text) + u'|' + numbers(figures, limits), json};
}

QString waitingText(const CheckFigures &figures, const QString &one, const QString &many)
{
    const QString waiting = counted(figures.queue, one, many);
    const auto longest = known(figures.wait, figures.waitsUntold);
    return longest ? waiting + u", the longest for "_s + formatCoarseDuration(*longest) : waiting;
}

QString untoldWaits(const CheckFigures &figures, const WaitLimits &limits, const QString &waiting)
{
    if (figures.waitsUntold == 0)
        return {};
    return u"how long "_s + waiting
        + (isWaitUnjudged(figures, limits) ? u" (--max-queue judges how many wait)"_s : QString());
}

QString untoldHolds(const WaitLimits &limits, int untold, const QString &one, const QString &many)
{
    return limits.maxHeld && untold > 0 ? u"since when "_s + counted(untold, one, many) : QString();
}

QString untoldHoldsOfOthers(const WaitLimits &limits, int untold)
{
    return untoldHolds(limits, untold, u"lock of other programs is held"_s, u"locks of other programs are held"_s);
}

QString notSeen(QStringList what)
{
    what.removeAll(QString());
    return what.isEmpty() ? QString() : u"; not seen: "_s + what.join(u", "_s);
}

CheckResult unknownCheck(const QString &why)
{
    return {CheckState::Unknown, toLine(CheckState::Unknown, why), toJson(CheckState::Unknown, why)};
}

} // namespace lockscope::ctl
