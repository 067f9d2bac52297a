// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessontrial.h"

#include <QtWidgets/QWidget>

class QLabel;
class QPushButton;
class QTableWidget;

namespace lockscope::ui {

class BesideChooser;
class ServerChooser;

/// A lesson side by side: what each isolation level, and another server, makes of the same steps.
class LessonCompareBox : public QWidget
{
    Q_OBJECT
public:
    explicit LessonCompareBox(std::function<LessonPlayer::FindServer()> findServer, QWidget *parent = nullptr);
    ~LessonCompareBox() override;

    void setLesson(const Lesson &lesson);
    QPushButton *playButton() const { return m_play; }
    QTableWidget *table() const { return m_table; }
    bool isRunning() const { return m_trial->isRunning(); }
    BesideChooser *beside() const { return m_beside; }
    /// Those that may be played on beside the private one. Not owned; must outlive this.
    void setServers(ServerChooser *servers);
    /// What was compared.
    QString summary() const;
    /// What could not be, why, and where the other server comes from.
    QString said() const;

Q_SIGNALS:
    /// A run, this one or one before it, has left this on its server.
    void leftBehind(const lockscope::LessonRemains &remains);

private:
    void run();
    void showTries();
    void showTry(int column, const LessonTrial::Try &one);
    int markDifferences(const QList<const LessonTrial::Try *> &shown);
    void begin(const LessonPlayer::FindServer &beside);
    void showSaid();
    bool isBeside(const LessonTrial::Try &one) const;
    QString failureOf(const LessonTrial::Try &one) const;

    const std::function<LessonPlayer::FindServer()> m_findServer;
    LessonTrial *m_trial;
    Lesson m_lesson;
    QPushButton *m_play;
    BesideChooser *m_beside;
    QLabel *m_summary;
    QTableWidget *m_table;
    QLabel *m_said;
    QStringList m_failures;
    QString m_besideName; ///< of the server beside, when it was played on
};

} // namespace lockscope::ui
