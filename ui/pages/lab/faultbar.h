// SPDX-License-Identifier: MIT
#pragma once

#include "lab/labplan.h"

#include <QtWidgets/QWidget>

class QToolButton;

namespace lockscope::ui {

/// Buttons and keys that do harm to the run that goes on.
class FaultBar : public QWidget
{
    Q_OBJECT
public:
    explicit FaultBar(QWidget *parent = nullptr);

    /// Null: no run goes on. `canRestart`: its server is ours; `hasNetworks`: its workers' networks can be touched.
    void setRun(const LabPlan *plan, bool canRestart, bool hasNetworks);

Q_SIGNALS:
    void chosen(lockscope::LabFault::Kind kind);

private:
    QList<QPair<LabFault::Kind, QToolButton *>> m_buttons;
};

} // namespace lockscope::ui
