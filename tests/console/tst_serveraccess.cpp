// SPDX-License-Identifier: MIT
// What may be changed on a server is decided in one place, and by the server, not by the way to it.
#include "console/serveraccess.h"

#include <QtCore/QSettings>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace lockscope;
using namespace Qt::StringLiterals;

namespace {

ServerUrl parsed(const QString &text)
{
    ServerUrl url;
    QString error;
    if (!ServerUrl::parse(text, &url, &error))
        qFatal("%ls", qUtf16Printable(error));
    return url;
}

} // namespace

class TestServerAccess : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingIsChangedUnlessSomebodyChoseTo();
    void aServerIsKnownByItsPlace_data();
    void aServerIsKnownByItsPlace();
    void aTagIsOfTheServerByWhateverWay();
    void aServerIsAlsoKnownByWhatItCallsItself();
};

void TestServerAccess::nothingIsChangedUnlessSomebodyChoseTo()
{
    QVERIFY(ServerAccess().refusal());
    QVERIFY(ServerAccess::toLook(false).refusal());
    QVERIFY(!ServerAccess::toAct().refusal());
    QVERIFY(!ServerAccess::toAct(true).refusal());
    QVERIFY(!ServerAccess().refusalOfLab());
    QVERIFY(ServerAccess::toAct(true).refusalOfLab());
}

void TestServerAccess::aServerIsKnownByItsPlace_data()
{
    QTest::addColumn<QString>("one");
    QTest::addColumn<QString>("other");
    QTest::addColumn<bool>("isSame");
    QTest::newRow("another user and schema") << u"mysql://ops@db1/locks"_s << u"mysql://root@db1:3306/shop"_s << true;
    QTest::newRow("another way to write it") << u"mysql://ops@db1/locks"_s << u"mysql://ops@DB1./locks"_s << true;
    QTest::newRow("this machine") << u"mysql://ops@127.0.0.1/locks"_s << u"mysql://ops@localhost/locks"_s << true;
    QTest::newRow("another port") << u"mysql://ops@db1/locks"_s << u"mysql://ops@db1:3307/locks"_s << false;
    QTest::newRow("another host") << u"mysql://ops@db1/locks"_s << u"mysql://ops@db10/locks"_s << false;
    QTest::newRow("the same socket") << u"mysql://ops@localhost/locks?socket=%2Ftmp%2Fs"_s
                                     << u"mysql://root@localhost/x?socket=%2Ftmp%2F..%2Ftmp%2Fs"_s << true;
    QTest::newRow("another socket") << u"mysql://ops@localhost/locks?socket=%2Ftmp%2Fs"_s
                                    << u"mysql://ops@localhost/locks?socket=%2Ftmp%2Ft"_s << false;
}

void TestServerAccess::aServerIsKnownByItsPlace()
{
    QFETCH(QString, one);
    QFETCH(QString, other);
    QTEST(isSameServer(parsed(one), parsed(other)), "isSame");
    QTEST(isSameServer(parsed(other), parsed(one)), "isSame");
}

void TestServerAccess::aTagIsOfTheServerByWhateverWay()
{
    QTemporaryDir home;
    QSettings settings(home.filePath(u"s.conf"_s), QSettings::IniFormat);
    settings.beginWriteArray(u"servers"_s);
    for (int i = 0; i < 3; ++i) {
        settings.setArrayIndex(i);
        settings.setValue(u"url"_s, u"mysql://ops@db%1/locks"_s.arg(i));
        settings.setValue(u"production"_s, i == 2);
    }
    settings.endArray();
    QVERIFY(isProductionServer(settings, parsed(u"mysql://root@db2/other"_s)));
    QVERIFY(!isProductionServer(settings, parsed(u"mysql://ops@db1/locks"_s)));
    QVERIFY(!isProductionServer(settings, parsed(u"mysql://ops@db3/locks"_s)));
}

void TestServerAccess::aServerIsAlsoKnownByWhatItCallsItself()
{
    QTemporaryDir home;
    QSettings settings(home.filePath(u"s.conf"_s), QSettings::IniFormat);
    settings.beginWriteArray(u"servers"_s);
    const QStringList names{u"db0:3306 4c2f"_s, u"db1:3306 77aa"_s, QString()};
    for (int i = 0; i < 3; ++i) {
        settings.setArrayIndex(i);
        settings.setValue(u"ownName"_s, names[i]);
        settings.setValue(u"production"_s, i > 0);
    }
    settings.endArray();
    QVERIFY(isProductionByOwnName(settings, names[1]));
    QVERIFY(!isProductionByOwnName(settings, names[0])); // is not tagged
    QVERIFY(!isProductionByOwnName(settings, names[2])); // never answered
    QVERIFY(!isProductionByOwnName(settings, u"db1:3306 ffff"_s));
}

QTEST_GUILESS_MAIN(TestServerAccess)
#include "tst_serveraccess.moc"
