// SPDX-License-Identifier: MIT
#include "serverlist.h"

#include "ui/style/theme.h"
#include "ui/text/commontext.h"

namespace lockscope::ui {

namespace {

constexpr int kDotSide = 14;
constexpr int kWidth = 200;

} // namespace

ServerList::ServerList(QWidget *parent)
    : QListWidget(parent)
{
    setAccessibleName(tr("Servers"));
    setFixedWidth(forType(kWidth));
    setTextElideMode(Qt::ElideMiddle);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setIconSize(QSize(forType(kDotSide), forType(kDotSide)));
    setServers({});
}

void ServerList::setServers(const QList<ServerProfile> &known)
{
    const QString before = knownName();
    const QSignalBlocker blocker(this);
    clear();
    new QListWidgetItem(Tints::icon(Tint::None), ServerProfile::privateServer().name, this);
    for (const ServerProfile &profile : known) {
        auto *item = new QListWidgetItem(Tints::icon(profile.tint), profile.name, this);
        item->setToolTip(CommonText::tip(profile.fullName()));
    }
    new QListWidgetItem(Tints::icon(Tint::None), tr("New server"), this);
    setCurrentRow(0);
    for (int row = 1; row < count() - 1; ++row) {
        if (item(row)->text() == before)
            setCurrentRow(row);
    }
}

void ServerList::choose(const ServerProfile &profile)
{
    int wanted = profile.isPrivate ? 0 : count() - 1;
    for (int row = 1; row < count() - 1 && !profile.isPrivate; ++row) {
        if (item(row)->text() == profile.name)
            wanted = row;
    }
    setCurrentRow(wanted);
}

QString ServerList::knownName() const
{
    const int row = currentRow();
    return row > 0 && row < count() - 1 ? item(row)->text() : QString();
}

} // namespace lockscope::ui
