// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QWidget>

class QLabel;
class QTableView;

namespace lockscope::ui {

class LabRunModel;
class RunChart;

/// Runs side by side: a table, and the same as bars. Opens saved ones.
class RunsPanel : public QWidget
{
    Q_OBJECT
public:
    explicit RunsPanel(QWidget *parent = nullptr);

    LabRunModel *model() const { return m_runs; }
    /// Adds the runs of a file; tells what is wrong with it.
    void open(const QString &fileName);

Q_SIGNALS:
    /// `small` is for the small print.
    void failed(const QString &text, const QString &small);

private:
    void setupTable();
    void fitColumns();
    void choose();

    LabRunModel *m_runs;
    QTableView *m_table;
    RunChart *m_chart;
    QLabel *m_unlike;
};

} // namespace lockscope::ui
