// SPDX-License-Identifier: MIT
#include "lessonlistmodel.h"

#include "lessonfiles.h"
#include "lessons/lessonlibrary.h"
#include "lessontext.h"
#include "ui/style/statemark.h"
#include "ui/text/commontext.h"
#include "ui/widgets/roles.h"

#include <QtCore/QFileInfo>
#include <QtCore/QSettings>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr auto kPlayedKey = "lessons/played";

} // namespace

LessonListModel::LessonListModel(QObject *parent)
    : HeadedModel({{tr("#"), Qt::AlignRight, tr("Its place in the course, or that it is one of your own")},
                   {tr("Lesson")},
                   {tr("Level")}},
                  parent)
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
    QList<LessonFile> files;
    for (const QString &path : LessonFiles::paths())
        files += LessonFiles::read(path);
    beginInsertRows({}, 0, int(files.size() + lessons.size()) - 1);
    m_files = files;
    m_lessons = lessons;
    endInsertRows();
}

QString LessonListModel::own()
{
    return tr("own", "Who has written a lesson");
}

const Lesson &LessonListModel::lesson(int row) const
{
    static const Lesson none;
    if (row >= m_files.size())
        return m_lessons[row - m_files.size()];
    const auto *lesson = std::get_if<Lesson>(&m_files[row].lesson);
    return lesson ? *lesson : none;
}

QString LessonListModel::key(int row) const
{
    return row < m_files.size() ? m_files[row].path : lesson(row).id;
}

int LessonListModel::rowOf(const QString &key) const
{
    for (int row = 0; row < rowCount(); ++row) {
        if (this->key(row) == key)
            return row;
    }
    return -1;
}

int LessonListModel::setFile(const LessonFile &file)
{
    const int row = rowOf(file.path);
    if (row >= 0) {
        m_files[row] = file;
        Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
        return row;
    }
    const int last = int(m_files.size());
    beginInsertRows({}, last, last);
    m_files += file;
    endInsertRows();
    return last;
}

void LessonListModel::removeFile(const QString &path)
{
    const int row = rowOf(path);
    if (row < 0 || row >= m_files.size())
        return;
    beginRemoveRows({}, row, row);
    m_files.removeAt(row);
    endRemoveRows();
}

void LessonListModel::setPlayed(const QString &key)
{
    const int row = rowOf(key);
    if (row < 0 || m_played.contains(key))
        return;
    m_played.insert(key);
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
    return parent.isValid() ? 0 : int(m_files.size() + m_lessons.size());
}

/// A file that cannot be played is known by its name.
QString LessonListModel::titleOf(int row) const
{
    const LessonFile *own = file(row);
    if (!own || !own->fault())
        return lesson(row).title;
    const QString name = CommonText::note(QFileInfo(own->path).fileName().toUtf8());
    return LessonFiles::isGone(own->path) ? tr("%1: gone").arg(name) : tr("%1: faulty").arg(name);
}

QString LessonListModel::text(int row, int column) const
{
    const Lesson &lesson = this->lesson(row);
    switch (column) {
    case Number:
        return file(row) ? own() : lesson.course > 0 ? QString::number(lesson.course) : QString();
    case Title:
        return titleOf(row);
    default:
        if (lesson.level.isEmpty())
            return {}; // it is faulty
        return lesson.level == "basic"_L1 ? tr("basic") : lesson.level == "medium"_L1 ? tr("medium") : tr("deep");
    }
}

QString LessonListModel::tipOf(int row) const
{
    const LessonFile *own = file(row);
    QStringList lines;
    if (own && own->fault())
        lines += own->fault()->reason;
    else
        lines += m_played.contains(key(row)) ? tr("%1 (played)").arg(lesson(row).summary) : lesson(row).summary;
    if (own)
        lines += own->path;
    return CommonText::tip(lines.join(u'\n'));
}

QVariant LessonListModel::markOf(int row) const
{
    if (file(row) && file(row)->fault())
        return int(Mark::Alarm);
    return m_played.contains(key(row)) ? int(Mark::Released) : QVariant();
}

/// With those of its claims: whoever finds one of these finds its lesson.
QString LessonListModel::wordsOf(int row) const
{
    const Lesson &lesson = this->lesson(row);
    QStringList words{key(row), titleOf(row), lesson.id, lesson.summary, lesson.level, lesson.tags.join(u' ')};
    if (file(row))
        words += own();
    for (const LessonClaim &claim : lesson.claims)
        words += LessonText::claimWords(claim);
    return words.join(u'\n');
}

QVariant LessonListModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(index.row(), index.column());
    case Qt::TextAlignmentRole:
        return alignmentOf(index.column());
    case Qt::ToolTipRole:
        return tipOf(index.row());
    case MarkRole:
        return index.column() == Title ? markOf(index.row()) : QVariant();
    case SearchRole:
        return wordsOf(index.row());
    default:
        return {};
    }
}

} // namespace lockscope::ui
