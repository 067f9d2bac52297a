// SPDX-License-Identifier: MIT
// Plays one lesson several times: at each isolation level, on one server or more, in two orders; and asks a query at
// each end, where one is given. So it says whether an edited statement solves an exercise, and what differs between
// servers.
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
        /// Not inline: GCC 14 takes what `place` is to hold later for something that is read before it is set.
        Try(LessonPlayer::FindServer findServer, LessonIsolation isolation, bool isOtherOrder = false);

        LessonPlayer::FindServer findServer;
        LessonIsolation isolation;
        bool isOtherOrder; ///< the sessions the other way round

        std::optional<LessonPlace> place = {}; ///< once it has begun
        QList<LessonOutcome> seen = {};        ///< of the steps so far
        std::optional<bool> isOne = {};        ///< what the query answered; none yet, or it failed
        QString failure = {};                  ///< of the run or the query
    };

    explicit LessonTrial(QObject *parent = nullptr);

    /// The one before ends. `query` may be empty. `finished` tells.
    void begin(const QList<Try> &tries, const Lesson &lesson, const QString &query);
    void stop();
    bool isRunning() const { return m_at < m_tries.size(); }
    /// Those that are over, and those to come.
    const QList<Try> &tries() const { return m_tries; }

Q_SIGNALS:
    /// One has gone on, or is over.
    void changed();
    void finished();
    /// As LessonPlayer's.
    void leftBehind(const lockscope::LessonRemains &remains);

private:
    void beginNext();
    void goOn();
    void endOne(std::optional<bool> isOne, const QString &failure);

    LessonPlayer *m_player;
    Lesson m_lesson;
    QString m_query;
    QList<Try> m_tries;
    qsizetype m_at = 0;
    LessonScript m_script;
    QStringList m_turns;
    QStringList m_stuck;
    bool m_isPlayed = false; ///< nothing more of this try
};

} // namespace lockscope
