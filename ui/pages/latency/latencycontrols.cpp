// SPDX-License-Identifier: MIT
#include "latencycontrols.h"

#include "latencyranks.h"
#include "ui/charts/chartstyle.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtCore/QSignalBlocker>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QToolButton>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

/// More points than this show no more; percentiles of a longer slot are just as exact.
constexpr int kMaxPoints = 1500;
constexpr Microseconds kLengths[] = {1min, 5min, 15min, 1h, 6h, 24h};
constexpr int kDefaultLength = 2;

/// A multiple of the five seconds in which engines write.
Microseconds slotFor(Microseconds length)
{
    constexpr Microseconds shortest = 5s;
    return shortest * ((length - 1us) / (kMaxPoints * shortest) + 1);
}

/// Keeps what was chosen, also when nothing of it is measured at the moment.
template<typename Names, typename Word>
void fill(QComboBox *box, const Names &names, Word word)
{
    const QSignalBlocker blocker(box);
    for (const auto &name : names) {
        if (box->findData(QVariant::fromValue(name)) < 0)
            box->addItem(word(name), QVariant::fromValue(name));
    }
}

} // namespace

LatencyControls::LatencyControls(QWidget *parent)
    : QWidget(parent)
    , m_first(new QHBoxLayout)
    , m_second(new QHBoxLayout)
    , m_now(new QToolButton(this))
{
    auto *rows = new QVBoxLayout(this);
    rows->setContentsMargins(kSpaceSection, kSpace, kSpaceSection, kSpace);
    rows->setSpacing(kSpace);
    for (QHBoxLayout *row : {m_first, m_second}) {
        row->setSpacing(kSpace);
        row->addStretch(1);
        rows->addLayout(row);
    }
    m_length = addCombo(tr("Period"), tr("How much of the time until now"));
    const QString lengths[] = {tr("Last minute"), tr("Last 5 minutes"), tr("Last 15 minutes"),
                               tr("Last hour"),   tr("Last 6 hours"),   tr("Last 24 hours")};
    for (const QString &text : lengths)
        m_length->addItem(text);
    m_length->setCurrentIndex(kDefaultLength);
    m_kind = addCombo(tr("What is measured"), tr("From asking for a lock to the answer, or how long it is held"));
    m_kind->addItem(tr("Acquire"), u"acquire"_s);
    m_kind->addItem(tr("Hold"), u"hold"_s);
    m_mode = addCombo(tr("Mode"), tr("One mode, with all its percentiles, or all modes"));
    m_mode->addItem(tr("All modes"));
    for (const char *mode : {"unique", "pessimistic", "optimistic"})
        m_mode->addItem(ChartStyle::modeWord(mode), QByteArray(mode));
    m_program = addCombo(tr("Program"), tr("Whose requests"));
    m_program->addItem(tr("All programs"));
    m_prefix = addCombo(tr("Resources"), tr("Resources with the prefix that an application gives its names"));
    m_prefix->addItem(tr("All resources"));
    m_compare = addCombo(tr("Compare"), tr("Draw another period in grey behind this one"));
    m_compare->addItem(tr("Compare with nothing"));
    m_compare->addItem(tr("The period before"));
    m_compare->addItem(tr("A day before"));
    m_now->setText(tr("Back to now"));
    m_now->setToolTip(tr("Show the chosen length of time until now (Home, double click)"));
    m_first->addWidget(m_now);
    for (QComboBox *box : {m_kind, m_program, m_prefix, m_compare})
        connect(box, &QComboBox::currentIndexChanged, this, &LatencyControls::changed);
    connect(m_length, &QComboBox::currentIndexChanged, this, &LatencyControls::nowWanted);
    connect(m_mode, &QComboBox::currentIndexChanged, this, &LatencyControls::modeChanged);
    connect(m_now, &QToolButton::clicked, this, &LatencyControls::nowWanted);
}

/// In one row where there is the room, else in two.
void LatencyControls::arrange()
{
    const int wanted = m_first->sizeHint().width() + kSpace + m_second->sizeHint().width();
    QHBoxLayout *row = wanted <= width() - 2 * kSpaceSection ? m_first : m_second;
    if (row->indexOf(m_compare) >= 0)
        return;
    int place = row == m_first ? row->indexOf(m_mode) + 1 : 0;
    for (QComboBox *box : {m_program, m_prefix, m_compare})
        row->insertWidget(place++, box);
}

void LatencyControls::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

/// One row keeps no window from being too narrow for it.
QSize LatencyControls::minimumSizeHint() const
{
    return {0, QWidget::minimumSizeHint().height()};
}

QComboBox *LatencyControls::addCombo(const QString &name, const QString &tip)
{
    auto *box = new QComboBox(this);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box->setMaximumWidth(forType(220));
    m_first->insertWidget(m_first->count() - 1, box);
    return box;
}

LatencyQuestion LatencyControls::question(const std::optional<TimeChart::Range> &range) const
{
    LatencyQuestion question;
    question.length = range ? range->to - range->from : kLengths[m_length->currentIndex()];
    if (range)
        question.to = range->to;
    question.slot = slotFor(question.length);
    question.kind = m_kind->currentData().toString().toLatin1();
    if (m_program->currentIndex() > 0)
        question.program = m_program->currentData().toString();
    question.prefix = prefix();
    if (m_compare->currentIndex() > 0)
        question.compareBefore = m_compare->currentIndex() == 1 ? question.length : Microseconds(24h);
    return question;
}

QByteArray LatencyControls::mode() const
{
    return m_mode->currentData().toByteArray();
}

std::optional<QByteArray> LatencyControls::prefix() const
{
    return m_prefix->currentIndex() > 0 ? std::optional(m_prefix->currentData().toByteArray()) : std::nullopt;
}

QString LatencyControls::comparison() const
{
    return m_compare->currentText();
}

void LatencyControls::focusMode()
{
    m_mode->setFocus(Qt::ShortcutFocusReason);
}

void LatencyControls::offer(const LatencyPicture &picture)
{
    fill(m_program, picture.programs, [](const QString &name) { return CommonText::shortened(name); });
    fill(m_prefix, picture.prefixes, &LatencyRanks::prefixText);
    arrange();
}

void LatencyControls::forget()
{
    for (QComboBox *box : {m_program, m_prefix}) {
        const QSignalBlocker blocker(box);
        while (box->count() > 1)
            box->removeItem(1);
    }
}

void LatencyControls::toggle(const LatencyRank &rank)
{
    const int program = m_program->findData(rank.program);
    const int prefix = m_prefix->findData(rank.prefix);
    const bool isChosen = m_program->currentIndex() == program && m_prefix->currentIndex() == prefix;
    const QSignalBlocker programs(m_program);
    const QSignalBlocker prefixes(m_prefix);
    m_program->setCurrentIndex(isChosen ? 0 : program);
    m_prefix->setCurrentIndex(isChosen ? 0 : prefix);
}

bool LatencyControls::chooseAll()
{
    const bool isNarrowed = m_program->currentIndex() > 0 || m_prefix->currentIndex() > 0;
    m_program->setCurrentIndex(0);
    m_prefix->setCurrentIndex(0);
    return isNarrowed;
}

void LatencyControls::setNowOffered(bool isOffered)
{
    m_now->setVisible(isOffered);
    arrange();
}

} // namespace lockscope::ui
