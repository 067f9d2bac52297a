// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QWidget>

class QSvgRenderer;

namespace lockscope::ui {

class LabRunModel;

/// Runs side by side as bars; as high as its width needs.
class RunChart : public QWidget
{
    Q_OBJECT
public:
    /// `runs` is not owned and must outlive the chart.
    explicit RunChart(const LabRunModel *runs, QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void draw();

    const LabRunModel *m_runs;
    QSvgRenderer *m_picture;
};

} // namespace lockscope::ui
