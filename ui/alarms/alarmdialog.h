// SPDX-License-Identifier: MIT
#pragma once

#include "alarmsettings.h"

#include <QtWidgets/QDialog>

class QCheckBox;
class QGridLayout;
class QSpinBox;
class QTimeEdit;

namespace lockscope::ui {

/// What is to be told, after how long, and when not.
class AlarmDialog : public QDialog
{
    Q_OBJECT
public:
    explicit AlarmDialog(const AlarmSettings &settings, QWidget *parent = nullptr);

    AlarmSettings settings() const;

private:
    /// One kind: whether, and from when on.
    struct Limit
    {
        QCheckBox *isOn;
        QSpinBox *value;
    };
    Limit addLimit(const QString &text, const QString &unit, int most);
    static void set(const Limit &limit, const std::optional<qint64> &value);
    static std::optional<qint64> valueOf(const Limit &limit);
    void setupTimes();
    void setupButtons();
    void show(const AlarmSettings &settings);

    QGridLayout *m_grid;
    Limit m_blocked;
    Limit m_queue;
    Limit m_held;
    Limit m_orphan;
    QSpinBox *m_settle = nullptr;
    QCheckBox *m_isQuiet = nullptr;
    QTimeEdit *m_from = nullptr;
    QTimeEdit *m_to = nullptr;
    QCheckBox *m_notifies = nullptr;
};

} // namespace lockscope::ui
