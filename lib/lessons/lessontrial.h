// SPDX-License-Identifier: MIT
// Plays one lesson several times, at each isolation level and in two orders, and says each time whether a query is 1 at
// its end: whether an edited statement solves an exercise, and whether it does so by luck.
#pragma once

#include "lessonplayer.h"
#include "lessonscript.h"

namespace lockscope {

/// Thread: its maker's. One trial at a time.
class LessonTrial : public QObject
{
    Q_OBJECT
public:
    struct Try
    {
        LessonIsolation isolation = LessonIsolation::RepeatableRead;
        bool isOtherOrder = false;      ///< the sessions the other way round
        std::optional<bool> isOne = {}; ///< none yet, or the query failed
        QString failure = {};           ///< of the run or the query
    };

    explicit LessonTrial(QObject *parent = nullptr);

    /// The one before ends. `finished` tells.
    void begin(const LessonPlayer::FindServer &findServer, const Lesson &lesson, const QString &query);
    void stop();
    bool isRunning() const { return m_at < m_tries.size(); }
    /// Those that are over, and those to come.
    const QList<Try> &tries() const { return m_tries; }

Q_SIGNALS:
    /// One more is over.
    void tried();
    void finished();

private:
    void beginNext();
    void goOn();
    void end(std::optional<bool> isOne, const QString &failure);

    LessonPlayer *m_player;
    LessonPlayer::FindServer m_findServer;
    Lesson m_lesson;
    QString m_query;
    QList<Try> m_tries;
    qsizetype m_at = 0;
    LessonScript m_script;
    QStringList m_turns;
    QStringList m_stuck;
    bool m_isAsked = false; ///< the query
};

} // namespace lockscope
