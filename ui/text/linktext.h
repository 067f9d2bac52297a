// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QCoreApplication>
#include <QtCore/QString>

namespace lockscope::ui {

/// What one page has, as the others that lead to it name it.
class LinkText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::LinkText)
public:
    /// Of the lab; an unknown one as it is.
    static QString scenario(const QString &name);
    /// In which lessons are read, as far as they are there: "en" or "zh_CN".
    static QString lessonLanguage();
};

} // namespace lockscope::ui
