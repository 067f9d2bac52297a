// SPDX-License-Identifier: MIT
// What inspectors are made of.
#include "strict.h"
#include "ui/widgets/inspectorparts.h"

#include <QtTest/QTest>
#include <QtWidgets/QGridLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QScrollArea>

using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

class TestInspectorParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(OffscreenWarning); }
    void wrappedFactsAreShownWhole();
};

/// A line that wraps takes two, beside others that do not.
void TestInspectorParts::wrappedFactsAreShownWhole()
{
    QWidget body;
    auto *facts = makeFacts(&body);
    QLabel *account = addFact(facts, u"Account"_s);
    QLabel *rows = addFact(facts, u"Rows"_s);
    body.setFixedWidth(260);
    account->setText(u"root@localhost"_s);
    rows->setText(QStringList(8, u"shop.orders PRIMARY (1), X,REC_NOT_GAP"_s).join(u'\n'));
    body.show();
    body.resize(260, facts->heightForWidth(260));
    QVERIFY(rows->heightForWidth(rows->width()) > 12 * rows->fontMetrics().height());
    QCOMPARE(rows->height(), rows->heightForWidth(rows->width()));
    QCOMPARE(account->height(), account->heightForWidth(account->width()));
}

QTEST_MAIN(TestInspectorParts)
#include "tst_inspectorparts.moc"
