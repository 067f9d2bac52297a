// SPDX-License-Identifier: MIT
#pragma once

#include "indexpicture.h"

#include <QtWidgets/QWidget>

namespace lockscope::ui {

/// Shows the indexes of a lesson with the locks on them.
class IndexRuler : public QWidget
{
    Q_OBJECT
public:
    explicit IndexRuler(QWidget *parent = nullptr);

    /// `sessions` in the order of their colours.
    void show(const LessonMoment &moment, const QStringList &sessions);
    void clear() { show({}, {}); }
    const IndexPicture &picture() const { return m_picture; }

    QSize sizeHint() const override { return m_picture.size(font()); }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    IndexPicture m_picture;
};

} // namespace lockscope::ui
