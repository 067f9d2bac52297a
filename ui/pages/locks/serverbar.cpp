// SPDX-License-Identifier: MIT
#include "serverbar.h"

#include "console/duration.h"
#include "ui/server/furtherservers.h"
#include "ui/server/serverconnection.h"
#include "ui/style/paletteicon.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/text/keylocktext.h"
#include "ui/widgets/flowlayout.h"

#include <QtWidgets/QMenu>
#include <QtWidgets/QToolButton>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kTicksOfAge = 10; ///< the age is told once a second: nobody reads ten a second of several servers

LockKey keyOf(int number)
{
    LockKey key;
    key.server = number;
    return key;
}

} // namespace

ServerBar::ServerBar(ServerConnection *connection, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_add(new QToolButton(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpace, kSpace, kSpaceSection, 0); // the buttons have room of their own
    column->addLayout(m_row = new FlowLayout(kSpace));
    m_add->setText(tr("Add server…"));
    m_add->setToolTip(tr("Another server of any kind, whose locks join this list"));
    m_add->setAutoRaise(true);
    connect(m_add, &QToolButton::clicked, this, &ServerBar::serverWanted);
    const FurtherServers *further = connection->further();
    connect(further, &FurtherServers::changed, this, &ServerBar::make);
    connect(further, &FurtherServers::statusChanged, this, &ServerBar::showNow);
    connect(connection, &ServerConnection::opened, this, &ServerBar::make);
    connect(connection, &ServerConnection::statusChanged, this, &ServerBar::showNow);
    connect(connection, &ServerConnection::modeChanged, this, &ServerBar::showNow);
    connect(connection->clock(), &LiveClock::ticked, this, [this] {
        if (++m_ticks % kTicksOfAge == 0 && isVisible())
            showNow();
    });
    make();
}

void ServerBar::make()
{
    for (const auto &[number, button] : m_buttons)
        button->deleteLater();
    m_buttons.clear();
    const auto &all = m_connection->further()->all();
    setVisible(!all.empty() && !m_connection->isRecorded());
    if (all.empty())
        return;
    add(0);
    for (const auto &[number, server] : all)
        add(number);
    m_row->removeWidget(m_add);
    m_row->addWidget(m_add); // behind them
    QWidget *before = m_add->previousInFocusChain();
    for (const auto &[number, button] : m_buttons) {
        setTabOrder(before, button);
        before = button;
    }
    setTabOrder(before, m_add);
    showNow();
}

void ServerBar::add(int number)
{
    auto *button = new QToolButton(this);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setAutoRaise(true);
    button->setMenu(new QMenu(button));
    connect(button->menu(), &QMenu::aboutToShow, this, [this, number] { fillMenu(number); });
    m_row->addWidget(button);
    button->show();
    m_buttons[number] = button;
}

const ServerProfile &ServerBar::profile(int number) const
{
    return m_connection->profileOf(number);
}

const MonitorStatus &ServerBar::status(int number) const
{
    return m_connection->statusOf(keyOf(number));
}

const LiveClock &ServerBar::clock(int number) const
{
    return *m_connection->clockOf(keyOf(number));
}

void ServerBar::fillMenu(int number)
{
    QMenu *menu = m_buttons[number]->menu();
    FurtherServers *further = m_connection->further();
    menu->clear();
    const QString name = further->names().value(number);
    connect(menu->addAction(tr("Show only its locks")), &QAction::triggered, this,
            [this, name] { Q_EMIT chosen(name); });
    connect(menu->addAction(tr("Try now")), &QAction::triggered, this, [this, further, number] {
        if (number == 0)
            m_connection->refresh();
        else
            further->refresh(number);
    });
    if (number == 0)
        return;
    QAction *password = menu->addAction(tr("Enter the password…"));
    password->setEnabled(status(number).isPermanent());
    connect(password, &QAction::triggered, this, [this, number] { Q_EMIT passwordWanted(number); });
    menu->addSeparator();
    // Later: the menu that is open now goes with it.
    connect(
        menu->addAction(tr("Remove from this list")), &QAction::triggered, further,
        [further, number] { further->remove(number); }, Qt::QueuedConnection);
}

QString ServerBar::text(int number) const
{
    const bool wantsMode = m_connection->isOperatorStarted() && m_connection->guardedServers().contains(number);
    return wantsMode && m_connection->isOperatorOf(number) ? tr("%1 · may be changed").arg(state(number))
                                                           : state(number);
}

QString ServerBar::state(int number) const
{
    const QString name =
        CommonText::onButton(CommonText::shortened(m_connection->further()->names().value(number), 32));
    const MonitorStatus &status = this->status(number);
    const LiveClock &clock = this->clock(number);
    if (!clock.isKnown())
        return status.isFailing() ? tr("%1 · not connected").arg(name) : tr("%1 · connecting…").arg(name);
    // Tenths, always: a unit that changes with each look cannot be read.
    const double seconds = std::chrono::duration<double>(clock.age()).count();
    const QString age = seconds < 10 ? tr("%1 s").arg(seconds, 0, 'f', 1) : formatDuration(clock.age());
    if (status.isFailing())
        return tr("%1 · no answer, %2 old").arg(name, age);
    const auto passes = m_connection->last().keyPasses.value(number);
    if (!passes.endedAt)
        return tr("%1 · %2").arg(name, age);
    return tr("%1 · %2 · keys %3").arg(name, age, KeyLockText::ageText(*passes.endedAt));
}

QString ServerBar::tip(int number) const
{
    const MonitorStatus &status = this->status(number);
    QStringList lines{profile(number).fullName()};
    if (status.error && (status.isFailing() || status.phase == MonitorStatus::Phase::Live))
        lines << status.error->message << CommonText::serverWords(*status.error);
    if (status.isFailing() && clock(number).isKnown())
        lines << tr("Its locks stay in the list as they were when it last answered.");
    if (m_connection->isOperatorStarted() && !m_connection->isOperatorOf(number))
        lines << tr("Read-only: it was not in the list when operator mode was asked for.");
    const auto passes = m_connection->last().keyPasses.constFind(number);
    if (passes != m_connection->last().keyPasses.constEnd())
        lines << KeyLockText::age(*passes) << KeyLockText::unseen({{number, *passes}});
    lines.removeAll(QString());
    return lines.join(u'\n');
}

void ServerBar::showNow()
{
    const QMap<int, Tint> tints = m_connection->further()->tints();
    for (const auto &[number, button] : m_buttons) {
        const bool isFailing = status(number).isFailing();
        const Tint tint = tints.value(number, profile(number).tint);
        button->setIcon(isFailing                ? svgIcon(u"warning"_s)
                            : tint == Tint::None ? svgIcon(u"server"_s)
                                                 : Tints::icon(tint));
        button->setText(text(number));
        button->setToolTip(CommonText::tip(tip(number)));
    }
}

} // namespace lockscope::ui
