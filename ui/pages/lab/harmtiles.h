// SPDX-License-Identifier: MIT
#pragma once

#include "lab/labtally.h"

#include <QtWidgets/QWidget>

class QLabel;

namespace lockscope::ui {

/// What went wrong in a run: a large number for each kind of harm.
class HarmTiles : public QWidget
{
    Q_OBJECT
public:
    explicit HarmTiles(QWidget *parent = nullptr);

    void setCounts(const LabCounts &counts);
    /// The numbers are body type then.
    void setNameFont(const QFont &font);
    /// What is shown for the nth of LabText::harms().
    QString text(int harm) const;

private:
    QList<QLabel *> m_numbers;
    QList<QLabel *> m_names;
};

} // namespace lockscope::ui
