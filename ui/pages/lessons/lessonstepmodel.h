// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessonplayer.h"
#include "lessons/lessonscript.h"

#include <QtCore/QAbstractTableModel>
#include <QtCore/QElapsedTimer>

namespace lockscope::ui {

/// A lesson as lanes: a column a session, a row a step. What was played stands first, in the order in which it was;
/// what was not played yet has its statement only.
class LessonStepModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit LessonStepModel(QObject *parent = nullptr);

    void setLesson(const Lesson &lesson);
    const Lesson &lesson() const { return m_lesson; }
    void setScript(const LessonScript &script);
    const LessonScript &script() const { return m_script; }
    /// A run begins: nothing is played yet.
    void begin(const LessonPlace &place);
    const LessonPlace &place() const { return m_place; }
    void add(const LessonMoment &moment);
    const QList<LessonMoment> &moments() const { return m_moments; }
    /// Those of the lesson, and any that free statements were sent to.
    const QStringList &sessions() const { return m_sessions; }
    /// Sessions that can be sent nothing now: they wait, or stand still.
    QStringList stuck() const;
    /// In whose column a step stands; -1: there is no such step.
    int laneOf(int row) const;
    /// Says anew since when sessions wait.
    void tick();
    /// What was played does not agree with what the file says.
    bool hasDiffered() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// What stands in a cell: the statement, and what became of it.
    struct Cell
    {
        QString statement;
        QStringList results;
        bool waits = false;
        bool isError = false;
        bool differs = false; ///< from what the file says
    };

    void setSessions(const QStringList &sessions);
    void setSteps(const QList<LessonStep> &steps);
    void showAllAnew();
    void noteWaiting(const LessonMoment &moment);
    QString stateOf(const QString &session) const;
    Cell cellAt(qsizetype row, const QString &session) const;
    void addPlayed(Cell *cell, qsizetype row, const QString &session) const;
    bool differs(qsizetype row) const;
    static QString textOf(const Cell &cell);
    static QVariant colorOf(const Cell &cell);
    QString sessionOf(const LessonStep &step) const;

    Lesson m_lesson;
    LessonScript m_script;
    QStringList m_sessions;
    QList<LessonStep> m_rows; ///< what was chosen, then what is left
    LessonPlace m_place;
    QList<LessonMoment> m_moments;
    struct Wait
    {
        LessonAnswer answer; ///< for whom, on what
        QElapsedTimer since;
    };
    QMap<QString, Wait> m_waits; ///< by session
};

} // namespace lockscope::ui
