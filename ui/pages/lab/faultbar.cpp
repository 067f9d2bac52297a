// SPDX-License-Identifier: MIT
#include "faultbar.h"

#include "labtext.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QToolButton>

namespace lockscope::ui {

FaultBar::FaultBar(QWidget *parent)
    : QWidget(parent)
{
    using Kind = LabFault::Kind;
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kSpaceInGroup);
    for (const Kind kind : {Kind::Crash, Kind::Freeze, Kind::Cut, Kind::Slow, Kind::KillSession, Kind::Crowd,
                            Kind::Restart, Kind::NodeForgets, Kind::ServerPause}) {
        auto *button = new QToolButton(this);
        const QKeySequence key(QKeyCombination(Qt::AltModifier, Qt::Key(Qt::Key_1 + m_buttons.size())));
        button->setText(LabText::fault(kind));
        button->setShortcut(key);
        button->setToolTip(
            CommonText::tip(tr("%1 (%2)").arg(LabText::faultMeaning(kind), key.toString(QKeySequence::NativeText))));
        connect(button, &QToolButton::clicked, this, [this, kind] { Q_EMIT chosen(kind); });
        row->addWidget(button);
        m_buttons.append({kind, button});
    }
    row->addStretch(1);
}

void FaultBar::setRun(const LabPlan *plan, bool canRestart, bool hasNetworks)
{
    for (const auto &[kind, button] : std::as_const(m_buttons)) {
        button->setEnabled(plan && (!needsProcesses(kind) || plan->needsProcesses())
                           && (kind != LabFault::Kind::Restart || canRestart) && (!isOfNetwork(kind) || hasNetworks)
                           && (!isOfNode(kind) || traitsOf(plan->way).store != LabStore::Database));
    }
}

} // namespace lockscope::ui
