// SPDX-License-Identifier: MIT
#include "keyreleasedialog.h"

#include "releasedialog.h"
#include "ui/server/furtherservers.h"
#include "ui/server/serverconnection.h"
#include "ui/style/paletteicon.h"
#include "ui/text/commontext.h"
#include "ui/text/keylocktext.h"
#include "ui/widgets/messagebar.h"

#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Outcome = ForcedRelease::Outcome;

namespace {

/// By its field, member or node, of which each holder has its own; else by who it is. Null: it holds nothing there.
const KeyHolder *sameHolder(const KeyLock &lock, const KeyHolder &shown)
{
    const auto isSame = [&shown](const KeyHolder &each) {
        return shown.part.member.isEmpty() ? each.text == shown.text : each.part.member == shown.part.member;
    };
    const auto found = std::find_if(lock.holders.cbegin(), lock.holders.cend(), isSame);
    return found == lock.holders.cend() ? nullptr : &*found;
}

} // namespace

KeyReleaseDialog::KeyReleaseDialog(ServerConnection *connection, const LockRow &lock, QWidget *parent)
    : ActionDialog(connection, ReleaseDialog::linesFor(connection->profileOf(lock.key)),
                   lock.keyLock->convention.type == KeyType::Node
                       ? tr("The node is read, compared with what is shown, and deleted by its name.")
                       : ReleaseDialog::hintFor(connection->profileOf(lock.key)),
                   parent)
    , m_lock(lock)
    , m_holder(lock.keyLock->holders.constFirst())
    , m_lookAgain(this)
    , m_summary(makeLabel(this))
    , m_holders(new QComboBox(this))
    , m_next(makeLabel(this))
    , m_isLeaderMeant(new QCheckBox(tr("Another process is to become the &leader"), this))
{
    setWindowTitle(tr("Release lock"));
    setServer(lock.key.server);
    setupWords();
    m_reason->setPlaceholderText(tr("Required; kept with your name in the record of this machine"));
    if (const ServerProfile &server = connection->profileOf(lock.key); server.isGuarded())
        askForName(server);
    for (QLineEdit *field : {m_reason, m_name})
        connect(field, &QLineEdit::textChanged, this, &KeyReleaseDialog::showAll);
    connect(m_act, &QPushButton::clicked, this, &KeyReleaseDialog::act);
    connect(connection, &ServerConnection::modeChanged, this, &KeyReleaseDialog::showAll);
    connect(connection->clock(), &LiveClock::ticked, this, &KeyReleaseDialog::showWords);
    connect(connection->further(), &FurtherServers::changed, this, [this, server = lock.key.server] {
        if (server != 0 && !m_connection->further()->find(server))
            reject(); // it is in the list no more
    });
    m_retarget->setText(tr("Look at it as it is now"));
    connect(m_retarget, &QPushButton::clicked, this, &KeyReleaseDialog::retarget);
    setTabOrderOf({m_holders, m_isLeaderMeant});
    m_lookAgain.setInterval(1s);
    connect(&m_lookAgain, &QTimer::timeout, this, &KeyReleaseDialog::look);
    m_lookAgain.start();
    QMetaObject::invokeMethod(this, &KeyReleaseDialog::look, Qt::QueuedConnection); // once somebody hears it
    showAll();
}

void KeyReleaseDialog::setupWords()
{
    m_words->addWidget(m_summary);
    m_words->addWidget(m_holders);
    m_warning = addLine(svgIcon(u"warning"_s));
    m_words->addWidget(m_next);
    m_words->addWidget(m_isLeaderMeant);
    m_holders->setAccessibleName(tr("Whose hold is ended"));
    m_isLeaderMeant->setVisible(keyLock().convention.release.isOfLeader);
    connect(m_isLeaderMeant, &QCheckBox::toggled, this, &KeyReleaseDialog::showAll);
    connect(m_holders, &QComboBox::activated, this, [this](int row) {
        m_holder = m_listed[row];
        look();
        showAll();
    });
    if (ReleaseDialog::isSentence(m_connection->profileOf(m_lock.key)))
        m_statement->setLineWrapMode(QPlainTextEdit::WidgetWidth);
}

/// Where several hold it together, one of them is meant.
void KeyReleaseDialog::listHolders()
{
    m_listed = keyLock().holders;
    m_holders->clear();
    for (const KeyHolder &each : std::as_const(m_listed))
        m_holders->addItem(CommonText::resource(each.text.toUtf8()), each.guard());
    m_holders->setCurrentIndex(m_holders->findData(m_holder.guard()));
    m_holders->setVisible(m_listed.size() > 1);
}

KeyReleaseOrder KeyReleaseDialog::order() const
{
    return {m_lock.key, m_holder.guard(), AuditFile::operatorName(), m_reason->text().trimmed(),
            m_isLeaderMeant->isChecked()};
}

/// Changed: its holder has it in another way, or another one got it from there. Of several that hold it together the
/// others have got nothing from one that ends.
KeyReleaseDialog::Target KeyReleaseDialog::targetIn(const std::optional<LockRow> &now) const
{
    if (!now || !now->keyLock)
        return Target::Gone;
    const KeyLock &lock = *now->keyLock;
    const QList<KeyHolder> &before = keyLock().holders;
    const bool hadOthers = std::any_of(before.cbegin(), before.cend(),
                                       [this](const KeyHolder &each) { return each.guard() != m_holder.guard(); });
    const bool isShared = hadOthers || lock.holders.size() > 1;
    return !isShared || sameHolder(lock, m_holder) ? Target::Changed : Target::Gone;
}

QString KeyReleaseDialog::objection() const
{
    if (m_sent)
        return tr("Releasing…");
    if (m_target == Target::Unseen)
        return m_error ? m_error->message : tr("The server has not answered yet whether it is still held.");
    if (m_target != Target::AsShown)
        return tr("It is not as it was shown any more.");
    if (!m_connection->isOperatorOf(m_lock.key))
        return tr("Operator mode has ended: this server is read-only again.");
    if (const QString whyNot = KeyLockText::whyNotReleasable(keyLock()); !whyNot.isEmpty())
        return whyNot;
    if (keyLock().convention.release.isOfLeader && !m_isLeaderMeant->isChecked())
        return tr("Whoever holds it leads. Confirm first that another process is to become the leader.");
    if (!isNamed())
        return nameWish();
    return hasReason() ? QString() : tr("Give a reason first.");
}

void KeyReleaseDialog::act()
{
    if (!objection().isEmpty())
        return;
    m_sent = order();
    m_report.reset();
    showAll();
    Q_EMIT ordered(*m_sent);
}

void KeyReleaseDialog::look()
{
    if (m_isLooking || m_sent)
        return;
    m_isLooking = true;
    Q_EMIT previewWanted(order());
}

void KeyReleaseDialog::onPreview(const KeyReleaseOrder &order, const KeyReleasePreview &preview,
                                 const std::optional<LockError> &error)
{
    if (order.key != m_lock.key)
        return;
    m_isLooking = false;
    if (m_sent || order.guard != m_holder.guard())
        return;
    m_error = error;
    if (error)
        return showAll(); // the last answer stays, with the error beside it
    m_now = preview.lock;
    if (preview.holder && preview.lock) {
        m_target = Target::AsShown;
        m_lock = *preview.lock;
        m_holder = *preview.holder;
    } else {
        m_target = targetIn(preview.lock);
    }
    showAll();
}

void KeyReleaseDialog::retarget()
{
    if (!m_now || !m_now->keyLock)
        return;
    m_lock = *m_now;
    const KeyHolder *same = sameHolder(keyLock(), m_holder); // of several it is still the one that is meant
    m_holder = same ? *same : keyLock().holders.constFirst();
    m_target = Target::Unseen;
    m_report.reset();
    look();
    showAll();
}

bool KeyReleaseDialog::onReleased(const KeyReleaseOrder &order, const KeyReleaseReport &report)
{
    if (!m_sent || !(*m_sent == order))
        return false;
    m_sent.reset();
    m_report = report;
    m_now = report.lockNow;
    if (report.outcome == Outcome::Released) {
        accept();
        return true;
    }
    if (report.outcome == Outcome::TargetChanged)
        m_target = report.isNowKnown ? targetIn(m_now) : Target::Unseen;
    showAll();
    return true;
}

void KeyReleaseDialog::showAll()
{
    const QString name = fontMetrics().elidedText(CommonText::lock(m_lock.key), Qt::ElideMiddle, 240);
    const QString server = m_connection->profileOf(m_lock.key).fullName();
    setHeadline(tr("Release %1 on %2?").arg(name, fontMetrics().elidedText(server, Qt::ElideMiddle, 320)),
                CommonText::lock(m_lock.key) + u'\n' + server);
    if (!m_holders->view()->isVisible())
        listHolders();
    setStatement(m_connection->keyStatement(m_lock, m_holder));
    m_act->setText(m_sent ? tr("Releasing…") : tr("Release %1").arg(CommonText::onButton(name)));
    const QString objection = this->objection();
    m_act->setEnabled(objection.isEmpty());
    m_act->setToolTip(objection.isEmpty() ? QString() : CommonText::tip(objection));
    const bool isOver = (m_target == Target::Gone || m_target == Target::Changed) && !m_sent;
    m_retarget->setVisible(m_target == Target::Changed && !m_sent);
    m_cancel->setText(isOver ? tr("Close") : tr("Cancel"));
    // What was known of the holder before is no longer so.
    for (QLabel *label : {m_summary, m_warning.icon, m_warning.text, m_next})
        label->setVisible(!isOver);
    m_holders->setVisible(!isOver && m_holders->count() > 1);
    m_isLeaderMeant->setVisible(!isOver && keyLock().convention.release.isOfLeader);
    showWords();
    showMessage();
    setOver(isOver);
}

/// What runs with the clock.
void KeyReleaseDialog::showWords()
{
    const KeyConvention &convention = keyLock().convention;
    m_summary->setText(CommonText::resource(convention.title.toUtf8()) + u": "_s
                       + CommonText::summary(m_lock, m_connection->clockOf(m_lock.key)->now()));
    QStringList warning{KeyLockText::warning(convention)};
    if (!convention.release.isOfLeader) {
        const QString next = keyLock().queue.isEmpty() ? tr("whoever takes it next")
                                                       : CommonText::resource(keyLock().queue.first().text.toUtf8());
        warning +=
            tr("Until it notices, %1 and %2 may both work.")
                .arg(CommonText::shortened(CommonText::resource(m_holder.text.toUtf8())), CommonText::shortened(next));
    }
    if (convention.type == KeyType::Node)
        warning += tr("ZooKeeper has no removal by czxid: a node of this name that is made anew within about a round "
                      "trip of the look would go in its place.");
    warning.removeAll(QString());
    m_warning.text->setText(warning.join(u' '));
    m_next->setText(nextWords());
}

QString KeyReleaseDialog::nextWords() const
{
    const QList<KeyHolder> &queue = keyLock().queue;
    if (!m_lock.waiters)
        return tr("Who comes next is not told: its program keeps nothing on the server that says who waits.");
    if (*m_lock.waiters == 0)
        return tr("Nobody waits: it becomes free.");
    if (queue.isEmpty())
        return tr("%n in its queue are woken as its program would.", nullptr, *m_lock.waiters);
    const QString next = tr("Next: %1.").arg(CommonText::resource(queue.first().text.toUtf8()));
    return *m_lock.waiters == 1 ? next : next + u' ' + tr("%n more wait.", nullptr, *m_lock.waiters - 1);
}

void KeyReleaseDialog::showMessage()
{
    if (m_report && m_target == Target::AsShown)
        showOutcome();
    else if (m_target == Target::Gone)
        m_message->show(MessageBar::Level::Good, goneWords());
    else if (m_target == Target::Changed)
        m_message->show(MessageBar::Level::Warning, changeWords());
    else if (m_error)
        m_message->show(MessageBar::Level::Error, m_error->message, CommonText::serverWords(*m_error));
    else if (!m_connection->isOperatorOf(m_lock.key))
        m_message->show(MessageBar::Level::Warning, tr("Operator mode has ended: this server is read-only again."));
    else
        m_message->clear();
}

QString KeyReleaseDialog::goneWords() const
{
    if (!m_now || !m_now->keyLock)
        return tr("It is not held any more. Nothing was done.");
    return tr("This hold of %1 has ended; others hold it now. Nothing was done.")
        .arg(CommonText::resource(m_holder.text.toUtf8()));
}

/// Of what is not what was shown.
QString KeyReleaseDialog::changeWords() const
{
    const bool isSameHolder = m_now && m_now->keyLock && sameHolder(*m_now->keyLock, m_holder);
    if (isSameHolder)
        return tr("%1 has taken it anew, once more, or prolonged it: what is kept there has changed since it "
                  "was shown. Nothing was done.")
            .arg(CommonText::resource(m_holder.text.toUtf8()));
    return tr("It changed hands: %1 holds it now. Nothing was done.")
        .arg(CommonText::whoInFull(m_now ? m_now->owner : Owner()));
}

/// Of one that did not succeed.
void KeyReleaseDialog::showOutcome()
{
    if (!m_report->error)
        return m_message->clear();
    const LockError &error = *m_report->error;
    const bool mayBeDone = error.kind == LockError::Kind::ConnectionLost && !m_report->isRefused;
    const QString fate =
        mayBeDone ? tr("It is not known whether it was released: the next look will tell.") : tr("Nothing was done.");
    m_message->show(MessageBar::Level::Error, error.message + u' ' + fate, CommonText::serverWords(error));
}

} // namespace lockscope::ui
