// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QCoreApplication>
#include <QtCore/QString>

namespace lockscope::ui {

/// Notes, warnings and reasons of the profiles and conventions that come with Lockscope (resources/profiles and
/// resources/conventions), in the window's language.
class TableProfileText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::TableProfileText)
public:
    /// `text` as one of them has it. A user's own comes back as it is.
    static QString of(const QString &text);
};

} // namespace lockscope::ui
