// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QLineEdit>

namespace lockscope::ui {

/// Where a page's list is filtered.
class FilterEdit : public QLineEdit
{
    Q_OBJECT
public:
    /// `hint` says by what: "Filter by session or lock".
    explicit FilterEdit(const QString &hint, QWidget *parent = nullptr);

    /// The focus comes here, and what is typed replaces what is there.
    void take();
};

} // namespace lockscope::ui
