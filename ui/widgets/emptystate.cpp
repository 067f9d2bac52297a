// SPDX-License-Identifier: MIT
#include "emptystate.h"

#include "ui/style/theme.h"

#include <QtGui/QAction>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

namespace {

/// Of the window's height, what is free above the words.
constexpr int kPartAbove = 5;

} // namespace

EmptyState::EmptyState(QWidget *parent)
    : QWidget(parent)
    , m_above(new QSpacerItem(0, 0))
    , m_headline(new QLabel(this))
    , m_text(new QLabel(this))
    , m_command(new QLabel(this))
    , m_action(new QPushButton(this))
    , m_starts(new QWidget(this))
{
    m_headline->setFont(headlineFont());
    m_command->setFont(fixedFont());
    m_command->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    for (QLabel *label : {m_headline, m_text, m_command}) {
        label->setAlignment(Qt::AlignHCenter);
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    connect(m_action, &QPushButton::clicked, this, &EmptyState::actionClicked);

    // A box of its own width: a wrapped label that is centred by itself loses its second line.
    auto *box = new QWidget(this);
    box->setMaximumWidth(forType(kFormMaxWidth));
    auto *words = new QVBoxLayout(box);
    words->setContentsMargins(0, 0, 0, 0);
    words->setSpacing(kSpace);
    for (QLabel *label : {m_headline, m_text, m_command})
        words->addWidget(label);
    words->addSpacing(kSpace);
    words->addWidget(m_action, 0, Qt::AlignHCenter);
    words->addWidget(m_starts, 0, Qt::AlignHCenter);
    auto *starts = new QHBoxLayout(m_starts);
    starts->setContentsMargins(0, kSpace, 0, 0);
    starts->setSpacing(kSpace);
    m_starts->hide();
    auto *row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(box, 100);
    row->addStretch(1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpaceSection, kSpaceSection, kSpaceSection, kSpaceSection);
    column->addItem(m_above);
    column->addLayout(row);
    column->addStretch(1);
}

/// By the window's height: a message that takes room below it moves none of its buttons.
void EmptyState::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const int above = window()->height() / kPartAbove;
    if (m_above->sizeHint().height() == above)
        return;
    m_above->changeSize(0, above, QSizePolicy::Minimum, QSizePolicy::Maximum); // less where there is no room
    layout()->invalidate();
}

void EmptyState::setMessage(const QString &headline, const QString &text, const QString &command, const QString &action)
{
    m_headline->setText(headline);
    m_text->setText(text);
    m_command->setText(command);
    m_command->setVisible(!command.isEmpty());
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    m_starts->hide();
}

void EmptyState::tellFailure(bool isTriedAgain)
{
    if (isTriedAgain)
        setMessage(tr("Nothing can be shown yet"), tr("The message says why. Lockscope keeps trying."));
    else
        setMessage(tr("Nothing can be shown"), tr("The message says why."));
}

void EmptyState::tellOtherKind(const QString &store)
{
    setMessage(
        tr("Only for MySQL and MariaDB"),
        tr("%1 has locks with owners and queues, which the page Locks shows; what this page is about, it does not "
           "tell.")
            .arg(store));
}

void EmptyState::setStarts(const QList<QAction *> &actions)
{
    for (QAction *action : actions) {
        auto *button = new QPushButton(action->iconText(), m_starts);
        button->setToolTip(action->toolTip());
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        m_starts->layout()->addWidget(button);
    }
}

void EmptyState::offerStarts()
{
    m_starts->show();
}

} // namespace lockscope::ui
