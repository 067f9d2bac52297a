// SPDX-License-Identifier: MIT
#include "environmentpassword.h"

namespace lockscope {

QString takeEnvironmentPassword()
{
    constexpr auto name = "LOCKSCOPE_PASSWORD";
    QString password = qEnvironmentVariable(name);
    qunsetenv(name);
    return password;
}

} // namespace lockscope
