// SPDX-License-Identifier: MIT
#include "inspectorparts.h"

#include "mutedlabel.h"
#include "ui/style/theme.h"

#include <QtGui/QAction>
#include <QtGui/QTextOption>
#include <QtWidgets/QGridLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollArea>

namespace lockscope::ui {

QLabel *makeLabel(QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QLabel *makeTitle(QWidget *parent)
{
    QLabel *label = makeLabel(parent);
    label->setFont(headingFont());
    return label;
}

/// No QFormLayout: it gives wrapped text no more than the lines that it would have without wrapping.
QGridLayout *makeFacts(QWidget *parent)
{
    auto *facts = new QGridLayout(parent);
    facts->setContentsMargins(0, kSpace, 0, kSpace);
    facts->setHorizontalSpacing(kSpace);
    facts->setVerticalSpacing(kSpaceInGroup);
    facts->setColumnStretch(1, 1);
    return facts;
}

QLabel *addFact(QGridLayout *facts, const QString &name, QWidget *parent)
{
    const int row = facts->rowCount();
    QLabel *value = makeLabel(parent);
    facts->addWidget(new MutedLabel(name, parent), row, 0, Qt::AlignTop);
    facts->addWidget(value, row, 1, Qt::AlignTop);
    return value;
}

QPlainTextEdit *makeSqlBox(int lines, QWidget *parent)
{
    auto *box = new QPlainTextEdit(parent);
    box->setReadOnly(true);
    box->setFont(fixedFont());
    box->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    const int margins = 2 * (int(box->document()->documentMargin()) + box->frameWidth());
    box->setFixedHeight(QFontMetrics(fixedFont()).lineSpacing() * lines + margins);
    QTextOption option = box->document()->defaultTextOption();
    option.setTextDirection(Qt::LeftToRight); // whatever letters stand in it
    box->document()->setDefaultTextOption(option);
    return box;
}

void showAsButton(QPushButton *button, QAction *action)
{
    const auto show = [button, action] {
        button->setIcon(action->icon());
        button->setText(action->iconText());
        button->setEnabled(action->isEnabled());
        button->setToolTip(action->toolTip());
    };
    show();
    QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
    QObject::connect(action, &QAction::changed, button, show);
}

QScrollArea *makeScroll(QWidget *body, QWidget *parent)
{
    auto *scroll = new QScrollArea(parent);
    scroll->setWidget(body);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    body->setAutoFillBackground(false);
    return scroll;
}

void setMark(QLabel *label, const QIcon &icon)
{
    const int side = label->fontMetrics().height();
    label->setPixmap(icon.pixmap(QSize(side, side), label->devicePixelRatioF()));
}

QString breakable(const QString &text)
{
    constexpr qsizetype longest = 24;
    QString broken;
    qsizetype run = 0;
    for (const QChar c : text) {
        run = c.isSpace() ? 0 : run + 1;
        if (run > longest && !c.isLowSurrogate()) {
            broken += QChar(0x200b);
            run = 1;
        }
        broken += c;
    }
    return broken;
}

} // namespace lockscope::ui
