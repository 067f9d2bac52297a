// What the window does between its parts: consent that holds for one server only, answers that reach the person.
#include "alarmbar.h"
#include "appearance.h"
#include "emptystate.h"
#include "lockinspector.h"
#include "lockspage.h"
#include "mainwindow.h"
#include "messagebar.h"
#include "releasedialog.h"
#include "releaseflow.h"
#include "serverlink.h"
#include "statusline.h"

#include <QtCore/QStandardPaths>
#include <QtCore/QTimer>
#include <QtGui/QAction>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>

using namespace lockscope;
using namespace lockscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 30'000;

ServerProfile nowhere(const QString &name)
{
    ServerProfile profile;
    profile.name = name;
    profile.url.socket = u"/nonexistent/lockscope.sock"_s;
    return profile;
}

LockRow lease(const QByteArray &name, quint64 token)
{
    LockRow row;
    row.key.resource = name;
    row.token = token;
    row.state = LockState::Held;
    return row;
}

QAction *actionOf(const QWidget &window, const QString &text)
{
    for (QAction *action : window.findChildren<QAction *>()) {
        if (action->text().remove(u'&').startsWith(text))
            return action;
    }
    return nullptr;
}

} // namespace

class TestMainWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();

    void operatorModeIsForTheServerThatWasAsked();
    void aReleaseIsForTheServerThatWasAsked();
    void anAnswerIsToldWhileAnotherDialogIsOpen();
    void anAnswerToTheOpenDialogIsToldThere();
    void anotherServersDataIsForgotten();
    void aServerWithoutTablesDoesNotFail();
    void tablesThatCannotBeInstalledAreTold();
    void aLockWhoseSessionIsNotKnownShowsNobodysStatement();

private:
    QString told() const;
    void releaseSent(const LockRow &lock);

    std::unique_ptr<ServerLink> m_link;
    std::unique_ptr<MainWindow> m_window;
};

void TestMainWindow::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(u"lockscope-test"_s);
    QCoreApplication::setApplicationName(u"tst_mainwindow"_s);
    applyAppearance({Theme::Light, u"en"_s, false});
}

void TestMainWindow::init()
{
    m_link = std::make_unique<ServerLink>();
    m_window = std::make_unique<MainWindow>(m_link.get());
    m_window->setRemembersState(false);
    m_link->open(nowhere(u"shop-db"_s), {});
    m_window->show();
}

void TestMainWindow::cleanup()
{
    m_window.reset();
    m_link.reset();
}

/// What the window's own bar says: the first that is no alarm.
QString TestMainWindow::told() const
{
    for (const MessageBar *bar : m_window->centralWidget()->findChildren<MessageBar *>()) {
        if (bar != m_window->alarmBar() && bar->parentWidget() == m_window->alarmBar()->parentWidget())
            return bar->text();
    }
    return {};
}

/// As far as a sent order without an answer.
void TestMainWindow::releaseSent(const LockRow &lock)
{
    m_link->startOperatorMode();
    Q_EMIT m_window->locksPage()->releaseRequested(lock);
    auto *dialog = m_window->findChild<ReleaseDialog *>();
    ReleasePreview preview;
    preview.lock = lock;
    Q_EMIT m_link->previewReady(lock.key, preview, std::nullopt);
    dialog->reasonEdit()->setText(u"stuck"_s);
    QVERIFY(dialog->actButton()->isEnabled());
    dialog->actButton()->click();
    QCOMPARE(dialog->flow()->step(), ReleaseFlow::Step::Acting);
}

void TestMainWindow::operatorModeIsForTheServerThatWasAsked()
{
    QAction *start = actionOf(*m_window, u"Operator mode"_s);
    QVERIFY(start);
    QTimer::singleShot(0, this, [this] {
        auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
        QVERIFY(box);
        QVERIFY(box->text().contains(u"shop-db"_s));
        m_link->open(nowhere(u"billing-db"_s), {}); // its password was on the way
        for (QAbstractButton *button : box->buttons()) {
            if (box->buttonRole(button) == QMessageBox::AcceptRole && box->isVisible())
                button->click();
        }
    });
    start->trigger();
    QVERIFY(!m_link->isOperator());
    QVERIFY(!start->isChecked());
}

void TestMainWindow::aReleaseIsForTheServerThatWasAsked()
{
    Q_EMIT m_window->locksPage()->releaseRequested(lease("orders/42", 7));
    const auto *dialog = m_window->findChild<ReleaseDialog *>();
    QVERIFY(dialog->isVisible());
    m_link->open(nowhere(u"billing-db"_s), {});
    QVERIFY(!dialog->isVisible());
}

void TestMainWindow::anAnswerIsToldWhileAnotherDialogIsOpen()
{
    releaseSent(lease("orders/42", 7));
    m_window->findChild<ReleaseDialog *>()->reject();
    QTRY_VERIFY(!m_window->findChild<ReleaseDialog *>());
    Q_EMIT m_window->locksPage()->releaseRequested(lease("orders/43", 8));
    ReleaseReport report;
    report.outcome = ReleaseReport::Outcome::TargetChanged;
    Q_EMIT m_link->released({lease("orders/42", 7).key, 7, u"me"_s, u"stuck"_s}, report);
    QCOMPARE(told(), u"orders/42 changed hands. Nothing was done."_s);
}

void TestMainWindow::anAnswerToTheOpenDialogIsToldThere()
{
    releaseSent(lease("orders/42", 7));
    ReleaseReport report;
    report.outcome = ReleaseReport::Outcome::TargetChanged;
    Q_EMIT m_link->released({lease("orders/42", 7).key, 7, u"me"_s, u"stuck"_s}, report);
    QVERIFY(told().isEmpty());
    QCOMPARE(m_window->findChild<ReleaseDialog *>()->flow()->step(), ReleaseFlow::Step::Gone);
}

void TestMainWindow::anotherServersDataIsForgotten()
{
    m_link->clock()->sync({ServerTime(std::chrono::hours(500'000)), std::chrono::steady_clock::now()});
    QVERIFY(m_link->clock()->isKnown());
    m_link->open(nowhere(u"billing-db"_s), {});
    QVERIFY(!m_link->clock()->isKnown());
    QTRY_VERIFY_WITH_TIMEOUT(m_link->status().phase == MonitorStatus::Phase::Failing, kPatience);
    QVERIFY2(m_window->statusLine()->text().contains(u"no data yet"_s), qPrintable(m_window->statusLine()->text()));
    QStringList texts;
    for (const QLabel *label : m_window->locksPage()->findChild<EmptyState *>()->findChildren<QLabel *>())
        texts += label->text();
    QVERIFY2(texts.contains(u"Nothing can be shown yet"_s), qPrintable(texts.join(u'\n')));
}

/// The server's own locks go on to be read, and their times to run.
void TestMainWindow::aServerWithoutTablesDoesNotFail()
{
    MonitorStatus status;
    status.phase = MonitorStatus::Phase::Failing;
    status.error.emplace();
    status.error->kind = LockError::Kind::SchemaMissing;
    QVERIFY(!status.isFailing());
    status.error->kind = LockError::Kind::Unavailable;
    QVERIFY(status.isFailing());
    status.phase = MonitorStatus::Phase::Live;
    QVERIFY(!status.isFailing());
}

void TestMainWindow::tablesThatCannotBeInstalledAreTold()
{
    LockError error;
    error.message = u"The user may not create tables."_s;
    Q_EMIT m_link->tablesInstalled(error);
    QVERIFY2(told().contains(error.message), qPrintable(told()));
}

void TestMainWindow::aLockWhoseSessionIsNotKnownShowsNobodysStatement()
{
    LockInspector *inspector = m_window->locksPage()->inspector();
    const auto details = [this, inspector](quint64 session, bool isKnown) {
        LockDetails told;
        told.key = {LockKind::User, "flyway", 0, session};
        told.lock.emplace();
        told.lock->key = told.key;
        if (isKnown) {
            told.holder.emplace();
            told.holder->user = u"stranger"_s;
            told.holder->statement = {Statement::Source::Running, "SELECT SLEEP(1)"};
        }
        inspector->setLock(told.lock);
        Q_EMIT m_link->detailsUpdated(told);
        QStringList texts;
        for (const QLabel *label : inspector->findChildren<QLabel *>())
            texts += label->text();
        return texts.join(u'\n').remove(QChar(0x200b));
    };
    QVERIFY(details(34, true).contains(u"stranger"_s));
    const QString other = details(35, false);
    QVERIFY2(!other.contains(u"stranger"_s) && !other.contains(u"SLEEP"_s), qPrintable(other));
}

QTEST_MAIN(TestMainWindow)
#include "tst_mainwindow.moc"
