// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"
#include "ui/server/backgroundcalls.h"

#include <QtCore/QFileInfo>

namespace lockscope::ui {

/// Saves what a page shows. The files are made and written in another thread: a page may show very much.
class PageExport : public QObject
{
    Q_OBJECT
public:
    /// `messages` say how it went; neither is owned, and both must outlive it.
    PageExport(MessageBar *messages, QWidget *window);

    /// Asks for a file and writes it, with those that it refers to.
    void ask(const Page &page);

private:
    void onMade(const QFileInfo &wanted, const Page::Files &files);
    bool mayReplace(const QStringList &files);

    MessageBar *m_messages;
    QWidget *m_window;
    BackgroundCalls m_calls;
};

} // namespace lockscope::ui
