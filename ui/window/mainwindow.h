// SPDX-License-Identifier: MIT
#pragma once

#include "ui/server/backgroundcalls.h"
#include "ui/style/appearance.h"

#include <QtWidgets/QMainWindow>

class QStackedWidget;

namespace lockscope {
struct AuditEntry;
struct Incident;
struct LockKey;
} // namespace lockscope

namespace lockscope::ui {

class AlarmBar;
class DeadlocksPage;
class EventsPage;
class FlatHeader;
class KeyReleaseController;
class KillController;
class LabPage;
class LessonsPage;
class LatencyPage;
class LocksPage;
class MessageBar;
class Page;
class PageExport;
class PageRail;
class PreparedController;
class RecordControl;
class ReplayBar;
class ReleaseController;
class TableReleaseController;
class ServerChooser;
class ServerConnection;
struct ServerProfile;
class StatusLine;
class TopBar;
class WaitsPage;
class WindowActions;

/// The window: routes between pages, connection and dialogs, and does nothing else.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the window.
    explicit MainWindow(ServerConnection *connection, QWidget *parent = nullptr);

    ServerChooser *chooser() const { return m_chooser; }
    /// The server that was looked at last time, as a button of the message bar.
    void offerLast();
    LocksPage *locksPage() const { return m_locks; }
    WaitsPage *waitsPage() const { return m_waits; }
    DeadlocksPage *deadlocksPage() const { return m_deadlocks; }
    LatencyPage *latencyPage() const { return m_latency; }
    LabPage *labPage() const { return m_lab; }
    LessonsPage *lessonsPage() const { return m_lessons; }
    EventsPage *eventsPage() const { return m_events; }
    AlarmBar *alarmBar() const { return m_alarms; }
    /// What it says beside its pages and alarms.
    MessageBar *messageBar() const { return m_messages; }
    KillController *killController() const { return m_kills; }
    PreparedController *preparedController() const { return m_prepared; }
    KeyReleaseController *keyReleaseController() const { return m_keyReleases; }
    TableReleaseController *tableReleaseController() const { return m_tableReleases; }
    StatusLine *statusLine() const { return m_status; }
    ReplayBar *replayBar() const { return m_replay; }
    RecordControl *recordControl() const { return m_record; }
    void showPage(int page);
    int page() const;
    void clearMessage();
    /// Geometry and the like are remembered under the application's settings; the tour does not want that.
    void setRemembersState(bool remembers) { m_remembersState = remembers; }
    void restoreState();
    void saveState();
    /// What the menus show as chosen.
    void setAppearance(const Appearance &appearance);

Q_SIGNALS:
    /// Somebody has to start the simulated services on the private server, and show that.
    void demoWanted();
    /// Texts are set when a window is made: somebody has to make another one.
    void appearanceChosen(const lockscope::ui::Appearance &appearance);

protected:
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void setupPages();
    void setupFrame();
    void connectActions();
    void connectSignals();
    void connectDesks();
    void addPage(Page *page);
    void chooseAppearance();
    void askOperatorMode();
    void addServer(const ServerProfile &profile);
    void tellRefused(const QString &why);
    void showLock(const LockKey &key);
    void showSession(quint64 session);
    void showIncident(const Incident &incident);
    void showLesson(const QString &id);
    void showScenario(const QString &link);
    void openPalette();
    void offerRecord(const AuditEntry &act);
    /// Sessions are still being ended; tells so.
    bool isEnding();
    void showHelp();
    void showAbout();
    void updateVisibility();
    void showBarsOnPage();
    Page *currentPage() const;
    QList<FlatHeader *> headers() const;

    ServerConnection *m_connection;
    ServerChooser *m_chooser;
    WindowActions *m_actions;
    PageRail *m_rail;
    QStackedWidget *m_stack;
    MessageBar *m_messages;
    PageExport *m_export;
    QString m_refused; ///< what it said of an action that operator mode would allow
    AlarmBar *m_alarms;
    KillController *m_kills = nullptr;
    PreparedController *m_prepared = nullptr;
    ReleaseController *m_releases = nullptr;
    KeyReleaseController *m_keyReleases = nullptr;
    TableReleaseController *m_tableReleases = nullptr;
    LocksPage *m_locks;
    WaitsPage *m_waits;
    DeadlocksPage *m_deadlocks;
    LatencyPage *m_latency;
    LabPage *m_lab;
    EventsPage *m_events;
    LessonsPage *m_lessons;
    TopBar *m_top = nullptr;
    ReplayBar *m_replay = nullptr;
    RecordControl *m_record = nullptr;
    StatusLine *m_status;
    Appearance m_appearance;
    bool m_remembersState = true;
    BackgroundCalls m_calls; ///< of palettes, which may be gone before the answer
};

} // namespace lockscope::ui
