// SPDX-License-Identifier: MIT
// One process of tests/stores/zookeeper/tst_zookeepernemesis.cpp: see nemesiswork.h.
//   zookeepernemesis URL SESSION_MS TALLY_FILE
#include "nemesiswork.h"

#include "lockscope/zookeeperstore.h"

#include <QtCore/QCoreApplication>

#include <cstdio>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    ZooKeeperConfig config;
    QString wrong;
    if (argc != 4 || !ZooKeeperUrl::parse(QString::fromLocal8Bit(argv[1]), &config.server, &wrong)) {
        std::fprintf(stderr, "zookeepernemesis URL SESSION_MS TALLY_FILE: %s\n", qPrintable(wrong));
        return 64;
    }
    config.sessionTimeout = std::chrono::milliseconds(QByteArray(argv[2]).toInt());
    ZooKeeperStore store(config);
    // The token is the place in the queue too.
    return runNemesisWork({store, config.sessionTimeout, 20ms}, QString::fromLocal8Bit(argv[3]));
}
