// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QObject>

class QSystemTrayIcon;
class QWidget;

namespace lockscope::ui {

/// Calls a person who looks elsewhere: the window asks for attention, and where the desktop has a tray it shows a
/// notification.
class Notifier : public QObject
{
    Q_OBJECT
public:
    /// For `window`, which is not owned.
    explicit Notifier(QWidget *window);

    static bool hasTray();
    /// A desktop may take the text for markup, or not: what would begin some is replaced by what looks like it.
    static QString withoutMarkup(QString text);
    void tell(const QString &title, const QString &text, bool onDesktop);
    /// Nothing is up any more: the tray icon goes.
    void done();

private:
    void raiseWindow();

    QWidget *m_window;
    QSystemTrayIcon *m_tray = nullptr;
};

} // namespace lockscope::ui
