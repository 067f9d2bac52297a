#pragma once

#include "lab/labrunner.h"
#include "page.h"

class QHBoxLayout;
class QLabel;
class QPushButton;
class QTableView;
class QToolButton;

namespace lockscope::ui {

class ChartLegend;
class LabForm;
class LabRunModel;
class LaneView;
class MessageBar;

/// Contention on purpose: choose a load, start it, do harm to it, watch; then put runs side by side.
class LabPage : public Page
{
    Q_OBJECT
public:
    /// `link` is not owned and must outlive the page.
    explicit LabPage(ServerLink *link, QWidget *parent = nullptr);
    ~LabPage() override;

    QString title() const override { return tr("Lab"); }
    QString iconName() const override;
    QString help() const override;
    void focusFilter() override;
    bool closeLast() override;
    QStringList exportFormats() const override;
    QByteArray exported(const QString &format) const override;

    LabForm *form() const { return m_form; }
    LaneView *lanes() const { return m_lanes; }
    LabRunModel *runs() const { return m_runs; }
    LabRunner *runner() const { return m_runner; }
    /// What is chosen, once; or the engine's three modes after each other.
    void start();
    void startAllModes();
    void inject(LabFault::Kind kind);
    QString counter(int harm) const;

protected:
    void changeEvent(QEvent *event) override;

private:
    void setupForm();
    void setupFaults(QHBoxLayout *row);
    void setupCounters(QHBoxLayout *row);
    void setupRuns();
    void startPlans(const QList<LabPlan> &plans);
    void onBegun(const LabPlan &plan);
    void onProgress(const LabProgress &progress);
    void onEnded(const LabResult &result);
    void onChanged();
    void openRun();
    void showCounts(const LabCounts &counts, quint64 oversold);

    ServerLink *m_link;
    LabRunner *m_runner;
    MessageBar *m_error;
    LabForm *m_form;
    QPushButton *m_start;
    QPushButton *m_startAll;
    QLabel *m_state;
    QList<QLabel *> m_counters;
    QList<QToolButton *> m_faults;
    QToolButton *m_pause;
    ChartLegend *m_legend;
    LaneView *m_lanes;
    LabRunModel *m_runs;
    QTableView *m_table;
    LabPlan m_running;
};

} // namespace lockscope::ui
