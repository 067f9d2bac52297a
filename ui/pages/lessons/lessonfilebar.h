// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QWidget>

class QPushButton;

namespace lockscope::ui {

/// Opens files as lessons of one's own, and takes them off the list again.
class LessonFileBar : public QWidget
{
    Q_OBJECT
public:
    explicit LessonFileBar(QWidget *parent = nullptr);

    QPushButton *openButton() const { return m_open; }
    QPushButton *takeOffButton() const { return m_takeOff; }
    /// One of one's own is chosen: its path; empty: none.
    void setCurrent(const QString &path);

Q_SIGNALS:
    void opened(const QStringList &paths);
    void takenOff(const QString &path);

private:
    void ask();

    QPushButton *m_open;
    QPushButton *m_takeOff;
    QString m_current;
};

} // namespace lockscope::ui
