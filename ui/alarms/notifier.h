// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QObject>
#include <QtCore/QString>

#include <optional>

class QSystemTrayIcon;
class QWidget;

namespace lockscope::ui {

/// Calls a person who is looking elsewhere: the window asks for attention, and the desktop shows a notification: by
/// org.freedesktop.Notifications where something on the session's bus answers to that, else by its tray. Nothing here
/// waits for an answer.
class Notifier : public QObject
{
    Q_OBJECT
public:
    /// For `window`, which is not owned.
    explicit Notifier(QWidget *window);

    /// Whether there is a bus or a tray to notify by.
    static bool canNotify();
    /// A desktop may take the text for markup, or not: what would begin some is replaced by what looks like it.
    static QString withoutMarkup(QString text);
    void notify(const QString &title, const QString &text, bool onDesktop);
    /// Whether the desktop shows a notification by the bus. Its answer takes a moment.
    bool isShown() const { return m_shown != 0; }
    /// Nothing is up any more: the notification and the tray icon go.
    void done();

private Q_SLOTS:
    void onAction(uint id);
    void onClosed(uint id);

private:
    struct News
    {
        QString title;
        QString text;
    };

    void notifyByBus();
    void notifyByTray(const News &news);
    void close();
    void raiseWindow();

    QWidget *m_window;
    std::optional<News> m_news; ///< to be sent when the answer under way has come
    bool m_isAsking = false;    ///< an answer is under way
    bool m_isWanted = false;    ///< something is to be up
    uint m_shown = 0;           ///< the desktop's number of the notification that is up; 0 = none
    QSystemTrayIcon *m_tray = nullptr;
};

} // namespace lockscope::ui
