// SPDX-License-Identifier: MIT
#pragma once

#include "lab/labreport.h"
#include "ui/widgets/headedmodel.h"

#include <QtCore/QAbstractTableModel>

namespace lockscope::ui {

/// Runs side by side, the newest last.
class LabRunModel : public HeadedModel<QAbstractTableModel>
{
    Q_OBJECT
public:
    explicit LabRunModel(QObject *parent = nullptr);

    void add(const LabReport &report);
    void clear();
    const QList<LabReport> &reports() const { return m_reports; }
    /// Of a harm that none of the runs has done; the first kind of harm stays, so that it is seen that there was none.
    bool isOfNoRun(int column) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    QString text(const LabReport &report, int column) const;

    QList<LabReport> m_reports;
};

} // namespace lockscope::ui
