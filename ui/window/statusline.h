// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QWidget>

class QLabel;
class QToolButton;

namespace lockscope::ui {

class LiveClock;
class Page;
class ServerConnection;
struct PagePoll;

/// The truth about the data of the page that is shown: which server, how old, what asking costs, how much of it is
/// there.
class StatusLine : public QWidget
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the line.
    explicit StatusLine(ServerConnection *connection, QWidget *parent = nullptr);

    QString text() const;
    /// Not owned; must outlive the line.
    void setPage(const Page *page);

private:
    void showNow();
    void showDot();
    QString serverText() const;
    PagePoll poll() const;
    QString ageText(const LiveClock &clock) const;

    ServerConnection *m_connection;
    const Page *m_page = nullptr;
    QLabel *m_dot; ///< the server's colour
    QLabel *m_server;
    QLabel *m_age;
    QLabel *m_cost;
    QLabel *m_beforeCost = nullptr; ///< the dot
    QLabel *m_shown;
    QLabel *m_keys;                 ///< of other programs, of a store
    QLabel *m_beforeKeys = nullptr; ///< the dot
    QToolButton *m_tryNow;          ///< while the server does not answer
};

} // namespace lockscope::ui
