// SPDX-License-Identifier: MIT
#pragma once

#include "waits/serverwaits.h"

#include <QtWidgets/QFrame>

class QGridLayout;
class QLabel;
class QToolButton;

namespace lockscope::ui {

/// What cannot be seen on this server, why, and what would add it, beside what kind of server that is. One line until
/// it is unfolded; hidden where there is nothing to say.
class SourceBar : public QFrame
{
    Q_OBJECT
public:
    explicit SourceBar(QWidget *parent = nullptr);

    void setSources(const QList<SourceStatus> &sources);
    /// What has to be known of the server; empty: nothing.
    void setNote(const QString &note);
    /// Folds it; false when it was.
    bool fold();
    QToolButton *title() const { return m_title; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void open(bool isOpen);
    void showBody();
    void showLine();
    void addSource(QGridLayout *grid, const SourceStatus &status);

    QList<SourceStatus> m_limited;
    bool m_isOpen = false;
    QToolButton *m_title;
    QLabel *m_note;
    QWidget *m_body = nullptr;
};

} // namespace lockscope::ui
