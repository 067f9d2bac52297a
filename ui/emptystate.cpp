#include "emptystate.h"

#include "theme.h"

#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

EmptyState::EmptyState(QWidget *parent)
    : QWidget(parent)
    , m_headline(new QLabel(this))
    , m_text(new QLabel(this))
    , m_command(new QLabel(this))
    , m_action(new QPushButton(this))
{
    m_headline->setFont(headlineFont());
    m_command->setFont(fixedFont());
    m_command->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    for (QLabel *label : {m_headline, m_text, m_command}) {
        label->setAlignment(Qt::AlignHCenter);
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setMaximumWidth(kFormMaxWidth);
        label->setMinimumWidth(280);
    }
    connect(m_action, &QPushButton::clicked, this, &EmptyState::actionClicked);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(kSpaceSection, kSpaceSection, kSpaceSection, kSpaceSection);
    layout->setSpacing(kSpace);
    layout->addStretch(2);
    for (QLabel *label : {m_headline, m_text, m_command})
        layout->addWidget(label, 0, Qt::AlignHCenter);
    layout->addSpacing(kSpace);
    layout->addWidget(m_action, 0, Qt::AlignHCenter);
    layout->addStretch(3);
}

void EmptyState::setMessage(const QString &headline, const QString &text, const QString &command, const QString &action)
{
    m_headline->setText(headline);
    m_text->setText(text);
    m_command->setText(command);
    m_command->setVisible(!command.isEmpty());
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
}

} // namespace lockscope::ui
