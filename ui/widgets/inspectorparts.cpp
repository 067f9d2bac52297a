// SPDX-License-Identifier: MIT
#include "inspectorparts.h"

#include "elidedlabel.h"
#include "mutedlabel.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"

#include <QtCore/QEvent>
#include <QtGui/QAction>
#include <QtGui/QTextOption>
#include <QtWidgets/QGridLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QVBoxLayout>

#include <utility>

namespace lockscope::ui {

namespace {

constexpr int kSqlLines = 7;

} // namespace

QLabel *makeLabel(QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
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

QLabel *addFact(QGridLayout *facts, const QString &name)
{
    const int row = facts->rowCount();
    QLabel *value = makeLabel(facts->parentWidget());
    facts->addWidget(new MutedLabel(name, facts->parentWidget()), row, 0, Qt::AlignTop);
    facts->addWidget(value, row, 1, Qt::AlignTop);
    return value;
}

void showFact(QLabel *value, const QString &text)
{
    const auto *facts = static_cast<QGridLayout *>(value->parentWidget()->layout());
    int row = 0;
    int column = 0;
    int span = 0;
    facts->getItemPosition(facts->indexOf(value), &row, &column, &span, &span);
    for (const int part : {column - 1, column})
        facts->itemAtPosition(row, part)->widget()->setVisible(!text.isEmpty());
    value->setText(breakable(text));
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

Inspector::Inspector(const QString &hint, QWidget *parent)
    : QWidget(parent)
    , m_mark(new QLabel(this))
    , m_name(new ElidedLabel(this))
    , m_body(new QWidget(this))
    , m_sections(new QVBoxLayout(m_body))
    , m_summary(addText())
    , m_hint(makeLabel(this))
    , m_scroll(new QScrollArea(this))
{
    setMaximumWidth(forType(kInspectorMaxWidth));
    setMinimumWidth(forType(260));
    m_name->setFont(headlineFont());
    m_mark->setFont(headlineFont());
    m_hint->setText(hint);
    m_sections->setContentsMargins(0, 0, 0, 0);
    m_sections->setSpacing(kSpace);
    auto *head = new QHBoxLayout;
    head->setSpacing(kSpace);
    head->addWidget(m_mark);
    head->addWidget(m_name, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpaceSection, kSpaceSection, kSpaceSection, kSpaceSection);
    column->setSpacing(kSpace);
    column->addLayout(head);
    column->addWidget(m_hint);
}

QGridLayout *Inspector::addFacts()
{
    auto *facts = new QWidget(m_body);
    m_sections->addWidget(facts);
    return makeFacts(facts);
}

QLabel *Inspector::addTitle()
{
    QLabel *label = addText();
    label->setFont(headingFont());
    return label;
}

QLabel *Inspector::addText()
{
    QLabel *label = makeLabel(m_body);
    m_sections->addWidget(label);
    return label;
}

QPlainTextEdit *Inspector::addSql(const QString &name)
{
    auto *box = new QPlainTextEdit(m_body);
    box->setAccessibleName(name);
    box->setReadOnly(true);
    box->setFont(fixedFont());
    box->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    const int margins = 2 * (int(box->document()->documentMargin()) + box->frameWidth());
    box->setFixedHeight(QFontMetrics(fixedFont()).lineSpacing() * kSqlLines + margins);
    QTextOption option = box->document()->defaultTextOption();
    option.setTextDirection(Qt::LeftToRight); // whatever letters stand in it
    box->document()->setDefaultTextOption(option);
    m_sections->addWidget(box);
    return box;
}

void Inspector::addButtons(const QList<QAction *> &actions)
{
    m_sections->addStretch(1);
    m_scroll->setWidget(m_body);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_body->setAutoFillBackground(false);
    // Above what is scrolled: a message below the page makes that lower, and moves no button.
    for (QAction *action : actions) {
        auto *button = new QPushButton(this);
        const auto show = [button, action] {
            button->setIcon(action->icon());
            button->setText(action->iconText());
            button->setEnabled(action->isEnabled());
            button->setToolTip(action->toolTip());
        };
        show();
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        connect(action, &QAction::changed, button, show);
        layout()->addWidget(button);
        m_buttons.append(button);
    }
    static_cast<QVBoxLayout *>(layout())->addWidget(m_scroll, 1);
}

void Inspector::setShown(bool isShown)
{
    m_hint->setVisible(!isShown);
    m_mark->setVisible(isShown);
    m_body->setVisible(isShown);
    m_scroll->setFocusPolicy(isShown ? Qt::StrongFocus : Qt::NoFocus);
    m_scroll->setVerticalScrollBarPolicy(isShown ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    for (QPushButton *button : std::as_const(m_buttons))
        button->setVisible(isShown);
}

void Inspector::setMark(Mark mark)
{
    const int side = m_mark->fontMetrics().height();
    m_mark->setPixmap(markIcon(mark).pixmap(QSize(side, side), m_mark->devicePixelRatioF()));
}

void Inspector::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showMark();
}

} // namespace lockscope::ui
