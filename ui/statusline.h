#pragma once

#include <QtWidgets/QWidget>

class QLabel;

namespace lockscope::ui {

class ServerLink;

/// The truth about the data: which server, how old, what asking costs, how much of it is shown.
class StatusLine : public QWidget
{
    Q_OBJECT
public:
    /// `link` is not owned and must outlive the line.
    explicit StatusLine(ServerLink *link, QWidget *parent = nullptr);

    QString text() const;

private:
    void showNow();
    void showDot();
    QString serverText() const;
    QString ageText() const;

    ServerLink *m_link;
    QLabel *m_dot; ///< the server's colour
    QLabel *m_server;
    QLabel *m_age;
    QLabel *m_cost;
    QLabel *m_shown;
};

} // namespace lockscope::ui
