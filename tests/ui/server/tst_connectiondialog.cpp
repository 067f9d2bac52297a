// SPDX-License-Identifier: MIT
// The servers that a person knows: named, coloured, changed, removed; their passwords in a real keyring or nowhere; and
// nobody is tried again with a password that was refused.
#include "console/keyring.h"
#include "enginefixture.h"
#include "strict.h"
#include "testkeyring.h"
#include "ui/pages/events/eventspage.h"
#include "ui/pages/events/eventtablemodel.h"
#include "ui/server/connectiondialog.h"
#include "ui/server/passworddialog.h"
#include "ui/server/serverchooser.h"
#include "ui/server/serverconnection.h"
#include "ui/text/commontext.h"
#include "ui/widgets/messagebar.h"
#include "ui/window/mainwindow.h"
#include "ui/window/newwindow.h"
#include "ui/window/statusline.h"

#include <QtCore/QSettings>
#include <QtCore/QStandardPaths>
#include <QtCore/QThread>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QListWidget>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QToolButton>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 30'000;
const auto kPassword = u"Geheim 密码"_s;

/// The field behind a label.
template<typename Field>
Field *field(const QWidget &dialog, const QString &label)
{
    for (const QLabel *found : dialog.findChildren<QLabel *>()) {
        if (found->text() == label)
            return qobject_cast<Field *>(found->buddy());
    }
    qFatal("No field %ls", qUtf16Printable(label));
}

template<typename Button>
Button *button(const QWidget &dialog, const QString &text)
{
    for (auto *found : dialog.findChildren<Button *>()) {
        if (found->text() == text)
            return found;
    }
    qFatal("No button %ls", qUtf16Printable(text));
}

QCheckBox *keepBox(const QWidget &dialog)
{
    return button<QCheckBox>(dialog, u"Remember the password in the &keyring"_s);
}

void choose(const QWidget &dialog, const QString &server)
{
    auto *list = dialog.findChild<QListWidget *>();
    list->setCurrentItem(list->findItems(server, Qt::MatchExactly).value(0));
}

QStringList listed(const QWidget &dialog)
{
    const auto *list = dialog.findChild<QListWidget *>();
    QStringList names;
    for (int row = 0; row < list->count(); ++row)
        names += list->item(row)->text();
    return names;
}

std::optional<QString> kept(const ServerUrl &url)
{
    QEventLoop loop;
    std::optional<QString> password;
    Keyring::read(Keyring::nameOf(url), &loop, [&](const Keyring::Answer &answer) {
        password = answer.password;
        loop.quit();
    });
    loop.exec();
    return password;
}

} // namespace

class TestConnectionDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();

    void aServerIsSavedChangedAndRemoved();
    void settingsKeepEverythingButThePassword();
    void aTagOfProductionIsOfTheServerByWhateverWay();
    void theKeyringHasThePasswordOnlyOnWish();
    void aPasswordThatTwoServersShareStaysWithTheLast();
    void aRememberedServerOpensWithoutAQuestion();
    void onlyThePasswordIsAskedFor();
    void aServerOpenedByItsAddressStaysOnOffer();
    void anAddressIsThatOfTheServerThatIsKnown();
    void aRestartOfTheServerIsAnEvent();
    void theServerOfLastTimeIsOffered();
    void aNewWindowShowsTheSame_data();
    void aNewWindowShowsTheSame();
    void anOptionFileFillsInANewServer();
    void theColourStandsBesideTheName();
    void aRefusedPasswordIsAskedForOnce();
    void aLateAnswerSpeaksOfNoOtherServer();
    void whatTheKeyringRefusesIsToldOfItsServerAlone();
    // From here on there is no keyring.
    void withoutAKeyringTheBoxSaysSo();
    void withoutAKeyringTheServerOpensAllTheSame();

private:
    ServerProfile profile(const QString &name) const;

    TestKeyring m_keyring;
    std::unique_ptr<TestServer> m_server;
    ServerUrl m_app;
};

void TestConnectionDialog::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(u"lockscope-test"_s);
    QCoreApplication::setApplicationName(u"tst_connectiondialog"_s);
    m_keyring.start();
    m_server = std::make_unique<TestServer>();
    resetTables(*m_server);
    Observer(*m_server).run(
        u"CREATE USER app@localhost IDENTIFIED BY '%1'; GRANT ALL ON lockscope.* TO app@localhost"_s.arg(kPassword)
            .toUtf8());
    m_app = m_server->url();
    m_app.user = u"app"_s;
}

void TestConnectionDialog::init()
{
    failOnWarnings(OffscreenWarning);
    QSettings().clear();
    if (!m_keyring.isRunning())
        return;
    QEventLoop loop;
    Keyring::forget(Keyring::nameOf(m_app), &loop, [&loop](const Keyring::Answer &) { loop.quit(); });
    loop.exec();
}

ServerProfile TestConnectionDialog::profile(const QString &name) const
{
    ServerProfile profile;
    profile.name = name;
    profile.url = m_app;
    profile.tint = Tint::Green;
    return profile;
}

void TestConnectionDialog::aServerIsSavedChangedAndRemoved()
{
    ServerConnection connection;
    KnownServers servers;
    ConnectionDialog dialog(&connection, &servers);
    QCOMPARE(listed(dialog), (QStringList{u"Private server"_s, u"New server"_s}));
    choose(dialog, u"New server"_s);
    auto *save = button<QPushButton>(dialog, u"Sa&ve"_s);
    auto *remove = button<QPushButton>(dialog, u"Re&move"_s);
    QVERIFY(!save->isEnabled() && !remove->isEnabled());
    field<QLineEdit>(dialog, u"&Name"_s)->setText(u"Orders"_s);
    field<QLineEdit>(dialog, u"&Host"_s)->setText(u"db1"_s);
    field<QLineEdit>(dialog, u"&User"_s)->setText(u"ops"_s);
    save->click();
    QCOMPARE(listed(dialog), (QStringList{u"Private server"_s, u"Orders"_s, u"New server"_s}));
    QCOMPARE(dialog.findChild<QListWidget *>()->currentRow(), 1);

    field<QLineEdit>(dialog, u"&Name"_s)->setText(u"Orders 2"_s);
    field<QLineEdit>(dialog, u"Pass&word"_s)->setText(u"typed"_s);
    field<QComboBox>(dialog, u"Co&lour"_s)->setCurrentText(u"Violet"_s);
    save->click();
    QCOMPARE(dialog.password(), u"typed"_s);
    QCOMPARE(servers.list().size(), 1);
    QCOMPARE(servers.list().first().name, u"Orders 2"_s);
    QCOMPARE(servers.list().first().tint, Tint::Violet);
    QCOMPARE(servers.list().first().url.host, u"db1"_s);

    choose(dialog, u"Private server"_s);
    QVERIFY(dialog.profile().isPrivate && !remove->isEnabled());
    choose(dialog, u"Orders 2"_s);
    QCOMPARE(field<QLineEdit>(dialog, u"&Host"_s)->text(), u"db1"_s);
    remove->click();
    QCOMPARE(listed(dialog), (QStringList{u"Private server"_s, u"New server"_s}));
    QVERIFY(KnownServers().list().isEmpty());
}

void TestConnectionDialog::settingsKeepEverythingButThePassword()
{
    ServerProfile wanted = profile(u"Orders"_s);
    wanted.remembersPassword = true;
    wanted.isProduction = true;
    KnownServers servers;
    servers.put(profile(u"other"_s), {});
    servers.put(wanted, kPassword);
    QCOMPARE(KnownServers().list(), (QList{profile(u"other"_s), wanted}));
    QTRY_COMPARE(kept(m_app), std::optional(kPassword));
    QSettings settings;
    settings.sync();
    for (const QString &key : settings.allKeys())
        QVERIFY2(!settings.value(key).toString().contains(kPassword), qPrintable(key));
}

/// --url and a second entry lead there too.
void TestConnectionDialog::aTagOfProductionIsOfTheServerByWhateverWay()
{
    ServerProfile tagged;
    QString error;
    tagged.name = u"Payments"_s;
    tagged.isProduction = true;
    QVERIFY(ServerUrl::parse(u"mysql://ops@localhost/locks?socket=%2Fnowhere%2Fs"_s, &tagged.url, &error));
    KnownServers servers;
    servers.put(tagged, {});
    ServerProfile other;
    other.name = u"mysql://root@localhost"_s;
    other.url = tagged.url;
    other.url.user = u"root"_s;
    ServerConnection connection;
    connection.open(other, {});
    QVERIFY(connection.profile().isProduction);
    QVERIFY(connection.access().refusal()); // read-only too
    connection.startOperatorMode();
    QVERIFY(!connection.access().refusal());
    QVERIFY(connection.access().refusalOfLab());
    other.url.socket = u"/nowhere/t"_s;
    connection.open(other, {});
    QVERIFY(!connection.profile().isProduction);
}

void TestConnectionDialog::theKeyringHasThePasswordOnlyOnWish()
{
    ServerConnection connection;
    KnownServers servers;
    servers.put(profile(u"Orders"_s), {});
    ConnectionDialog dialog(&connection, &servers);
    choose(dialog, u"Orders"_s);
    QVERIFY(!keepBox(dialog)->isChecked());
    field<QLineEdit>(dialog, u"Pass&word"_s)->setText(kPassword);
    dialog.save();
    QCOMPARE(kept(m_app), std::optional<QString>());
    keepBox(dialog)->click();
    dialog.save();
    QTRY_COMPARE(kept(m_app), std::optional(kPassword));
    QVERIFY(keepBox(dialog)->isChecked());
    keepBox(dialog)->click();
    dialog.save();
    QTRY_COMPARE(kept(m_app), std::optional<QString>());

    keepBox(dialog)->click();
    dialog.save();
    QTRY_COMPARE(kept(m_app), std::optional(kPassword));
    button<QPushButton>(dialog, u"Re&move"_s)->click();
    QTRY_COMPARE(kept(m_app), std::optional<QString>());
}

void TestConnectionDialog::aPasswordThatTwoServersShareStaysWithTheLast()
{
    ServerProfile one = profile(u"one"_s);
    one.remembersPassword = true;
    ServerProfile two = one;
    two.name = u"two"_s;
    two.url.schema = u"other"_s;
    KnownServers servers;
    servers.put(one, kPassword);
    servers.put(two, {});
    servers.remove(u"one"_s);
    QTRY_COMPARE(kept(m_app), std::optional(kPassword));
    servers.remove(u"two"_s);
    QTRY_COMPARE(kept(m_app), std::optional<QString>());
}

void TestConnectionDialog::aRememberedServerOpensWithoutAQuestion()
{
    ServerConnection connection;
    QWidget window;
    ServerChooser chooser(&connection, &window);
    ServerProfile known = profile(u"Orders"_s);
    known.remembersPassword = true;
    chooser.servers()->put(known, kPassword);
    QTRY_COMPARE(kept(m_app), std::optional(kPassword));
    chooser.open(known);
    QTRY_COMPARE_WITH_TIMEOUT(connection.status().phase, MonitorStatus::Phase::Live, kPatience);
    QVERIFY(!window.findChild<ConnectionDialog *>());
    known.remembersPassword = false;
    chooser.open(known);
    QVERIFY(window.findChild<PasswordDialog *>()->isVisible());
}

void TestConnectionDialog::onlyThePasswordIsAskedFor()
{
    ServerConnection connection;
    QWidget window;
    window.show();
    ServerChooser chooser(&connection, &window);
    ServerProfile other = profile(u"another"_s);
    other.url.schema = u"other"_s;
    chooser.servers()->put(profile(u"Orders"_s), {});
    chooser.servers()->put(other, {});
    chooser.open(profile(u"Orders"_s));
    auto *dialog = window.findChild<PasswordDialog *>();
    QVERIFY(dialog && !window.findChild<ConnectionDialog *>());
    const auto labels = dialog->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(),
                        [](const QLabel *label) { return label->text().startsWith(u"Orders ("); }));
    // Wherever the person types, it is the password.
    dialog->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(dialog));
    QTest::keyClicks(dialog->focusWidget(), u"another"_s);
    QCOMPARE(dialog->password(), u"another"_s);
    QCOMPARE(dialog->profile(), profile(u"Orders"_s));
    field<QLineEdit>(*dialog, u"Pass&word"_s)->setText(kPassword);
    dialog->accept();
    QTRY_COMPARE_WITH_TIMEOUT(connection.status().phase, MonitorStatus::Phase::Live, kPatience);
    ServerProfile opened = connection.profile();
    QVERIFY(!opened.ownName.isEmpty());
    opened.ownName.clear(); // which only who answered has
    QCOMPARE(opened, profile(u"Orders"_s));
    QCOMPARE(chooser.servers()->list().size(), 2);
}

void TestConnectionDialog::aServerOpenedByItsAddressStaysOnOffer()
{
    ServerConnection connection;
    QWidget window;
    ServerChooser chooser(&connection, &window);
    connection.open(chooser.profileOf(m_app), kPassword);
    const ServerProfile own = ServerProfile::privateServer(u"/dev/null/else"_s); // not even root can make it
    connection.open(own, {});
    QCOMPARE(chooser.offered(), (QList{own, ServerProfile::unnamed(m_app)}));
    chooser.servers()->put(profile(u"Orders"_s), {});
    QCOMPARE(chooser.offered().size(), 2);
    QCOMPARE(chooser.offered().last(), profile(u"Orders"_s));
}

void TestConnectionDialog::anAddressIsThatOfTheServerThatIsKnown()
{
    ServerConnection connection;
    QWidget window;
    ServerChooser chooser(&connection, &window);
    ServerProfile known = profile(u"Orders"_s);
    known.isProduction = true;
    known.remembersPassword = true;
    chooser.servers()->put(known, {});
    QCOMPARE(chooser.profileOf(m_app), known);
    ServerUrl other = m_app;
    other.user = u"ops"_s;
    const ServerProfile found = chooser.profileOf(other);
    QCOMPARE(found.fullName(), known.fullName());
    QCOMPARE(found.url, other);
    QVERIFY(found.isProduction && !found.remembersPassword);
    other.socket += u"2"_s;
    QCOMPARE(chooser.profileOf(other), ServerProfile::unnamed(other));
}

void TestConnectionDialog::aRestartOfTheServerIsAnEvent()
{
    ServerConnection connection;
    QSignalSpy restarted(&connection, &ServerConnection::restarted);
    MainWindow window(&connection);
    window.setRemembersState(false);
    window.show();
    connection.open(profile(u"Orders"_s), kPassword);
    Capabilities server;
    for (const auto &[identity, count] : {std::pair{u"db1:3306@1000"_s, 0},
                                          {u"db1:3306@1001"_s, 0},
                                          {u"db1:3306@2000"_s, 1},
                                          {u"db1:3306@2000"_s, 1}}) {
        server.identity = identity;
        Q_EMIT connection.feed<WaitsFeed>()->updated(std::make_shared<ServerWaits>(), server);
        QCOMPARE(restarted.size(), count);
    }
    const EventTableModel *events = window.eventsPage()->model();
    QCOMPARE(events->index(0, EventTableModel::KindColumn).data().toString(), u"Server restarted"_s);
    QCOMPARE(restarted.first().first().value<ServerTime>(), ServerTime(std::chrono::seconds(2000)));
}

void TestConnectionDialog::theServerOfLastTimeIsOffered()
{
    {
        ServerConnection connection;
        MainWindow window(&connection);
        connection.open(profile(u"Orders"_s), kPassword);
        window.saveState();
    }
    KnownServers().put(profile(u"Orders"_s), {});
    ServerConnection connection;
    MainWindow window(&connection);
    window.setRemembersState(false);
    window.show();
    window.offerLast();
    auto *open = button<QToolButton>(window, u"Open Orders (%1)"_s.arg(CommonText::shortened(m_app.socket, 36)));
    open->click();
    QVERIFY(window.findChild<PasswordDialog *>());
}

void TestConnectionDialog::aNewWindowShowsTheSame_data()
{
    QTest::addColumn<ServerProfile>("server");
    QTest::addColumn<Appearance>("appearance");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("another server") << profile(u"Orders"_s) << Appearance{Theme::Dark, {}, false}
                                    << QStringList{u"--theme"_s, u"dark"_s, u"--url"_s, m_app.toString()};
    QTest::newRow("a folder") << ServerProfile::privateServer(u"/tmp/a b"_s) << Appearance{Theme::Light, u"en"_s, true}
                              << QStringList{u"--theme"_s,     u"light"_s, u"--language"_s, u"en"_s,
                                             u"--presenter"_s, u"--dir"_s, u"/tmp/a b"_s};
    QTest::newRow("the usual") << ServerProfile::privateServer() << Appearance()
                               << QStringList{u"--theme"_s, u"system"_s};
}

void TestConnectionDialog::aNewWindowShowsTheSame()
{
    QFETCH(ServerProfile, server);
    QFETCH(Appearance, appearance);
    QFETCH(QStringList, words);
    QCOMPARE(windowArguments(server, appearance), words);
}

void TestConnectionDialog::anOptionFileFillsInANewServer()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"my.cnf"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[client]\nuser=ops\nhost=db1\npassword=secret\n");
    file.close();
    ServerConnection connection;
    KnownServers servers;
    servers.put(profile(u"Orders"_s), {});
    ConnectionDialog dialog(&connection, &servers);
    choose(dialog, u"Orders"_s);
    file.setPermissions(QFile::ReadOwner | QFile::ReadOther);
    dialog.importFrom(file.fileName());
    const auto *message = dialog.findChild<MessageBar *>();
    QTRY_VERIFY2(message->text().contains(u"chmod 600"), qPrintable(message->text()));
    QCOMPARE(dialog.profile(), profile(u"Orders"_s));

    file.setPermissions(QFile::ReadOwner);
    dialog.importFrom(file.fileName());
    QTRY_COMPARE(dialog.password(), u"secret"_s);
    QCOMPARE(dialog.profile().url.host, u"db1"_s);
    QCOMPARE(dialog.profile().url.user, u"ops"_s);
    QVERIFY(!dialog.profile().remembersPassword);
    dialog.save();
    QCOMPARE(listed(dialog), (QStringList{u"Private server"_s, u"Orders"_s, u"db1:3306"_s, u"New server"_s}));
}

void TestConnectionDialog::theColourStandsBesideTheName()
{
    ServerConnection connection;
    MainWindow window(&connection);
    window.setRemembersState(false);
    window.show();
    const auto dots = [&] {
        const QImage image = window.grab().toImage().convertToFormat(QImage::Format_RGB32);
        const QRgb wanted = Tints::color(Tint::Green, window.palette()).rgb();
        int count = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                count += image.pixel(x, y) == wanted ? 1 : 0;
        }
        return count;
    };
    const int before = dots();
    connection.open(profile(u"Orders"_s), kPassword);
    QTRY_COMPARE_WITH_TIMEOUT(connection.status().phase, MonitorStatus::Phase::Live, kPatience);
    QTRY_VERIFY(window.statusLine()->text().startsWith(u"Orders ("));
    QVERIFY2(dots() > before + window.width(), "a stripe as wide as the window, and dots");
}

void TestConnectionDialog::aRefusedPasswordIsAskedForOnce()
{
    ServerConnection connection;
    QWidget window;
    ServerChooser chooser(&connection, &window);
    ServerProfile known = profile(u"Orders"_s);
    known.remembersPassword = true;
    chooser.servers()->put(known, u"wrong"_s);
    QTRY_COMPARE(kept(m_app), std::optional(u"wrong"_s));
    chooser.open(known);
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<PasswordDialog *>(), kPatience);
    auto *dialog = window.findChild<PasswordDialog *>();
    QVERIFY(dialog->isVisible());
    QVERIFY2(dialog->findChild<MessageBar *>()->text().contains(u"refuses this user or password"),
             qPrintable(dialog->findChild<MessageBar *>()->text()));
    QCOMPARE(dialog->profile(), known);
    field<QLineEdit>(*dialog, u"Pass&word"_s)->setText(kPassword);
    dialog->accept();
    QTRY_COMPARE_WITH_TIMEOUT(connection.status().phase, MonitorStatus::Phase::Live, kPatience);
    QTRY_COMPARE(kept(m_app), std::optional(kPassword));
}

void TestConnectionDialog::aLateAnswerSpeaksOfNoOtherServer()
{
    ServerConnection connection;
    KnownServers servers;
    servers.put(profile(u"Orders"_s), {});
    ConnectionDialog dialog(&connection, &servers);
    choose(dialog, u"Orders"_s);
    auto *test = button<QPushButton>(dialog, u"&Test connection"_s);
    test->click();
    QCoreApplication::sendPostedEvents(&dialog); // the password is found, and the server asked
    QVERIFY(!connection.findChildren<QThread *>().isEmpty());
    choose(dialog, u"Private server"_s);
    QTRY_VERIFY_WITH_TIMEOUT(connection.findChildren<QThread *>().isEmpty(), kPatience); // it has answered
    QVERIFY(dialog.findChild<MessageBar *>()->text().isEmpty());
    QVERIFY(!test->isEnabled());
}

void TestConnectionDialog::whatTheKeyringRefusesIsToldOfItsServerAlone()
{
    ServerConnection connection;
    KnownServers servers;
    servers.put(profile(u"Orders"_s), {});
    ConnectionDialog dialog(&connection, &servers);
    choose(dialog, u"Orders"_s);
    const auto *message = dialog.findChild<MessageBar *>();
    Q_EMIT servers.passwordNotKept(u"Billing"_s, u"It is locked."_s);
    QVERIFY(message->text().isEmpty());
    Q_EMIT servers.passwordNotKept(u"Orders"_s, u"It is locked."_s);
    QVERIFY2(message->text().contains(u"did not store the password"_s), qPrintable(message->text()));
}

void TestConnectionDialog::withoutAKeyringTheBoxSaysSo()
{
    m_keyring.stop();
    ServerConnection connection;
    KnownServers servers;
    servers.put(profile(u"Orders"_s), {});
    ConnectionDialog dialog(&connection, &servers);
    choose(dialog, u"Orders"_s);
    keepBox(dialog)->click();
    QTRY_VERIFY(!keepBox(dialog)->isChecked());
    QVERIFY(dialog.findChild<MessageBar *>()->text().contains(u"No keyring"));
}

void TestConnectionDialog::withoutAKeyringTheServerOpensAllTheSame()
{
    m_keyring.stop();
    ServerConnection connection;
    QWidget window;
    ServerChooser chooser(&connection, &window);
    QSignalSpy warned(&chooser, &ServerChooser::warned);
    ServerProfile known = profile(u"Orders"_s);
    known.remembersPassword = true;
    chooser.ask(known);
    auto *dialog = window.findChild<ConnectionDialog *>();
    field<QLineEdit>(*dialog, u"Pass&word"_s)->setText(kPassword);
    dialog->accept();
    QTRY_COMPARE_WITH_TIMEOUT(connection.status().phase, MonitorStatus::Phase::Live, kPatience);
    QTRY_COMPARE(warned.size(), 1);
    QVERIFY(!chooser.servers()->list().first().remembersPassword);
    chooser.open(known); // as it stood before
    QTRY_VERIFY(window.findChild<PasswordDialog *>());
}

QTEST_MAIN(TestConnectionDialog)
#include "tst_connectiondialog.moc"
