// SPDX-License-Identifier: MIT
// One process of tests/stores/etcd/tst_etcdnemesis.cpp: see nemesiswork.h.
//   etcdnemesis URL TTL_MS TALLY_FILE
#include "nemesiswork.h"

#include "lockscope/etcdstore.h"

#include <QtCore/QCoreApplication>

#include <cstdio>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    EtcdConfig config;
    QString wrong;
    if (argc != 4 || !EtcdUrl::parse(QString::fromLocal8Bit(argv[1]), &config.server, &wrong)) {
        std::fprintf(stderr, "etcdnemesis URL TTL_MS TALLY_FILE: %s\n", qPrintable(wrong));
        return 64;
    }
    EtcdStore store(config);
    // The token is the place in the queue too.
    return runNemesisWork({store, std::chrono::milliseconds(QByteArray(argv[2]).toInt()), 20ms},
                          QString::fromLocal8Bit(argv[3]));
}
