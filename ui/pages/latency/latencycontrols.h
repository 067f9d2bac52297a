// SPDX-License-Identifier: MIT
#pragma once

#include "latency/latencypicture.h"
#include "ui/charts/timechart.h"

#include <QtWidgets/QWidget>

class QComboBox;
class QHBoxLayout;
class QToolButton;

namespace lockscope::ui {

/// What the latency page shows: period, what is measured, mode, program, resources, and what it is compared with.
class LatencyControls : public QWidget
{
    Q_OBJECT
public:
    explicit LatencyControls(QWidget *parent);

    /// `range`: a period that was chosen by hand, in place of the one chosen here.
    LatencyQuestion question(const std::optional<TimeChart::Range> &range) const;
    QByteArray mode() const;
    /// None: all resources.
    std::optional<QByteArray> prefix() const;
    /// The words of what it is compared with.
    QString comparison() const;
    void focusMode();
    /// Lets the programs and prefixes of a picture be chosen; those that were there stay.
    void offer(const LatencyPicture &picture);
    /// Another server: its programs and prefixes are not known.
    void forget();
    /// This program and prefix alone, or all where it was these. Tells nobody.
    void toggle(const LatencyRank &rank);
    /// All programs and resources; false where it was all already.
    bool chooseAll();
    /// Whether there is a way back from a period that was chosen by hand.
    void setNowOffered(bool isOffered);
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// Another question.
    void changed();
    /// The same picture is to be drawn otherwise.
    void modeChanged();
    /// The chosen length of time until now.
    void nowWanted();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QComboBox *addCombo(const QString &name, const QString &tip);
    void arrange();

    QHBoxLayout *m_first;
    QHBoxLayout *m_second; ///< of what has no room beside the others
    QComboBox *m_length;
    QComboBox *m_kind;
    QComboBox *m_mode;
    QComboBox *m_program;
    QComboBox *m_prefix;
    QComboBox *m_compare;
    QToolButton *m_now;
};

} // namespace lockscope::ui
