// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QStringList>

namespace lockscope::test {

/// What a program in BeanShell that uses Apache Curator has on its class path, where Debian puts it.
inline QStringList curatorJars()
{
    QStringList jars;
    for (const char *const name : {"bsh", "curator-client", "curator-framework", "curator-recipes", "guava",
                                   "zookeeper", "zookeeper-jute", "slf4j-api", "slf4j-nop"})
        jars.append(QStringLiteral("/usr/share/java/%1.jar").arg(QLatin1String(name)));
    return jars;
}

} // namespace lockscope::test
