// SPDX-License-Identifier: MIT
#include "storetarget.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

std::optional<LockError> withStorePassword(const QString &url, const QString &password, const ConnectWith &connect)
{
    return tryPasswords(password, storeKeyringName(url), u"Password of %1: "_s.arg(url), connect);
}

} // namespace lockscope::ctl
