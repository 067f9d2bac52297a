// SPDX-License-Identifier: MIT
#include "keylocktext.h"

#include "commontext.h"
#include "console/duration.h"
#include "tableprofiletext.h"

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLongValue = 160;

/// Conventions write them behind a colon or a semicolon.
QString asSentence(const QString &text)
{
    const QString told = TableProfileText::of(text);
    return told.isEmpty() ? QString() : KeyLockText::tr("%1.", "a sentence").arg(told.left(1).toUpper() + told.mid(1));
}

} // namespace

QString KeyLockText::clock(const KeyLock &lock)
{
    const KeyHolder &first = lock.holders.constFirst();
    const QString servers = tr("the server's");
    const QString holders = tr("that of the holder's machine, which may be off");
    QStringList parts;
    if (first.until || lock.until)
        parts += tr("end: %1").arg(first.until ? holders : servers);
    if (first.since)
        parts += tr("since: %1").arg(first.part.madeAt ? servers : holders);
    return parts.join(u'\n');
}

QString KeyLockText::summary(const LockRow &row, ServerTime now)
{
    const QString name = CommonText::shortened(CommonText::lock(row.key));
    const QString who = CommonText::shortened(CommonText::service(row.owner));
    const int more = int(row.keyLock->holders.size()) - 1;
    QStringList parts;
    if (more == 0)
        parts += CommonText::held(who, name, row, now);
    else if (row.acquiredAt)
        parts += tr("%1 and %n more have held %2 for %3", nullptr, more).arg(who, name, CommonText::heldFor(row, now));
    else
        parts += tr("%1 and %n more hold %2", nullptr, more).arg(who, name);
    const auto left = row.remaining(now);
    if (row.isOfSession)
        parts += tr("it ends with its session");
    else if (!left)
        parts += tr("it has no end");
    else if (left->count() > 0)
        parts += tr("it ends in %1").arg(formatDuration(*left));
    else
        parts += tr("its time was up %1 ago").arg(formatDuration(*left));
    if (row.waiters)
        parts += CommonText::waiting(row.waiters);
    return tr("%1.", "a sentence").arg(parts.join(tr("; ", "between the parts of a sentence")));
}

QStringList KeyLockText::values(const KeyLock &lock)
{
    const auto shown = [](const QByteArray &bytes) {
        return CommonText::shortened(CommonText::resource(bytes), kLongValue);
    };
    QStringList lines;
    for (const KeyHolder &holder : lock.holders) {
        const KeyPart &part = holder.part;
        lines += part.member.isEmpty() ? shown(part.value)
            : part.value.isEmpty()     ? shown(part.member)
                                       : shown(part.member) + u" = "_s + shown(part.value);
    }
    return lines;
}

QString KeyLockText::note(const KeyConvention &convention)
{
    return asSentence(convention.note);
}

QString KeyLockText::warning(const KeyConvention &convention)
{
    return asSentence(convention.release.warning);
}

QString KeyLockText::whyNotReleasable(const KeyLock &lock)
{
    const KeyConvention &convention = lock.convention;
    if (convention.isGuess)
        return tr("It is only guessed that this is a lock: a convention of yours can say what it is.");
    return convention.release.isOffered ? QString() : asSentence(convention.release.reason);
}

QString KeyLockText::waitersTip(const LockRow &row)
{
    return row.waiters ? CommonText::count(*row.waiters)
                       : tr("Its program keeps nothing on the server that tells who waits.");
}

/// Whole seconds: tenths of what is looked at every few seconds only flicker.
QString KeyLockText::ageText(std::chrono::steady_clock::time_point endedAt)
{
    return formatCoarseDuration(std::chrono::ceil<std::chrono::seconds>(std::chrono::steady_clock::now() - endedAt));
}

QString KeyLockText::age(const KeyPasses &passes)
{
    if (!passes.endedAt)
        return passes.failure.isEmpty() ? tr("other programs' keys: first look goes on")
                                        : tr("other programs' keys: not seen");
    return tr("other programs' keys: seen %1 ago").arg(ageText(*passes.endedAt));
}

QString KeyLockText::unseen(const QMap<int, KeyPasses> &passes)
{
    qint64 unreadable = 0;
    bool isCut = false;
    QStringList texts;
    for (const KeyPasses &each : passes) {
        unreadable += each.unreadable;
        isCut = isCut || each.isCut;
        if (!each.failure.isEmpty())
            texts += tr("Other programs' keys were not read: %1").arg(each.failure);
        for (const QString &fault : each.faultyConventions)
            texts += tr("A convention of yours is wrong: %1.").arg(fault);
    }
    if (isCut)
        texts.prepend(tr("Of other programs' keys only a part is listed: there are more than one look goes for."));
    if (unreadable > 0)
        texts += tr("%n keys or folders may not be read by this account, and may be or have locks.", nullptr,
                    CommonText::plural(quint64(unreadable)));
    texts.removeDuplicates();
    return texts.join(u' ');
}

} // namespace lockscope::ui
