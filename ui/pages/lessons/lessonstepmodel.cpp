// SPDX-License-Identifier: MIT
#include "lessonstepmodel.h"

#include "console/visibletext.h"
#include "lessons/lessonexpectation.h"
#include "lessontext.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtGui/QGuiApplication>

#include <utility>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

LessonStepModel::LessonStepModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void LessonStepModel::setLesson(const Lesson &lesson)
{
    m_moments.clear();
    m_waits.clear();
    m_lesson = lesson;
    setScript(LessonScript(lesson));
}

void LessonStepModel::setScript(const LessonScript &script)
{
    m_script = script;
    QStringList sessions = m_lesson.sessions();
    for (const LessonStep &step : script.chosen()) {
        if (!step.session.isEmpty() && !sessions.contains(step.session))
            sessions += step.session;
    }
    setSessions(sessions);
    setSteps(script.chosen() + script.left());
    showAllAnew();
}

/// Rows and columns that stay have their new contents before others come or go.
void LessonStepModel::setSessions(const QStringList &sessions)
{
    const int before = columnCount();
    const int common = std::min(before, int(sessions.size()));
    std::copy_n(sessions.cbegin(), common, m_sessions.begin());
    if (sessions.size() < before) {
        beginRemoveColumns({}, common, before - 1);
        m_sessions = sessions;
        endRemoveColumns();
    } else if (sessions.size() > before) {
        beginInsertColumns({}, before, int(sessions.size()) - 1);
        m_sessions = sessions;
        endInsertColumns();
    }
    if (common > 0)
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, common - 1);
}

void LessonStepModel::setSteps(const QList<LessonStep> &steps)
{
    const int before = rowCount();
    const int common = std::min(before, int(steps.size()));
    std::copy_n(steps.cbegin(), common, m_rows.begin());
    if (steps.size() < before) {
        beginRemoveRows({}, common, before - 1);
        m_rows = steps;
        endRemoveRows();
    } else if (steps.size() > before) {
        beginInsertRows({}, before, int(steps.size()) - 1);
        m_rows = steps;
        endInsertRows();
    }
}

void LessonStepModel::showAllAnew()
{
    if (rowCount() > 0 && columnCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void LessonStepModel::begin(const LessonPlace &place)
{
    m_place = place;
    m_moments.clear();
    m_waits.clear();
    showAllAnew();
    if (columnCount() > 0)
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void LessonStepModel::add(const LessonMoment &moment)
{
    const int row = int(m_moments.size());
    m_moments.append(moment);
    noteWaiting(moment);
    Q_EMIT dataChanged(index(std::max(0, row - 1), 0),
                       index(row, columnCount() - 1)); // the one before is no more the last
}

void LessonStepModel::noteWaiting(const LessonMoment &moment)
{
    m_waits.removeIf([&moment](auto wait) { return !moment.waiting.contains(wait.key()); });
    for (const QString &session : moment.waiting) {
        const bool isNew = session == moment.step.session && moment.step.kind == LessonStep::Kind::Statement
            && moment.result.outcome.answer.kind == LessonAnswer::Kind::Blocked;
        if (m_waits.contains(session) && !isNew)
            continue;
        Wait &wait = m_waits[session];
        wait.answer = isNew ? moment.result.outcome.answer : LessonAnswer{LessonAnswer::Kind::Blocked};
        wait.since.start();
    }
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void LessonStepModel::tick()
{
    if (!m_waits.isEmpty())
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

/// Under the session's name.
QString LessonStepModel::stateOf(const QString &session) const
{
    if (const auto wait = m_waits.constFind(session); wait != m_waits.cend()) {
        const QString names = LessonText::blockers(wait->answer);
        const qint64 seconds = wait->since.elapsed() / 1000;
        return names.isEmpty() ? LessonText::tr("waits, since %1 s").arg(seconds)
                               : LessonText::tr("waits for %1, since %2 s").arg(names).arg(seconds);
    }
    const bool isFrozen = !m_moments.isEmpty() && m_moments.constLast().frozen.contains(session);
    return isFrozen ? LessonText::tr("stands still") : QString();
}

QStringList LessonStepModel::stuck() const
{
    return m_moments.isEmpty() ? QStringList() : m_moments.constLast().waiting + m_moments.constLast().frozen;
}

/// In another order the lesson does not say what comes of a step.
bool LessonStepModel::differs(qsizetype row) const
{
    return m_script.isInOrderUntil(row)
        && !agrees(m_rows.at(row).expected.at(m_place), m_moments.at(row).result.outcome);
}

bool LessonStepModel::hasDiffered() const
{
    for (qsizetype row = 0; row < m_moments.size(); ++row) {
        if (differs(row))
            return true;
    }
    return false;
}

int LessonStepModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int LessonStepModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_sessions.size());
}

/// A pause is nobody's, and stands in the first lane.
QString LessonStepModel::sessionOf(const LessonStep &step) const
{
    return step.session.isEmpty() ? m_sessions.value(0) : step.session;
}

int LessonStepModel::laneOf(int row) const
{
    return row >= 0 && row < m_rows.size() ? int(m_sessions.indexOf(sessionOf(m_rows.at(row)))) : -1;
}

LessonStepModel::Cell LessonStepModel::cellAt(qsizetype row, const QString &session) const
{
    Cell cell;
    const LessonStep &step = m_rows.at(row);
    if (sessionOf(step) == session)
        cell.statement = LessonText::step(step);
    if (row < m_moments.size())
        addPlayed(&cell, row, session);
    return cell;
}

void LessonStepModel::addPlayed(Cell *cell, qsizetype row, const QString &session) const
{
    const LessonMoment &moment = m_moments.at(row);
    const LessonStep &step = moment.step;
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
    cell->differs = sessionOf(step) == session && differs(row);
    if (cell->differs)
        cell->results += LessonText::tr("The lesson expected: %1").arg(toString(step.expected.at(m_place)));
}

QString LessonStepModel::textOf(const Cell &cell)
{
    QStringList lines;
    if (!cell.statement.isEmpty())
        lines += cell.statement;
    for (const QString &result : cell.results)
        lines += u"→ "_s + result;
    return visibleLines(lines.join(u'\n')); // values come from anybody
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
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? section + 1 : QVariant();
    const QString session = m_sessions.value(section);
    const QString state = stateOf(session);
    if (role == Qt::ToolTipRole)
        return CommonText::tip(state);
    if (role != Qt::DisplayRole)
        return {};
    return state.isEmpty() ? session : session + u'\n' + state;
}

} // namespace lockscope::ui
