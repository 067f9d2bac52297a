// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QDialog>

namespace lockscope::ui {

/// Name, version, licence.
class AboutDialog : public QDialog
{
    Q_OBJECT
public:
    explicit AboutDialog(QWidget *parent = nullptr);
};

} // namespace lockscope::ui
