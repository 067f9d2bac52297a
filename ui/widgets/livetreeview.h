// SPDX-License-Identifier: MIT
#pragma once

#include "liveview.h"

#include <QtWidgets/QTreeView>

namespace lockscope::ui {

/// A tree whose rows change under the reader.
class LiveTreeView : public LiveView<QTreeView>
{
    Q_OBJECT
public:
    explicit LiveTreeView(QWidget *parent = nullptr);

protected:
    QModelIndex below(const QModelIndex &index) const override { return indexBelow(index); }
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
};

} // namespace lockscope::ui
