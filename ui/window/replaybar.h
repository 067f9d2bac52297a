// SPDX-License-Identifier: MIT
#pragma once

#include "feeds/replayfeed.h"

#include <QtWidgets/QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QMenu;
class QSlider;
class QToolButton;

namespace lockscope::ui {

class ElidedLabel;
class ServerConnection;
class TimeSlider;

/// Above the pages while they show a recording: that they do, of when, and the way through time.
class ReplayBar : public QWidget
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the bar.
    explicit ReplayBar(ServerConnection *connection, QWidget *parent = nullptr);

    QSlider *slider() const;
    QLineEdit *timeField() const { return m_goTo; }
    /// What is shown, as the bar says it.
    QString text() const;
    QAction *previousIncident() const { return m_previous; }
    QAction *nextIncident() const { return m_next; }

Q_SIGNALS:
    /// Its moment is asked for.
    void incidentChosen(const lockscope::Incident &incident);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void layOut();
    void showEnds();
    void onServer();
    void onOpened(const RecordingInfo &info, const QList<Incident> &incidents);
    void onMoment(const ReplayedMomentPtr &moment);
    void fillIncidents();
    void showAt(ServerTime at);
    void showText();
    void goTo();
    void choose(const Incident &incident);
    void stepTo(int direction);
    ServerTime timeOf(int value) const;
    int valueOf(ServerTime time) const;

    ServerConnection *const m_connection;
    QAction *m_previous;
    QAction *m_next;
    QLabel *m_badge;
    QLabel *m_time;
    QLineEdit *m_goTo;
    ElidedLabel *m_notice;
    QLabel *m_from;
    QLabel *m_to;
    TimeSlider *m_slider;
    QToolButton *m_incidents;
    QMenu *m_menu;
    RecordingInfo m_info;
    QList<Incident> m_found;
    ServerTime m_at{};
    QString m_said; ///< what the field had to say of the last time that was written in it
    ReplayedMomentPtr m_moment;
};

} // namespace lockscope::ui
