// SPDX-License-Identifier: MIT
// Side by side: what can be chosen beside the private server, the question before a server of somebody's own is used,
// and what is said where it cannot be.
#include "knownplace.h"
#include "strict.h"
#include "windowtest.h"

#include "privateserver/filelock.h"
#include "privateserver/privatefolder.h"
#include "privateserver/privateserver.h"
#include "ui/pages/lessons/besidechooser.h"
#include "ui/pages/lessons/lessoncomparebox.h"
#include "ui/pages/lessons/lessonspage.h"
#include "ui/server/passworddialog.h"
#include "ui/server/serverchooser.h"

#include <QtCore/QSettings>
#include <QtCore/QThreadPool>
#include <QtTest/QTest>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QTableWidget>

using namespace lockscope;
using namespace lockscope::test;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int kPatience = 120'000;

ServerProfile profile(const QString &name, const ServerUrl &url, bool isProduction = false)
{
    ServerProfile profile;
    profile.name = name;
    profile.url = url;
    profile.url.schema = u"lockscope"_s; // else it is not kept
    profile.isProduction = isProduction;
    return profile;
}

QString dataOf(const QString &server)
{
    return u"known "_s + server;
}

} // namespace

class TestLessonCompare : public WindowTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void eachKnownServerIsOffered();
    void nothingBesideIsTheLevelsAlone();
    void anotherFamilyIsPlayedOrSaidHowToBeHad();
    void aKnownServerIsAskedAboutFirst();
    void aKnownServerIsPlayedBeside();
    void aPasswordThatIsNotGivenChangesNothing();
    void aWrongPasswordIsSaidAndAskedForAgain();
    void aMissingRightIsSaid();
    void aServerThatBecameProductionIsLeftAlone();
    void aServerThatIsForgottenIsNotChosenAnyMore();
    void thePrivateServerBesideGoesOverToTheNextPage();

private:
    QComboBox *box() const { return m_box->beside()->box(); }
    void choose(const QString &data);
    void agree(const QString &button);
    void type(const QString &password);
    /// The known one, with everything that it takes.
    void chooseKnown(const QString &server, const QString &password);
    void play();
    int columns() const { return m_box->table()->columnCount(); }

    std::unique_ptr<KnownPlace> m_place;
    LessonCompareBox *m_box = nullptr;
};

void TestLessonCompare::initTestCase()
{
    prepare();
    m_place = std::make_unique<KnownPlace>();
    KnownPlace::makeUser("poor", "127.0.0.1");
    Observer(TestServer::instance()).run("REVOKE CREATE USER ON *.* FROM 'poor'@'127.0.0.1'");
}

void TestLessonCompare::init()
{
    failOnWarnings(OffscreenWarning);
    QSettings().clear();
    QSettings settings;
    saveProfiles(settings,
                 {profile(u"db1"_s, m_place->url()), profile(u"poor"_s, m_place->url(u"poor"_s)),
                  profile(u"shop"_s, ServerUrl{u"u"_s, u"db9"_s, 3306, {}, {}, {}}, true)});
    makeWindow();
    m_box = m_window->lessonsPage()->comparison();
    m_window->show();
    openServer(u"private"_s, TestServer::instance().url(), true);
    m_window->showPage(6);
    QTRY_VERIFY_WITH_TIMEOUT(m_connection->isOpen(), kPatience);
    m_window->lessonsPage()->open(u"idempotent-order"_s);
    for (QTabWidget *tabs : m_window->lessonsPage()->findChildren<QTabWidget *>())
        tabs->setCurrentWidget(m_box);
}

void TestLessonCompare::cleanup()
{
    closeWindow();
    QCOMPARE(KnownPlace::leftovers(), QStringList());
}

void TestLessonCompare::choose(const QString &data)
{
    const int row = box()->findData(data);
    QVERIFY2(row >= 0, qPrintable(data));
    box()->setCurrentIndex(row);
    Q_EMIT box()->activated(row); // as by the mouse
}

void TestLessonCompare::agree(const QString &button)
{
    QMessageBox *question = m_box->beside()->question();
    QVERIFY(question);
    for (QAbstractButton *each : question->buttons()) {
        if (each->text() == button)
            each->click();
    }
    QTRY_VERIFY(!m_box->beside()->question());
}

void TestLessonCompare::type(const QString &password)
{
    auto *dialog = m_window->findChild<PasswordDialog *>();
    QVERIFY(dialog);
    dialog->findChild<QLineEdit *>()->setText(password);
    dialog->accept();
    QTRY_VERIFY(!m_window->findChild<PasswordDialog *>());
}

void TestLessonCompare::chooseKnown(const QString &server, const QString &password)
{
    choose(dataOf(server));
    agree(u"Play there"_s);
    type(password);
    QCOMPARE(box()->currentText(), server);
}

void TestLessonCompare::play()
{
    m_box->playButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!m_box->isRunning(), kPatience);
    QVERIFY2(m_box->table()->item(4, 1)->text().contains(u"waits for B"_s),
             qPrintable(m_box->table()->item(4, 1)->text()));
}

void TestLessonCompare::eachKnownServerIsOffered()
{
    QStringList offered;
    QStringList closed;
    for (int row = 0; row < box()->count(); ++row) {
        offered += box()->itemText(row);
        if (!(box()->model()->flags(box()->model()->index(row, 0)) & Qt::ItemIsEnabled))
            closed += box()->itemText(row);
    }
    QCOMPARE(offered,
             QStringList({u"nothing"_s, u"the other family, on a private server"_s, u"db1"_s, u"poor"_s,
                          u"shop (production)"_s}));
    QCOMPARE(closed, QStringList({u"shop (production)"_s}));
    ServerProfile another = profile(u"db2"_s, m_place->url());
    m_window->chooser()->servers()->put(another, {});
    QVERIFY(box()->findText(u"db2"_s) > 0);
}

void TestLessonCompare::nothingBesideIsTheLevelsAlone()
{
    choose(u"nothing"_s);
    QCOMPARE(m_box->said(), QString());
    play();
    QCOMPARE(columns(), 3);
    QVERIFY2(m_box->table()->item(4, 2)->text().startsWith(u"≠"_s), qPrintable(m_box->table()->item(4, 2)->text()));
}

/// Tests of MySQL run where MariaDB is.
void TestLessonCompare::anotherFamilyIsPlayedOrSaidHowToBeHad()
{
    const bool isMySql = TestServer::instance().family() == Family::MySql;
    qputenv("LOCKSCOPE_MYSQL_PROGRAM", "/nonexistent/mysqld");
    choose(u"other"_s);
    play();
    QCOMPARE(columns(), isMySql ? 5 : 3);
    if (isMySql)
        QVERIFY(m_box->table()->horizontalHeaderItem(3)->text().startsWith(u"MariaDB"_s));
    const QString said = isMySql ? u"Beside: MariaDB"_s : u"/nonexistent/mysqld does not exist"_s;
    QTRY_VERIFY_WITH_TIMEOUT(m_box->said().contains(said), kPatience);
    qunsetenv("LOCKSCOPE_MYSQL_PROGRAM");
}

void TestLessonCompare::aKnownServerIsAskedAboutFirst()
{
    choose(u"nothing"_s);
    choose(dataOf(u"db1"_s));
    const QMessageBox *question = m_box->beside()->question();
    QVERIFY(question && question->isVisible());
    QCOMPARE(question->defaultButton()->text(), u"Cancel"_s);
    QVERIFY2(question->text().contains(u"127.0.0.1"_s), qPrintable(question->text()));
    for (const QString &told : {u"lockscope_lesson_"_s, u"lockscope_l_"_s, u"lockscope_lessons needs"_s,
                                u"sql/grants/lessons."_s, u"GET_LOCK"_s})
        QVERIFY2(question->informativeText().contains(told), qPrintable(told));
    QCOMPARE(box()->currentText(), u"nothing"_s); // not yet
    agree(u"Cancel"_s);
    QCOMPARE(box()->currentText(), u"nothing"_s);
    QVERIFY(!m_window->findChild<PasswordDialog *>());
    play();
    QCOMPARE(columns(), 3);
}

void TestLessonCompare::aKnownServerIsPlayedBeside()
{
    chooseKnown(u"db1"_s, u"pw"_s);
    play();
    QCOMPARE(columns(), 5);
    QVERIFY(m_box->table()->horizontalHeaderItem(3)->text().startsWith(u"db1\n"_s));
    QVERIFY(!m_box->table()->item(4, 3)->text().startsWith(u"≠"_s));
    QVERIFY(m_box->table()->item(4, 4)->text().startsWith(u"≠"_s));
    QCOMPARE(m_box->said(), QString());
    play(); // and again, without another question
    QCOMPARE(columns(), 5);
}

void TestLessonCompare::aPasswordThatIsNotGivenChangesNothing()
{
    choose(dataOf(u"db1"_s));
    agree(u"Play there"_s);
    m_window->findChild<PasswordDialog *>()->reject();
    QCOMPARE(box()->currentData().toString(), u"other"_s);
}

void TestLessonCompare::aWrongPasswordIsSaidAndAskedForAgain()
{
    chooseKnown(u"db1"_s, u"wrong"_s);
    play();
    QCOMPARE(columns(), 3);
    QVERIFY2(m_box->said().startsWith(u"db1: "_s) && m_box->said().contains(u"password"_s), qPrintable(m_box->said()));
    m_box->playButton()->click();
    type(u"pw"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!m_box->isRunning(), kPatience);
    QCOMPARE(columns(), 5);
    QCOMPARE(m_box->said(), QString());
}

void TestLessonCompare::aMissingRightIsSaid()
{
    chooseKnown(u"poor"_s, u"pw"_s);
    play();
    QCOMPARE(columns(), 3);
    QVERIFY2(m_box->said().startsWith(u"poor: "_s) && m_box->said().contains(u"sql/grants/lessons."_s)
                 && m_box->said().contains(u"CREATE USER"_s),
             qPrintable(m_box->said()));
}

/// The list of this window is asked, and that of all windows before anything is made.
void TestLessonCompare::aServerThatBecameProductionIsLeftAlone()
{
    chooseKnown(u"db1"_s, u"pw"_s);
    m_window->chooser()->servers()->put(profile(u"db1"_s, m_place->url(), true), {});
    QCOMPARE(box()->currentText(), u"nothing"_s);
    play();
    QCOMPARE(columns(), 3);
}

void TestLessonCompare::aServerThatIsForgottenIsNotChosenAnyMore()
{
    chooseKnown(u"db1"_s, u"pw"_s);
    m_window->chooser()->servers()->remove(u"db1"_s);
    QCOMPARE(box()->currentText(), u"nothing"_s);
}

/// As when the window is made anew, in another language. Its end waits for nobody: here not for who keeps it from
/// ending.
void TestLessonCompare::thePrivateServerBesideGoesOverToTheNextPage()
{
    const QString path = PrivateFolder::defaultPath() + u"-mariadb"_s;
    auto before = std::make_unique<BesideChooser>();
    before->setFamilyHere(Family::MySql);
    LessonPlayer::FindServer find;
    before->find([&find](const LessonPlayer::FindServer &found) { find = found; });
    LockError error;
    QVERIFY2(find(&error), qPrintable(error.message));
    find = {};
    auto after = std::make_unique<BesideChooser>();
    after->takeOver(*before);
    PrivateFolder folder;
    QString notOurs;
    QVERIFY2(PrivateFolder::find(path, &folder, &notOurs), qPrintable(notOurs));
    const auto isAlone = [&folder] { return FileLock(folder.own(), "users.lock").take(0ms); };
    before.reset();
    QThreadPool::globalInstance()->waitForDone();
    QVERIFY(PrivateServer::url(path));
    QVERIFY(!isAlone());
    {
        FileLock control(folder.own(), "control.lock");
        QVERIFY(control.take(0ms));
        after.reset();
        QVERIFY(!isAlone());
    }
    QThreadPool::globalInstance()->waitForDone();
    QVERIFY(isAlone());
    QVERIFY(!PrivateServer::url(path));
}

QTEST_MAIN(TestLessonCompare)
#include "tst_lessoncompare.moc"
