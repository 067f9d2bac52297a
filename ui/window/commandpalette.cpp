// SPDX-License-Identifier: MIT
#include "commandpalette.h"

#include "ui/style/theme.h"
#include "ui/widgets/rowdelegate.h"
#include "windowactions.h"

#include <QtGui/QAction>
#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QListWidget>
#include <QtWidgets/QMenu>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>
#include <optional>
#include <utility>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr char kWords[] = "words";
/// A reader takes in no more; whoever does not find it here types on.
constexpr int kMostFindings = 50;
/// Items hold the number of an action, or, after all actions, that of a finding.
constexpr int kNumberRole = Qt::UserRole;

QString plainText(const QAction *action)
{
    return WindowActions::withoutMnemonic(action->text());
}

/// How far it is from what is typed: the less the better; none: it does not match. Each word has to be found.
std::optional<int> rank(const QString &typed, const QString &text, const QString &words)
{
    const QStringList parts = typed.split(u' ', Qt::SkipEmptyParts);
    for (const QString &part : parts) {
        if (!text.contains(part, Qt::CaseInsensitive) && !words.contains(part, Qt::CaseInsensitive))
            return std::nullopt;
    }
    if (parts.isEmpty() || text.startsWith(parts.first(), Qt::CaseInsensitive))
        return 0;
    return text.contains(parts.first(), Qt::CaseInsensitive) ? 1 : 2;
}

/// The best first, in the order that they had.
QList<int> ranked(QList<std::pair<int, int>> found)
{
    std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    QList<int> numbers;
    for (const auto &one : std::as_const(found))
        numbers += one.second;
    return numbers;
}

} // namespace

QList<Finding> CommandPalette::Haystack::find(const QString &typed)
{
    if (!all)
        all = make();
    QList<std::pair<int, int>> found;
    for (int i = 0; i < int(all->size()); ++i) {
        if (const auto suits = rank(typed, all->at(i).text, {}))
            found.append({*suits, i});
    }
    QList<Finding> best;
    for (const int number : ranked(std::move(found)).mid(0, kMostFindings))
        best.append(all->at(number));
    return best;
}

CommandPalette::CommandPalette(BackgroundCalls *calls, const QList<QAction *> &actions, FindingsMaker findings,
                               QWidget *parent)
    : QDialog(parent, Qt::Popup | Qt::FramelessWindowHint)
    , m_calls(calls)
    , m_haystack(std::make_shared<Haystack>(Haystack{std::move(findings)}))
    , m_search(new QLineEdit(this))
    , m_list(new QListWidget(this))
{
    for (QAction *action : actions) {
        if (!action->text().isEmpty() && !action->menu())
            m_actions.append(action);
    }
    setAttribute(Qt::WA_DeleteOnClose);
    setFixedSize(forType(560), forType(320));
    m_search->setPlaceholderText(tr("Find a lock, a session, a server or something to do"));
    m_search->installEventFilter(this);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setIconSize(QSize(fontMetrics().height(), fontMetrics().height()));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpace, kSpace, kSpace, kSpace);
    column->addWidget(m_search);
    column->addWidget(m_list, 1);
    connect(m_search, &QLineEdit::textChanged, this, &CommandPalette::onTyped);
    connect(m_search, &QLineEdit::returnPressed, this, &CommandPalette::trigger);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::trigger);
    onTyped();
    m_search->setFocus();
}

void CommandPalette::addWords(QAction *action, const QString &words)
{
    action->setProperty(kWords, words);
}

void CommandPalette::paintEvent(QPaintEvent *event)
{
    QDialog::paintEvent(event);
    QPainter painter(this);
    painter.setPen(lineColor(palette()));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

/// With nothing typed, what can be done now. Actions stand there at once, and what is found below them.
void CommandPalette::onTyped()
{
    m_list->clear();
    m_findings.clear();
    m_isTriggered = false;
    const QString typed = m_search->text();
    QList<std::pair<int, int>> actions;
    for (int i = 0; i < int(m_actions.size()); ++i) {
        const QAction *action = m_actions[i];
        if (!action || (typed.isEmpty() && !action->isEnabled()))
            continue;
        if (const auto suits = rank(typed, plainText(action), action->property(kWords).toString()))
            actions.append({*suits, i});
    }
    for (const int number : ranked(actions))
        addAction(number);
    m_list->setCurrentRow(0);
    if (!m_isSearching && !typed.isEmpty())
        search();
}

void CommandPalette::search()
{
    m_isSearching = true;
    const QString typed = m_search->text();
    m_calls->run([haystack = m_haystack, typed] { return haystack->find(typed); }, this,
                 [this, typed](const QList<Finding> &found) { onFound(typed, found); });
}

void CommandPalette::onFound(const QString &typed, const QList<Finding> &found)
{
    m_isSearching = false;
    if (typed != m_search->text()) { // it was typed on
        if (!m_search->text().isEmpty())
            search();
        return;
    }
    m_findings = found;
    for (int i = 0; i < int(found.size()); ++i)
        addFinding(i);
    if (!m_list->currentItem())
        m_list->setCurrentRow(0);
    if (m_isTriggered)
        trigger();
}

void CommandPalette::addAction(int number)
{
    const QAction *action = m_actions[number];
    const QString text = plainText(action);
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    auto *item = new QListWidgetItem(keys.isEmpty() ? text : tr("%1   (%2)").arg(text, keys), m_list);
    item->setIcon(action->icon());
    item->setSizeHint({0, RowDelegate::rowHeight(fontMetrics())});
    item->setData(kNumberRole, number);
    if (!action->isEnabled())
        item->setForeground(mutedText(palette()));
}

void CommandPalette::addFinding(int number)
{
    auto *item = new QListWidgetItem(markIcon(m_findings[number].mark), m_findings[number].text, m_list);
    item->setSizeHint({0, RowDelegate::rowHeight(fontMetrics())});
    item->setData(kNumberRole, int(m_actions.size()) + number);
}

void CommandPalette::trigger()
{
    const QListWidgetItem *item = m_list->currentItem();
    m_isTriggered = !item && m_isSearching;
    if (!item)
        return;
    const int number = item->data(kNumberRole).toInt();
    const QPointer<QAction> action = m_actions.value(number);
    const int finding = number - int(m_actions.size());
    close();
    if (finding >= 0)
        m_findings[finding].show();
    else if (action && action->isEnabled())
        action->trigger();
    else if (action)
        Q_EMIT refused(action->toolTip());
}

/// Arrow keys move in the list while the text keeps the focus.
bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
            QApplication::sendEvent(m_list, event);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace lockscope::ui
