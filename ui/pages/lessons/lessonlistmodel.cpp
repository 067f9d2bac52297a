// SPDX-License-Identifier: MIT
#include "lessonlistmodel.h"

#include "lessontext.h"
#include "ui/style/statemark.h"
#include "ui/text/commontext.h"
#include "ui/widgets/roles.h"

#include <QtCore/QSettings>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr auto kPlayedKey = "lessons/played";

/// With those of its claims: whoever finds one of these finds its lesson.
QString wordsOf(const Lesson &lesson)
{
    QStringList words{lesson.id, lesson.title, lesson.summary, lesson.level, lesson.tags.join(u' ')};
    for (const LessonClaim &claim : lesson.claims)
        words += LessonText::claimWords(claim);
    return words.join(u'\n');
}

} // namespace

LessonListModel::LessonListModel(QObject *parent)
    : HeadedModel({{tr("#"), Qt::AlignRight, tr("Its place in the course")}, {tr("Lesson")}, {tr("Level")}}, parent)
{
}

void LessonListModel::load(const QString &language)
{
    if (!m_lessons.isEmpty())
        return;
    QList<Lesson> lessons;
    for (const QString &id : lessonIds()) {
        const auto lesson = libraryLesson(id, language);
        if (const auto *found = std::get_if<Lesson>(&lesson))
            lessons.append(*found);
    }
    const QStringList played = QSettings().value(QLatin1String(kPlayedKey)).toStringList();
    m_played = QSet<QString>(played.cbegin(), played.cend());
    beginInsertRows({}, 0, int(lessons.size()) - 1);
    m_lessons = lessons;
    endInsertRows();
}

int LessonListModel::rowOf(const QString &id) const
{
    const auto found =
        std::find_if(m_lessons.cbegin(), m_lessons.cend(), [&id](const Lesson &lesson) { return lesson.id == id; });
    return found == m_lessons.cend() ? -1 : int(found - m_lessons.cbegin());
}

void LessonListModel::setPlayed(const QString &id)
{
    const int row = rowOf(id);
    if (row < 0 || m_played.contains(id))
        return;
    m_played.insert(id);
    QSettings().setValue(QLatin1String(kPlayedKey), QStringList(m_played.cbegin(), m_played.cend()));
    Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

QString LessonListModel::progress() const
{
    int all = 0;
    int played = 0;
    for (const Lesson &lesson : m_lessons) {
        all += lesson.course > 0 ? 1 : 0;
        played += lesson.course > 0 && m_played.contains(lesson.id) ? 1 : 0;
    }
    return all == 0 ? QString() : tr("%1 of %2 of the course played").arg(played).arg(all);
}

int LessonListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_lessons.size());
}

QString LessonListModel::text(const Lesson &lesson, int column) const
{
    switch (column) {
    case Number:
        return lesson.course > 0 ? QString::number(lesson.course) : QString();
    case Title:
        return lesson.title;
    default:
        return lesson.level == "basic"_L1 ? tr("basic") : lesson.level == "medium"_L1 ? tr("medium") : tr("deep");
    }
}

QVariant LessonListModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Lesson &lesson = m_lessons[index.row()];
    const bool isPlayed = m_played.contains(lesson.id);
    switch (role) {
    case Qt::DisplayRole:
        return text(lesson, index.column());
    case Qt::TextAlignmentRole:
        return alignmentOf(index.column());
    case Qt::ToolTipRole:
        return CommonText::tip(isPlayed ? tr("%1 (played)").arg(lesson.summary) : lesson.summary);
    case MarkRole:
        return index.column() == Title && isPlayed ? int(Mark::Released) : QVariant();
    case SearchRole:
        return wordsOf(lesson);
    default:
        return {};
    }
}

} // namespace lockscope::ui
