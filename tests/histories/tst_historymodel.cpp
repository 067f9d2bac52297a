// The model of histories, the generator and the shrinking, without any server.
#include "generator.h"
#include "kinds.h"
#include "runner.h"
#include "shrink.h"

#include <QtTest/QTest>

using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestHistoryModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyHistoryIsAScenario();
};

void TestHistoryModel::everyHistoryIsAScenario()
{
    for (const QString &mode : knownModes()) {
        QMap<Move::Kind, int> made;
        qsizetype steps = 0;
        for (quint64 seed = 1; seed <= 400; ++seed) {
            const History history = generate(mode, seed);
            QList<Scenario> scenarios;
            QString error;
            QVERIFY2(parseScenarios(u"history"_s, history.scenario(), &scenarios, &error), qPrintable(error));
            const QString mistake = Runner::mistakeIn(scenarios.first());
            QVERIFY2(mistake.isEmpty(), qPrintable(mistake));
            steps += scenarios.first().steps.size();
            for (const Move &move : history.moves)
                ++made[move.kind];
        }
        for (const KindOfMove &kind : kindsOfMoves())
            qInfo("%s %s %d", qPrintable(mode), kind.name, made[kind.kind]);
        qInfo("%lld", steps);
    }
}

QTEST_GUILESS_MAIN(TestHistoryModel)
#include "tst_historymodel.moc"
