// SPDX-License-Identifier: MIT
#pragma once

#include "ui/server/liveclock.h"
#include "ui/widgets/inspectorparts.h"
#include "waitfacts.h"

namespace lockscope::ui {

class LinkLabel;

/// One session in full: who it is, its transaction, its statement, what it holds, waits for and blocks. Stays with its
/// session when that is gone, and says so.
class WaitInspector : public Inspector
{
    Q_OBJECT
public:
    /// `clock` is not owned. `actions` are the page's, shown as buttons.
    WaitInspector(const LiveClock *clock, const QList<QAction *> &actions, QWidget *parent = nullptr);

    /// None: nothing is selected.
    void show(std::optional<quint64> session, const WaitPicturePtr &picture);
    /// Several are, and none of them is shown: they may be ended here nevertheless.
    void setChosen(int sessions);
    std::optional<quint64> session() const { return m_session; }
    /// It neither waits nor blocks any more.
    bool isGone() const { return m_isGone; }
    /// Everything, as text.
    QString text() const;

Q_SIGNALS:
    /// That which explains this wait, by its name.
    void lessonRequested(const QString &id);

private:
    struct List
    {
        QLabel *title = nullptr;
        QLabel *entries = nullptr;
    };

    List addList() { return {addTitle(), addText()}; }
    static void showList(const List &list, const QString &title, const QStringList &entries);
    void showAll();
    void showLesson();
    void showRunning();
    void showNow(const WaitFacts &running);
    void showMark() override;

    const LiveClock *m_clock;
    WaitPicturePtr m_picture; ///< the last one that has the session
    std::optional<quint64> m_session;
    bool m_isGone = false;

    LinkLabel *m_lesson;
    QList<QLabel *> m_facts;
    QLabel *m_statementTitle = nullptr;
    QPlainTextEdit *m_statement = nullptr;
    List m_history;
    List m_waitsFor;
    List m_blocks;
    List m_queue;
    List m_holds;
};

} // namespace lockscope::ui
