// SPDX-License-Identifier: MIT
#include "notifier.h"

#include "ui/style/paletteicon.h"

#include <QtDBus/QDBusConnection>
#include <QtDBus/QDBusMessage>
#include <QtDBus/QDBusPendingReply>
#include <QtWidgets/QApplication>
#include <QtWidgets/QSystemTrayIcon>
#include <QtWidgets/QWidget>

#include <utility>

namespace lockscope::ui {

namespace {

using namespace Qt::StringLiterals;

constexpr auto kService = "org.freedesktop.Notifications"_L1;
constexpr auto kPath = "/org/freedesktop/Notifications"_L1;
/// What a click on the notification itself is called.
constexpr auto kDefaultAction = "default"_L1;

QDBusMessage callOf(QLatin1StringView method)
{
    return QDBusMessage::createMethodCall(kService, kPath, kService, method);
}

} // namespace

Notifier::Notifier(QWidget *window)
    : QObject(window)
    , m_window(window)
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    bus.connect(kService, kPath, kService, u"ActionInvoked"_s, this, SLOT(onAction(uint)));
    bus.connect(kService, kPath, kService, u"NotificationClosed"_s, this, SLOT(onClosed(uint)));
}

bool Notifier::canNotify()
{
    const bool hasTray = QSystemTrayIcon::isSystemTrayAvailable() && QSystemTrayIcon::supportsMessages();
    return hasTray || QDBusConnection::sessionBus().isConnected();
}

QString Notifier::withoutMarkup(QString text)
{
    return text.replace(u'<', u'‹').replace(u'&', u'＆');
}

void Notifier::notify(const QString &title, const QString &text, bool onDesktop)
{
    QApplication::alert(m_window);
    if (!onDesktop)
        return;
    m_news = {title, withoutMarkup(text)};
    m_isWanted = true;
    if (!m_isAsking)
        notifyByBus();
}

/// It takes the place of the one that is up, if any, so one answer is waited for before the next is sent.
void Notifier::notifyByBus()
{
    const News news = *std::exchange(m_news, std::nullopt);
    QDBusMessage notify = callOf("Notify"_L1);
    notify << QCoreApplication::applicationName() << m_shown << u"lockscope"_s << news.title << news.text
           << QStringList{kDefaultAction, tr("Show it")} << QVariantMap{{u"desktop-entry"_s, u"lockscope"_s}} << -1;
    auto *answer = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(notify), this);
    m_isAsking = true;
    connect(answer, &QDBusPendingCallWatcher::finished, this, [this, answer, news] {
        const QDBusPendingReply<uint> shown = *answer;
        answer->deleteLater();
        m_isAsking = false;
        if (!shown.isError())
            m_shown = shown.value();
        if (!m_isWanted)
            return close();
        if (shown.isError()) {
            m_shown = 0;
            notifyByTray(news);
        }
        if (m_news)
            notifyByBus();
    });
}

void Notifier::notifyByTray(const News &news)
{
    if (!QSystemTrayIcon::isSystemTrayAvailable() || !QSystemTrayIcon::supportsMessages())
        return;
    if (!m_tray) {
        m_tray = new QSystemTrayIcon(applicationIcon(), this);
        connect(m_tray, &QSystemTrayIcon::messageClicked, this, &Notifier::raiseWindow);
        connect(m_tray, &QSystemTrayIcon::activated, this, &Notifier::raiseWindow);
    }
    m_tray->setToolTip(news.title);
    m_tray->show(); // messages come from an icon that is there
    m_tray->showMessage(news.title, news.text, QSystemTrayIcon::Warning);
}

void Notifier::done()
{
    m_isWanted = false;
    m_news.reset();
    if (m_tray)
        m_tray->hide();
    if (!m_isAsking) // else the answer closes it, which may be another one
        close();
}

void Notifier::close()
{
    if (m_shown != 0)
        QDBusConnection::sessionBus().asyncCall(callOf("CloseNotification"_L1) << std::exchange(m_shown, 0));
}

void Notifier::onAction(uint id)
{
    if (id == m_shown)
        raiseWindow();
}

void Notifier::onClosed(uint id)
{
    if (id == m_shown)
        m_shown = 0;
}

void Notifier::raiseWindow()
{
    m_window->setWindowState(m_window->windowState() & ~Qt::WindowMinimized);
    m_window->show();
    m_window->raise();
    m_window->activateWindow();
}

} // namespace lockscope::ui
