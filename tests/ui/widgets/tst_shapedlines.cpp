// SPDX-License-Identifier: MIT
// A line that was kept must look as one that is painted anew.
#include "strict.h"

#include "ui/widgets/shapedlines.h"

#include <QtGui/QImage>
#include <QtGui/QPainter>
#include <QtTest/QTest>

using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr QRect kCell(4, 2, 90, 22);

template<typename Paint>
QImage painted(const QFont &font, Paint paint)
{
    QImage image(100, 26, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setFont(font);
    painter.setPen(Qt::black);
    paint(&painter);
    return image;
}

} // namespace

class TestShapedLines : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void aLineLooksAsIfPaintedAnew_data();
    void aLineLooksAsIfPaintedAnew();
    void anotherFontIsShapedAnew();
};

void TestShapedLines::aLineLooksAsIfPaintedAnew_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("alignment");
    QTest::addColumn<int>("elide");
    QTest::addColumn<bool>("isStruckOut");
    const int left = int(Qt::AlignLeft | Qt::AlignVCenter);
    const int right = int(Qt::AlignRight | Qt::AlignVCenter);
    QTest::newRow("short") << u"stock"_s << left << int(Qt::ElideRight) << false;
    QTest::newRow("right") << u"59 s"_s << right << int(Qt::ElideRight) << false;
    QTest::newRow("too long") << u"a name that is much too long"_s << left << int(Qt::ElideRight) << false;
    QTest::newRow("cut in its middle") << u"a name that is much too long"_s << left << int(Qt::ElideMiddle) << false;
    QTest::newRow("struck out") << u"stock"_s << left << int(Qt::ElideRight) << true;
    QTest::newRow("two lines") << u"one\ntwo"_s << left << int(Qt::ElideRight) << false;
    QTest::newRow("markup") << u"<b>1</b>"_s << left << int(Qt::ElideRight) << false;
    QTest::newRow("nothing") << QString() << left << int(Qt::ElideRight) << false;
}

void TestShapedLines::aLineLooksAsIfPaintedAnew()
{
    QFETCH(const QString, text);
    QFETCH(const int, alignment);
    QFETCH(const int, elide);
    QFETCH(const bool, isStruckOut);
    QFont font;
    font.setStrikeOut(isStruckOut);
    const QImage anew = painted(font, [&](QPainter *painter) {
        const QString shown = painter->fontMetrics().elidedText(text, Qt::TextElideMode(elide), kCell.width());
        painter->drawText(kCell, alignment | Qt::TextSingleLine, shown);
    });
    ShapedLines lines;
    for (int i = 0; i < 2; ++i) { // shaped, and kept
        const QImage kept = painted(font, [&](QPainter *painter) {
            lines.paint(painter, kCell, Qt::Alignment(alignment), text, Qt::TextElideMode(elide));
        });
        QCOMPARE(kept, anew);
    }
}

void TestShapedLines::anotherFontIsShapedAnew()
{
    ShapedLines lines;
    const auto paint = [&lines](QPainter *painter) {
        lines.paint(painter, kCell, Qt::AlignLeft | Qt::AlignVCenter, u"stock"_s, Qt::ElideRight);
    };
    QFont large;
    large.setPointSize(large.pointSize() + 6);
    const QImage small = painted(QFont(), paint);
    QVERIFY(painted(large, paint) != small);
    QCOMPARE(painted(QFont(), paint), small);
}

QTEST_MAIN(TestShapedLines)
#include "tst_shapedlines.moc"
