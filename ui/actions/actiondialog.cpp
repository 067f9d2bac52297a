// SPDX-License-Identifier: MIT
#include "actiondialog.h"

#include "lockscope/lockrequest.h"
#include "ui/server/serverconnection.h"
#include "ui/style/paletteicon.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/widgets/messagebar.h"
#include "ui/widgets/mutedlabel.h"

#include <QtCore/QEvent>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QKeyEvent>
#include <QtGui/QScreen>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QToolButton>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

/// Of the screen's height, for the frame that the desktop draws.
constexpr int kFrameHeight = 48;
/// Nobody lets a key go and presses it again as quickly.
constexpr int kQuickestMs = 40;

bool isReturn(const QKeyEvent &event)
{
    return event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
}

} // namespace

ActionDialog::ActionDialog(ServerConnection *connection, int lines, const QString &statementHint, QWidget *parent)
    : QDialog(parent)
    , m_connection(connection)
    , m_message(new MessageBar(this))
    , m_words(new QVBoxLayout)
    , m_form(new QFormLayout)
    , m_statement(new QPlainTextEdit(this))
    , m_guard(new QToolButton(this))
    , m_copy(new QPushButton(svgIcon(u"copy"_s), tr("Copy"), this))
    , m_reason(new QLineEdit(this))
    , m_name(new QLineEdit(this))
    , m_retarget(new QPushButton(this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_act(new QPushButton(this))
    , m_lines(lines)
    , m_hint(new MutedLabel(statementHint, this))
    , m_scroll(new QScrollArea(this))
    , m_body(new QWidget(this))
    , m_fields(new QWidget(this))
    , m_buttons(new QHBoxLayout)
    , m_headline(makeLabel(this))
    , m_production(makeLabel(this))
{
    setMinimumWidth(forType(kFormMaxWidth));
    setupWords();
    setupForm();
    setupButtons();
    auto *body = new QVBoxLayout(m_body);
    body->setContentsMargins(kSpaceSection, kSpaceSection, kSpaceSection, 0);
    body->setSpacing(kSpaceSection);
    body->addLayout(m_words);
    m_fields->setLayout(m_form);
    body->addWidget(m_fields);
    body->addStretch(1);
    m_scroll->setWidget(m_body);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, kSpaceSection);
    column->setSpacing(kSpace);
    column->addWidget(m_message);
    column->addWidget(m_scroll, 1);
    column->addLayout(m_buttons);
    m_reason->setFocus(); // where Return presses nothing: see keyPressEvent()
    connect(connection, &ServerConnection::opened, this, &QDialog::reject); // what it says is of the server before
    connect(connection, &ServerConnection::guardChanged, this, [this](int server) {
        if (server == m_server && !isInFlight())
            reject(); // what it asks for is not what that server wants
    });
}

QLabel *ActionDialog::makeLabel(QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

void ActionDialog::setupWords()
{
    m_headline->setFont(headlineFont());
    m_production->setText(tr("This is a production server."));
    m_production->setFont(headingFont());
    m_words->setSpacing(kSpace);
    m_words->addWidget(m_headline);
    m_words->addWidget(m_production);
    showProduction();
}

void ActionDialog::setupForm()
{
    m_statement->setReadOnly(true);
    m_statement->setFont(fixedFont());
    m_statement->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_statement->setAccessibleName(tr("Statement"));
    m_statement->setTabChangesFocus(true);
    m_reason->setMaxLength(MaxReasonCharacters);
    m_reason->setAccessibleName(tr("Reason"));
    m_name->hide();
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setSpacing(kSpace);
    m_hint->setWordWrap(true); // else a long one makes the dialog's body wider than the dialog
    auto *below = new QHBoxLayout;
    m_guard->setText(tr("With its &guard"));
    m_guard->setToolTip(
        tr("Everything that is sent, including the check, in the same packet, that it is still the same work"));
    m_guard->setCheckable(true);
    m_guard->setAutoRaise(true);
    m_guard->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_guard->setArrowType(Qt::RightArrow);
    m_guard->hide();
    below->addWidget(m_guard, 0, Qt::AlignTop);
    below->addWidget(m_hint, 1);
    below->addStretch(0);
    below->addWidget(m_copy, 0, Qt::AlignTop);
    auto *statement = new QVBoxLayout;
    statement->setSpacing(kSpaceInGroup);
    statement->addWidget(m_statement);
    statement->addLayout(below);
    m_form->addRow(tr("Statement"), statement);
    m_form->addRow(tr("&Reason"), m_reason);
    connect(m_guard, &QToolButton::toggled, this, [this](bool isOn) {
        m_guard->setArrowType(isOn ? Qt::DownArrow : Qt::RightArrow);
        showStatement();
        fitHeight();
    });
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_statement->toPlainText()); });
}

void ActionDialog::setupButtons()
{
    m_buttons->setContentsMargins(kSpaceSection, kSpace, kSpaceSection, 0);
    m_buttons->setSpacing(kSpace);
    m_buttons->addStretch(1);
    m_buttons->addWidget(m_retarget);
    m_buttons->addWidget(m_cancel);
    m_buttons->addWidget(m_act);
    for (QPushButton *button : {m_copy, m_retarget, m_cancel, m_act})
        button->setAutoDefault(false); // for Return see keyPressEvent()
    m_act->setIcon(svgIcon(u"release"_s));
    m_retarget->hide();
    for (QWidget *watched : QList<QWidget *>{m_retarget, m_cancel, m_act, m_reason, m_name})
        watched->installEventFilter(this);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
}

ActionDialog::Line ActionDialog::addLine(const QIcon &icon)
{
    const Line line{new QLabel(this), makeLabel(this)};
    setIcon(line, icon);
    auto *row = new QHBoxLayout;
    row->setSpacing(kSpace);
    row->addWidget(line.icon, 0, Qt::AlignTop);
    row->addWidget(line.text, 1);
    m_words->addLayout(row);
    return line;
}

void ActionDialog::askForName(const ServerProfile &server)
{
    m_named = server;
    m_name->show();
    auto *wish = new MutedLabel(nameWish(), this); // to be read while it is typed
    wish->setWordWrap(true);
    auto *rows = new QVBoxLayout;
    rows->setSpacing(kSpaceInGroup);
    rows->addWidget(m_name);
    rows->addWidget(wish);
    m_form->addRow(tr("Server's &name"), rows);
    if (auto *label = qobject_cast<QLabel *>(m_form->labelForField(rows)))
        label->setBuddy(m_name);
}

bool ActionDialog::isNamed() const
{
    return !m_named || m_named->isMeantBy(m_name->text());
}

QString ActionDialog::nameWish() const
{
    return m_named ? tr("Type %1 to confirm").arg(m_named->nameToType()) : QString();
}

bool ActionDialog::hasReason() const
{
    const QString reason = m_reason->text().trimmed();
    return !reason.isEmpty() && reason.size() <= MaxReasonCharacters;
}

void ActionDialog::setTabOrderOf(const QList<QWidget *> &choices)
{
    const QList<QWidget *> order =
        choices + QList<QWidget *>{m_statement, m_guard, m_copy, m_reason, m_name, m_retarget, m_cancel, m_act};
    for (qsizetype i = 1; i < order.size(); ++i)
        setTabOrder(order[i - 1], order[i]);
}

void ActionDialog::setIcon(const Line &line, const QIcon &icon)
{
    const int side = fontMetrics().height();
    line.icon->setPixmap(icon.pixmap(QSize(side, side), devicePixelRatioF()));
}

void ActionDialog::setHeadline(const QString &text, const QString &tip)
{
    m_headline->setText(text);
    m_headline->setToolTip(CommonText::tip(tip));
    showProduction();
}

void ActionDialog::setStatement(const QByteArray &statement)
{
    setGuardedStatement({}, statement);
}

void ActionDialog::setGuardedStatement(const QByteArray &command, const QByteArray &statement)
{
    m_command = command;
    m_sent = statement;
    m_guard->setVisible(!command.isEmpty() && command != statement);
    showStatement();
}

void ActionDialog::showStatement()
{
    const bool isFolded = m_sent.isEmpty() || (!m_command.isEmpty() && !m_guard->isChecked());
    const QByteArray &shown = isFolded ? m_command : m_sent;
    const QString text = QString::fromUtf8(shown);
    m_hint->setVisible(!m_sent.isEmpty() && shown == m_sent);
    m_copy->setEnabled(!shown.isEmpty());
    const qsizetype lines = isFolded ? shown.count('\n') + 1 : m_lines;
    const int frame = 2 * (m_statement->frameWidth() + int(m_statement->document()->documentMargin()) + 1);
    m_statement->setVerticalScrollBarPolicy(lines <= m_lines && isFolded ? Qt::ScrollBarAlwaysOff
                                                                         : Qt::ScrollBarAsNeeded);
    if (m_statement->toPlainText() != text) // the reader's place stays
        m_statement->setPlainText(text);
    const bool hasBar = m_statement->lineWrapMode() == QPlainTextEdit::NoWrap;
    m_statement->setFixedHeight(m_statement->fontMetrics().lineSpacing() * int(qMin<qsizetype>(lines, m_lines)) + frame
                                + (hasBar ? m_statement->horizontalScrollBar()->sizeHint().height() : 0));
}

void ActionDialog::setServer(int server)
{
    m_server = server;
    showProduction();
}

void ActionDialog::showProduction()
{
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, markColor(Mark::Orphan, palette()));
    m_production->setPalette(colors);
    m_production->setVisible(m_connection->profileOf(m_server).isGuarded());
}

void ActionDialog::setOver(bool isOver)
{
    m_fields->setVisible(!isOver);
    m_act->setVisible(!isOver);
    fitHeight();
}

void ActionDialog::fitHeight()
{
    m_body->layout()->activate(); // what was hidden a moment ago counts no more
    const QMargins margins = layout()->contentsMargins();
    const int message = m_message->isHidden() ? 0 : m_message->heightForWidth(width()) + kSpace;
    const int body = m_body->layout()->totalHeightForWidth(width());
    const int needed = margins.top() + message + body + kSpace + m_buttons->sizeHint().height() + margins.bottom();
    const int most = screen()->availableGeometry().height() - kFrameHeight;
    const bool hasRoom = needed <= most;
    // A button must not move away from the mouse: there is a scroll bar until that has gone.
    const bool mayGrow = !isVisible() || !isMouseOnButton();
    m_scroll->setMinimumHeight(hasRoom && mayGrow ? body : 0);
    m_scroll->setVerticalScrollBarPolicy(hasRoom && mayGrow ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    if (mayGrow && (needed > height() || m_fields->isHidden()))
        resize(width(), qMin(needed, most));
}

bool ActionDialog::isMouseOnButton() const
{
    return m_act->underMouse() || m_cancel->underMouse() || m_retarget->underMouse();
}

/// Return in a field goes on: to the next one that is empty, or to the button, once that may be pressed. Only there it
/// presses, and not because it was held down.
void ActionDialog::keyPressEvent(QKeyEvent *event)
{
    if (!isReturn(*event)) {
        QDialog::keyPressEvent(event);
        return;
    }
    const bool isHeldDown = isRepeat(*event);
    m_isReturnDown = m_isReturnDown || !event->isAutoRepeat();
    QWidget *focus = focusWidget();
    if (auto *button = qobject_cast<QPushButton *>(focus)) {
        if (!isHeldDown)
            button->click();
    } else if (qobject_cast<QLineEdit *>(focus)) {
        if (m_act->isEnabled() && m_act->isVisible())
            m_act->setFocus(Qt::TabFocusReason);
        else
            focusEmptyField();
    }
}

void ActionDialog::keyReleaseEvent(QKeyEvent *event)
{
    noteRelease(*event);
    QDialog::keyReleaseEvent(event);
}

void ActionDialog::noteRelease(const QKeyEvent &event)
{
    if (!isReturn(event) || event.isAutoRepeat())
        return;
    m_isReturnDown = false;
    m_returnLetGo = event.timestamp();
    m_sinceReturn.start();
}

bool ActionDialog::isRepeat(const QKeyEvent &event) const
{
    if (event.isAutoRepeat() || m_isReturnDown)
        return true;
    if (!m_sinceReturn.isValid())
        return false;
    const bool isTold = m_returnLetGo != 0 && event.timestamp() >= m_returnLetGo;
    return (isTold ? qint64(event.timestamp() - m_returnLetGo) : m_sinceReturn.elapsed()) < kQuickestMs;
}

void ActionDialog::focusEmptyField()
{
    for (QLineEdit *field : findChildren<QLineEdit *>()) {
        if (field->isVisible() && field->isEnabled() && field->text().trimmed().isEmpty()) {
            field->setFocus(Qt::TabFocusReason);
            return;
        }
    }
}

bool ActionDialog::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Leave) // see fitHeight()
        fitHeight();
    if (event->type() == QEvent::KeyRelease) // which a field keeps to itself
        noteRelease(*static_cast<QKeyEvent *>(event));
    return QDialog::eventFilter(watched, event);
}

void ActionDialog::showEvent(QShowEvent *event)
{
    QDialog::showEvent(event);
    fitHeight();
}

void ActionDialog::changeEvent(QEvent *event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showProduction();
}

} // namespace lockscope::ui
