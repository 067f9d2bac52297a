// SPDX-License-Identifier: MIT
#pragma once

#include "lab/labplan.h"

#include <QtWidgets/QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace lockscope::ui {

class LinkLabel;

/// Asks for a plan: scenario, mode, load.
class LabForm : public QWidget
{
    Q_OBJECT
public:
    explicit LabForm(QWidget *parent = nullptr);

    /// What is chosen; `validate()` of it may have something to say.
    LabPlan plan() const;
    void setPlan(const LabPlan &plan);
    void focusMode();
    /// By its name; empty: the own load. Without a mode the one that is chosen stays.
    void chooseScenario(const QString &name, std::optional<LabWay> mode = {});

Q_SIGNALS:
    void changed();
    /// By its name.
    void lessonRequested(const QString &id);

private:
    QDoubleSpinBox *addTime(const QString &name, const QString &tip, QComboBox **shape = nullptr);
    QSpinBox *addNumber(const QString &name, const QString &tip, int most);
    void addRow(const QString &name, QWidget *field, const QString &tip);
    void onEdited();
    void onModeChosen();
    void explain();

    QComboBox *m_scenario;
    LinkLabel *m_lessons;
    QComboBox *m_mode;
    QLabel *m_meaning;
    QSpinBox *m_workers;
    QSpinBox *m_resources;
    QComboBox *m_skew;
    QComboBox *m_job;
    QComboBox *m_keeping;
    QComboBox *m_servers;
    QSpinBox *m_connections;
    QDoubleSpinBox *m_hold;
    QComboBox *m_holdShape;
    QDoubleSpinBox *m_think;
    QComboBox *m_thinkShape;
    QDoubleSpinBox *m_ttl;
    QDoubleSpinBox *m_wait;
    QDoubleSpinBox *m_duration;
    QSpinBox *m_seed;
    QCheckBox *m_fair;
    QCheckBox *m_fenced;
    QCheckBox *m_processes;
    LabPlan m_plan; ///< what the fields do not show
    bool m_isFilling = false;
};

} // namespace lockscope::ui
