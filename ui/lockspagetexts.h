#pragma once

#include <QtCore/QCoreApplication>
#include <QtCore/QString>

namespace lockscope {
struct LockListUpdate;
}

namespace lockscope::ui {

class EmptyState;
class ServerLink;

/// The longer texts of the locks page.
class LocksPageTexts
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::LocksPage)
public:
    static QString help();
    /// What has to be known about the list as a whole; empty = nothing.
    static QString notice(const LockListUpdate &last);
    /// Says why there is no row, and what to try.
    static void explainEmptyList(const ServerLink &link, bool isFiltered, EmptyState *empty);
};

} // namespace lockscope::ui
