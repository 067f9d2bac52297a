// SPDX-License-Identifier: MIT
#include "lessonstepmodel.h"

#include "lessons/lessonexpectation.h"
#include "lessontext.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"

#include <QtGui/QGuiApplication>

#include <utility>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

LessonStepModel::LessonStepModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

/// Another lesson has other columns and rows: nothing is kept of the one before.
void LessonStepModel::setLesson(const Lesson &lesson)
{
    if (rowCount() > 0) {
        beginRemoveRows({}, 0, rowCount() - 1);
        m_lesson.steps.clear();
        m_moments.clear();
        endRemoveRows();
    }
    if (columnCount() > 0) {
        beginRemoveColumns({}, 0, columnCount() - 1);
        m_sessions.clear();
        endRemoveColumns();
    }
    m_lesson = lesson;
    const auto steps = std::exchange(m_lesson.steps, {});
    const QStringList sessions = lesson.sessions();
    if (!sessions.isEmpty()) {
        beginInsertColumns({}, 0, int(sessions.size()) - 1);
        m_sessions = sessions;
        endInsertColumns();
    }
    if (!steps.isEmpty()) {
        beginInsertRows({}, 0, int(steps.size()) - 1);
        m_lesson.steps = steps;
        endInsertRows();
    }
}

void LessonStepModel::begin(const LessonPlace &place)
{
    m_place = place;
    m_moments.clear();
    if (rowCount() > 0 && columnCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void LessonStepModel::add(const LessonMoment &moment)
{
    m_moments.append(moment);
    const int row = int(moment.step);
    Q_EMIT dataChanged(index(std::max(0, row - 1), 0),
                       index(row, columnCount() - 1)); // the one before is no more the last
}

bool LessonStepModel::hasDiffered() const
{
    return std::any_of(m_moments.cbegin(), m_moments.cend(), [this](const LessonMoment &moment) {
        return !agrees(m_lesson.steps.at(moment.step).expected.at(m_place), moment.result.outcome);
    });
}

int LessonStepModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_lesson.steps.size());
}

int LessonStepModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_sessions.size());
}

/// A pause is nobody's, and stands in the first lane.
QString LessonStepModel::laneOf(const LessonStep &step) const
{
    return step.session.isEmpty() ? m_sessions.value(0) : step.session;
}

LessonStepModel::Cell LessonStepModel::cellAt(qsizetype step, const QString &session) const
{
    Cell cell;
    const LessonStep &one = m_lesson.steps.at(step);
    if (laneOf(one) == session)
        cell.statement = one.toString();
    if (step < m_moments.size())
        addPlayed(&cell, m_moments.at(step), session);
    return cell;
}

void LessonStepModel::addPlayed(Cell *cell, const LessonMoment &moment, const QString &session) const
{
    const LessonStep &step = m_lesson.steps.at(moment.step);
    const LessonOutcome &seen = moment.result.outcome;
    const auto add = [cell](const QString &text, const LessonAnswer &answer) {
        cell->results += text;
        cell->isError = cell->isError || answer.kind == LessonAnswer::Kind::Error;
    };
    if (step.session == session && step.kind == LessonStep::Kind::Statement)
        add(LessonText::answer(seen.answer), seen.answer);
    for (const LessonFreed &freed : seen.freed) {
        if (freed.sessions.contains(session))
            add(LessonText::tr("goes on: %1").arg(LessonText::answer(freed.answer)), freed.answer);
    }
    cell->waits = moment.waiting.contains(session);
    if (cell->waits && cell->results.isEmpty())
        cell->results += LessonText::tr("still waits");
    const LessonOutcome &expected = step.expected.at(m_place);
    cell->differs = laneOf(step) == session && !agrees(expected, seen);
    if (cell->differs)
        cell->results += LessonText::tr("The lesson expected: %1").arg(lockscope::toString(expected));
}

QString LessonStepModel::textOf(const Cell &cell)
{
    QStringList lines;
    if (!cell.statement.isEmpty())
        lines += cell.statement;
    for (const QString &result : cell.results)
        lines += u"→ "_s + result;
    return lines.join(u'\n');
}

/// Of what was played; none: the usual one.
QVariant LessonStepModel::colorOf(const Cell &cell)
{
    const QPalette palette = QGuiApplication::palette();
    if (cell.isError || cell.differs)
        return markColor(Mark::Alarm, palette);
    return cell.waits ? markColor(Mark::Waiting, palette) : QVariant();
}

QVariant LessonStepModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const auto cell = [&] { return cellAt(index.row(), m_sessions.at(index.column())); };
    switch (role) {
    case Qt::DisplayRole:
        return textOf(cell());
    case Qt::TextAlignmentRole:
        return int(Qt::AlignLeft | Qt::AlignTop);
    case Qt::ForegroundRole:
        return index.row() < m_moments.size() ? colorOf(cell()) : mutedText(QGuiApplication::palette());
    case Qt::FontRole: {
        QFont font = fixedFont();
        font.setBold(index.row() == m_moments.size() - 1); // what was played last
        return font;
    }
    default:
        return {};
    }
}

QVariant LessonStepModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    return orientation == Qt::Horizontal ? QVariant(m_sessions.value(section)) : QVariant(section + 1);
}

} // namespace lockscope::ui
