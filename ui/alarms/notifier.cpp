// SPDX-License-Identifier: MIT
#include "notifier.h"

#include "ui/style/paletteicon.h"

#include <QtWidgets/QApplication>
#include <QtWidgets/QSystemTrayIcon>
#include <QtWidgets/QWidget>

namespace lockscope::ui {

Notifier::Notifier(QWidget *window)
    : QObject(window)
    , m_window(window)
{
}

bool Notifier::hasTray()
{
    return QSystemTrayIcon::isSystemTrayAvailable() && QSystemTrayIcon::supportsMessages();
}

QString Notifier::withoutMarkup(QString text)
{
    return text.replace(u'<', u'‹').replace(u'&', u'＆');
}

void Notifier::tell(const QString &title, const QString &text, bool onDesktop)
{
    QApplication::alert(m_window);
    if (!onDesktop || !hasTray())
        return;
    if (!m_tray) {
        m_tray = new QSystemTrayIcon(applicationIcon(), this);
        connect(m_tray, &QSystemTrayIcon::messageClicked, this, &Notifier::raiseWindow);
        connect(m_tray, &QSystemTrayIcon::activated, this, &Notifier::raiseWindow);
    }
    m_tray->setToolTip(title);
    m_tray->show(); // messages come from an icon that is there
    m_tray->showMessage(title, withoutMarkup(text), QSystemTrayIcon::Warning);
}

void Notifier::done()
{
    if (m_tray)
        m_tray->hide();
}

void Notifier::raiseWindow()
{
    m_window->setWindowState(m_window->windowState() & ~Qt::WindowMinimized);
    m_window->show();
    m_window->raise();
    m_window->activateWindow();
}

} // namespace lockscope::ui
