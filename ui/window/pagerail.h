// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QWidget>

class QButtonGroup;
class QVBoxLayout;

namespace lockscope::ui {

class RailButton;

/// The pages at the left: icon and word, and a badge for what needs a person.
class PageRail : public QWidget
{
    Q_OBJECT
public:
    explicit PageRail(QWidget *parent = nullptr);

    void addPage(const QString &title, const QString &iconName, const QString &shortcut);
    void setCurrent(int page);
    /// 0 = no badge.
    void setBadge(int page, int count, const QString &meaning);

Q_SIGNALS:
    void chosen(int page);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QVBoxLayout *m_layout;
    QButtonGroup *m_group;
    QList<RailButton *> m_buttons;
};

} // namespace lockscope::ui
