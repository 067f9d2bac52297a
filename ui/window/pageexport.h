// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

class QWidget;

namespace lockscope::ui {

class MessageBar;
class Page;

/// Saves what a page shows.
class PageExport
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::PageExport)
public:
    /// Asks for a file and writes it, with those that it refers to; `messages` say how it went.
    static void ask(const Page &page, MessageBar *messages, QWidget *window);

private:
    static bool mayReplace(const QStringList &files, QWidget *window);
};

} // namespace lockscope::ui
