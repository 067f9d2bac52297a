// SPDX-License-Identifier: MIT
#pragma once

#include "locks/snapshot.h"
#include "ui/style/statemark.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QString>

namespace lockscope {
struct LockError;
}

namespace lockscope::ui {

/// What the window says, in one place: words for states and moments, numbers in the locale's way.
class CommonText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::CommonText)
public:
    static QString state(LockState state) { return tr(wordsOf(state).name); }
    /// The state of a lock of its kind: "Held row".
    static QString state(const LockRow &row);
    static QString stateMeaning(LockState state) { return tr(wordsOf(state).meaning); }
    /// What that means for a lock of its kind.
    static QString stateMeaning(const LockRow &row);
    /// What a kind is and what it lacks, for where other kinds have a value.
    static QString kindMeaning(LockKind kind);
    /// What a lock has been held for at most, where the server does not tell since when: "Age of the transaction".
    static QString age(AgeOf of);
    /// For how long it is held, as far as the server tells: "4 s", "≤ 4 s", "≥ 4 s".
    static QString heldFor(const LockRow &row, ServerTime now);
    /// "billing has held orders/42 for 4 s", or "billing holds orders/42" where the server does not tell since when.
    static QString held(const QString &who, const QString &name, const LockRow &row, ServerTime now);
    /// Since when it is held, for tooltips.
    static QString since(const LockRow &row);
    /// Why this lock ends neither by itself nor with a session or a prepared transaction; empty: it does.
    static QString whyNotReleasable(const LockRow &row);
    static QString eventKind(const Event &event);
    static QString eventMeaning(const Event &event);

    /// Bytes as text. What is not text, would not be seen, or would turn the line around is shown as \xNN or \uNNNN;
    /// spaces at the ends as ␣ and loose accents as \uNNNN, so that two names that differ do not look the same.
    static QString resource(const QByteArray &bytes);
    /// "orders/42", or "pool/db · slot 3".
    static QString lock(const LockKey &key);
    /// Cut in the middle, for sentences; the whole text belongs in a tooltip.
    static QString shortened(const QString &text, int most = 48);
    /// For buttons and menus, which take an ampersand for a shortcut. After cutting.
    static QString onButton(QString text);
    static QString note(const QByteArray &bytes);
    /// What stands beside a lock; empty where nothing does.
    static QString noteOf(const LockRow &row);
    /// Of another program, which may name its host alone, that.
    static QString service(const Owner &owner);
    /// "billing on a7", or "–".
    static QString who(const Owner &owner);
    /// "billing on a7 (pid 812, thread 3)".
    static QString whoInFull(const Owner &owner);
    /// The same, or "Another program" of a lease that does not say whose it is.
    static QString holder(const LockRow &row);
    /// "a7:812/3".
    static QString process(const Owner &owner);

    static QString count(qint64 number);
    static QString token(quint64 token);
    /// "26 s", "expired 3 s ago", "no end".
    static QString countdown(const std::optional<Microseconds> &remaining);
    static QString duration(const std::optional<Microseconds> &duration);
    /// "10:31:07", with the date when it is not today; "10:31:07Z" when DisplayTimeZone is UTC.
    static QString moment(ServerTime time);
    /// With milliseconds, date and zone, for tooltips.
    static QString exactMoment(const std::optional<ServerTime> &time);
    /// The sentence over the inspector: who has held what for how long, and what follows.
    static QString summary(const LockRow &row, ServerTime now);
    /// "nobody waits", "3 wait".
    static QString waiting(const std::optional<int> &waiters);
    /// "The engine's lock tables are not installed in this schema: only …"; no failure, most servers have none. `why`
    /// is an error of which isWithoutLockTables() is true; one that no server told (code 0) is that of a recording.
    static QString withoutTables(const LockError &why, const QString &consequence);
    /// Why waiters are not known and what grants it.
    static QString whyWaitersUnknown();
    /// "37 %", "–" for none.
    static QString percent(const std::optional<double> &share);
    /// What a text with a form for one takes, of a number that may be larger than that.
    static int plural(quint64 number);
    /// "12 commits, 3 conflicts".
    static QString counts(const AttemptCounts &counts);
    /// What the server said, for the small print under an error; empty where it said nothing.
    static QString serverWords(const LockError &error);

    /// For setToolTip: a tool tip takes text that looks like HTML for HTML, and names may contain anything.
    static QString tip(const QString &text);

    static QString none(); ///< "–"

private:
    struct Words
    {
        const char *name;
        const char *meaning;
    };
    static QString ofTransaction(const QString &name);
    static Words wordsOf(LockState state);
    static Words wordsOf(Event::Kind kind);
    static Words wordsOf(const Event &event);
    static QString lasts(LockKind kind);
    static QString attemptsSummary(const LockRow &row);
};

} // namespace lockscope::ui
