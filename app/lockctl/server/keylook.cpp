// SPDX-License-Identifier: MIT
#include "keylook.h"

#include "sources/sourceconventions.h"
#include "terminal/output.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

void lookForKeys(LockSource &source, bool withGuesses)
{
    const QList<ConventionFile> faulty = useAllConventions(source, withGuesses);
    for (const ConventionFile &file : faulty)
        printError(
            u"%1:%2: %3"_s.arg(printable(file.path)).arg(file.fault()->line).arg(printable(file.fault()->reason)));
}

void warnAboutKeys(const KeyLocks &found)
{
    if (found.isCut)
        printError(u"only %1 locks of other programs are shown; there are more."_s.arg(found.rows.size()));
    if (found.unreadable > 0)
        printError(
            u"%1 keys or folders may not be read by this account, and may be or have locks."_s.arg(found.unreadable));
}

} // namespace lockscope::ctl
