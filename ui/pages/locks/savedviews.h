// SPDX-License-Identifier: MIT
#pragma once

#include "locks/locklist.h"

#include <QtWidgets/QToolButton>

class QSettings;

namespace lockscope::ui {

/// A way to look at the list that a person gave a name: filter, buttons and order.
struct SavedView
{
    QString name;
    LockView view;
};

/// In the order of their names.
QList<SavedView> loadViews(QSettings &settings);
/// One of the same name is replaced.
void saveView(QSettings &settings, const SavedView &view);
void removeView(QSettings &settings, const QString &name);

/// A button with the saved views: choosing one shows it, the last entries save what is shown now and remove one.
class SavedViews : public QToolButton
{
    Q_OBJECT
public:
    explicit SavedViews(QWidget *parent = nullptr);

    /// What is shown now, to be saved.
    void setShown(const LockView &view) { m_shown = view; }

Q_SIGNALS:
    void chosen(const lockscope::LockView &view);

private:
    void fill();
    void save();

    LockView m_shown;
};

} // namespace lockscope::ui
