// SPDX-License-Identifier: MIT
#include "lessonscore.h"

#include <QtCore/QMap>
#include <QtCore/QSettings>

#include <numeric>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr auto kAsked = "lessons/score/asked";
constexpr auto kRight = "lessons/score/right";
constexpr auto kAgain = "lessons/again"; ///< "ghost-stock#0"

/// Those of the library. A lesson says the same ones in each language.
constexpr const char *kTopics[] = {
    QT_TRANSLATE_NOOP("lockscope::ui::LessonScore", "clock"),
    QT_TRANSLATE_NOOP("lockscope::ui::LessonScore", "deadlock"),
    QT_TRANSLATE_NOOP("lockscope::ui::LessonScore", "errors"),
    QT_TRANSLATE_NOOP("lockscope::ui::LessonScore", "fairness"),
    QT_TRANSLATE_NOOP("lockscope::ui::LessonScore", "fencing"),
    QT_TRANSLATE_NOOP("lockscope::ui::LessonScore", "gap lock"),
    QT_TRANSLATE_NOOP("lockscope::ui::LessonScore", "lost update"),
    QT_TRANSLATE_NOOP("lockscope::ui::LessonScore", "metadata lock"),
    QT_TRANSLATE_NOOP("lockscope::ui::LessonScore", "optimiser"),
    QT_TRANSLATE_NOOP("lockscope::ui::LessonScore", "optimistic"),
    QT_TRANSLATE_NOOP("lockscope::ui::LessonScore", "release"),
    QT_TRANSLATE_NOOP("lockscope::ui::LessonScore", "snapshot"),
    QT_TRANSLATE_NOOP("lockscope::ui::LessonScore", "time to live"),
    QT_TRANSLATE_NOOP("lockscope::ui::LessonScore", "transaction"),
    QT_TRANSLATE_NOOP("lockscope::ui::LessonScore", "unique key"),
    QT_TRANSLATE_NOOP("lockscope::ui::LessonScore", "user lock"),
    QT_TRANSLATE_NOOP("lockscope::ui::LessonScore", "waiting"),
};

QString topicName(const QString &topic)
{
    for (const char *known : kTopics) {
        if (topic == QLatin1String(known))
            return LessonScore::tr(known);
    }
    return topic;
}

QMap<QString, int> countsOf(const char *group)
{
    QSettings settings;
    settings.beginGroup(QLatin1String(group));
    QMap<QString, int> counts;
    for (const QString &topic : settings.childKeys())
        counts.insert(topic, settings.value(topic).toInt());
    return counts;
}

int sumOf(const char *group)
{
    const QList<int> counts = countsOf(group).values();
    return std::accumulate(counts.cbegin(), counts.cend(), 0);
}

void count(const char *group, const QString &topic)
{
    QSettings settings;
    const QString key = QLatin1String(group) + u'/' + topic;
    settings.setValue(key, settings.value(key).toInt() + 1);
}

QString entryOf(const LessonScore::Question &question)
{
    return u"%1#%2"_s.arg(question.lesson).arg(question.number);
}

} // namespace

void LessonScore::keep(const Question &question, const QString &topic, bool isRight)
{
    count(kAsked, topic);
    if (isRight)
        count(kRight, topic);
    forget(question);
    if (isRight)
        return;
    QSettings settings;
    QStringList entries = settings.value(QLatin1String(kAgain)).toStringList();
    settings.setValue(QLatin1String(kAgain), entries << entryOf(question));
}

QString LessonScore::total()
{
    const int asked = sumOf(kAsked);
    return asked == 0 ? QString() : tr("%1 of %2 foreseen").arg(sumOf(kRight)).arg(asked);
}

QStringList LessonScore::byTopic()
{
    const QMap<QString, int> asked = countsOf(kAsked);
    const QMap<QString, int> right = countsOf(kRight);
    QStringList lines;
    for (auto topic = asked.cbegin(); topic != asked.cend(); ++topic)
        lines += tr("%1: %2 of %3").arg(topicName(topic.key())).arg(right.value(topic.key())).arg(topic.value());
    return lines;
}

QList<LessonScore::Question> LessonScore::again()
{
    QList<Question> questions;
    for (const QString &entry : QSettings().value(QLatin1String(kAgain)).toStringList())
        questions.append({entry.section(u'#', 0, -2), entry.section(u'#', -1).toInt()});
    return questions;
}

void LessonScore::forget(const Question &question)
{
    QSettings settings;
    QStringList entries = settings.value(QLatin1String(kAgain)).toStringList();
    if (entries.removeAll(entryOf(question)) > 0)
        settings.setValue(QLatin1String(kAgain), entries);
}

} // namespace lockscope::ui
