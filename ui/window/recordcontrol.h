// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QObject>

class QAction;
class QLabel;
class QStatusBar;
class QWidget;

namespace lockscope::ui {

class MessageBar;
class ServerConnection;

/// Begins and ends recordings, opens them, and says that one is going on.
class RecordControl : public QObject
{
    Q_OBJECT
public:
    /// `record` is checked while one goes on. Nothing is owned.
    struct Actions
    {
        QAction *record;
        QAction *open;
    };
    RecordControl(ServerConnection *connection, const Actions &actions, MessageBar *messages, QStatusBar *bar,
                  QWidget *window);

    QLabel *label() const { return m_label; }

private:
    void onRecord(bool wanted);
    void onOpen();
    void onChanged();
    void tellFailure(const QString &failure);
    void onServer();

    ServerConnection *const m_connection;
    const Actions m_actions;
    MessageBar *const m_messages;
    QWidget *const m_window;
    QLabel *m_label;
    bool m_isFailing = false; ///< nothing can be written, and that was said
};

} // namespace lockscope::ui
