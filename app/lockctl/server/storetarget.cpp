// SPDX-License-Identifier: MIT
#include "storetarget.h"

#include "terminal/password.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

std::optional<LockError> withStorePassword(
    const QString &url, const QString &password,
    const std::function<std::optional<LockError>(const QString &password)> &connect)
{
    auto error = connect(password);
    if (!error || error->kind != LockError::Kind::AccessDenied || !password.isEmpty() || !canAskForPassword())
        return error;
    const auto asked = askForPassword(u"Password of %1: "_s.arg(url));
    return asked ? connect(*asked) : error;
}

} // namespace lockscope::ctl
