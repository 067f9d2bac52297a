// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QPointer>
#include <QtWidgets/QAbstractItemView>
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
    /// Keys that go up and down move in this list, while the text keeps the focus; Return, and Del behind the text, go
    /// there. Not owned.
    void setList(QAbstractItemView *list) { m_list = list; }

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    bool isForList(int key) const;
    void enterList();

    QPointer<QAbstractItemView> m_list;
};

} // namespace lockscope::ui
