// SPDX-License-Identifier: MIT
#pragma once

#include "lab/labrunner.h"
#include "ui/pages/page.h"
#include "ui/server/serverprofile.h"

#include <optional>

class QLabel;
class QPushButton;
class QTabWidget;

namespace lockscope::ui {

class ChartLegend;
class ElidedLabel;
class FaultBar;
class HarmTiles;
class LabForm;
class LabRunModel;
class LaneBar;
class LaneView;
class RunsPanel;

/// Contention on purpose: choose a load, start it, do harm to it, watch; then put runs side by side.
class LabPage : public Page
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the page.
    explicit LabPage(ServerConnection *connection, QWidget *parent = nullptr);
    ~LabPage() override;

    QString help() const override;
    void focusFilter() override;
    bool closeLast() override;
    QStringList exportFormats() const override;
    QByteArray exported(const QString &format) const override;
    FilesMaker exportedFiles(const QString &format, const QString &baseName) const override;

    LabForm *form() const { return m_form; }
    LaneView *lanes() const { return m_lanes; }
    LabRunModel *runs() const;
    RunsPanel *runsPanel() const { return m_runs; }
    HarmTiles *harm() const { return m_harm; }
    QString verdict() const;
    LabRunner *runner() const { return m_runner; }
    /// What is chosen, once; or the engine's three modes one after the other. Asks first where the server is not ours.
    void start();
    void startAllModes();
    void inject(LabFault::Kind kind);
    void showRuns(bool shown);
    /// Chooses it, and the mode where there is one, unless a run is going on.
    void showScenario(const QString &name, std::optional<LabWay> way = {});
    /// The load to choose from; folded it leaves the room to the picture.
    void showForm(bool shown);
    /// Goes on with what another page, which is about to go, has and does: its run too.
    void takeOver(LabPage *other);
    /// lockctl; beside this program, unless somebody says otherwise.
    void setWorkerProgram(const QString &program) { m_workerProgram = program; }

Q_SIGNALS:
    /// By its name.
    void lessonRequested(const QString &id);

protected:
    void changeEvent(QEvent *event) override;

private:
    QWidget *makeForm();
    QWidget *makeView();
    void connectRunner();
    void showCounts(const LabPlan &plan, const LabCounts &counts);
    void leaveRoomForLanes();
    QWidget *makeRunView();
    void startPlans(const QList<LabPlan> &plans);
    bool isThere() const;
    bool isAgreed(const QList<LabPlan> &plans);
    void onBegun(const LabPlan &plan);
    void onProgress(const LabProgress &progress);
    void onEnded(const LabResult &result);
    void onFinished();
    void onChanged();
    void showHint();

    LabRunner *m_runner;
    LabForm *m_form;
    QWidget *m_formBox = nullptr;
    QPushButton *m_load;
    QPushButton *m_start;
    QPushButton *m_startAll;
    QLabel *m_verdict;
    ElidedLabel *m_state;
    HarmTiles *m_harm;
    FaultBar *m_faults;
    QTabWidget *m_tabs;
    LaneBar *m_laneBar = nullptr;
    ChartLegend *m_legend;
    LaneView *m_lanes;
    RunsPanel *m_runs;
    QString m_workerProgram;
    std::optional<LockError> m_failure; ///< of the last run, until something else is wanted
    LabPlan m_running;
    LabCounts m_counts;
    ServerProfile m_loaded; ///< the server of the run
    qsizetype m_plans = 0;  ///< how many were asked for at once
};

} // namespace lockscope::ui
