// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessontrial.h"
#include "privateserver/privateserver.h"

#include <QtWidgets/QWidget>

#include <array>
#include <atomic>
#include <memory>

class QLabel;
class QPushButton;
class QTableWidget;

namespace lockscope::ui {

/// A lesson side by side: what each isolation level, and a server of the other family, makes of the same steps.
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
    /// What was compared, and where the other server comes from.
    QString summary() const;

private:
    void run();
    void showTries();
    void showTry(int column, const LessonTrial::Try &one);
    int markDifferences(const QList<const LessonTrial::Try *> &shown);
    LessonPlayer::FindServer findOther() const;

    /// Of the other thread too.
    struct Others
    {
        std::atomic<bool> isMySqlHere = false;  ///< the server that lessons are played on
        std::array<PrivateServerUser, 2> users; ///< MariaDB, MySQL
    };

    const std::function<LessonPlayer::FindServer()> m_findServer;
    LessonTrial *m_trial;
    Lesson m_lesson;
    QPushButton *m_play;
    QLabel *m_summary;
    QTableWidget *m_table;
    std::shared_ptr<Others> m_others = std::make_shared<Others>();
};

} // namespace lockscope::ui
