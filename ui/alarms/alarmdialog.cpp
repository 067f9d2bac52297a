// SPDX-License-Identifier: MIT
#include "alarmdialog.h"

#include "notifier.h"
#include "ui/style/theme.h"
#include "ui/widgets/mutedlabel.h"

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QGridLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSpinBox>
#include <QtWidgets/QTimeEdit>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using Minutes = std::chrono::minutes;
using Seconds = std::chrono::seconds;

namespace {

constexpr int kMaxSeconds = 86'400;
constexpr int kMaxMinutes = 30 * 1440;
constexpr int kMaxQueue = 10'000;
constexpr int kMaxSettle = 600;

template<typename Unit>
std::optional<qint64> in(const std::optional<Microseconds> &time)
{
    return time ? std::optional<qint64>(std::chrono::ceil<Unit>(*time).count()) : std::nullopt;
}

template<typename Unit>
std::optional<Microseconds> from(const std::optional<qint64> &number)
{
    return number ? std::optional<Microseconds>(Unit(*number)) : std::nullopt;
}

} // namespace

AlarmDialog::AlarmDialog(const AlarmSettings &settings, QWidget *parent)
    : QDialog(parent)
    , m_grid(new QGridLayout)
{
    setWindowTitle(tr("Alarms"));
    setMinimumWidth(forType(520));
    setMaximumWidth(forType(kFormMaxWidth));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpaceSection, kSpaceSection, kSpaceSection, kSpaceSection);
    column->setSpacing(kSpaceSection);
    auto *intro = new QLabel(tr("Notify me, even while the window is hidden, when"), this);
    intro->setFont(headingFont());
    column->addWidget(intro);
    m_grid->setHorizontalSpacing(kSpace);
    m_grid->setVerticalSpacing(kSpace);
    m_grid->setColumnStretch(0, 1);
    m_blocked = addLimit(tr("a connection &waits for longer than"), tr(" s"), kMaxSeconds);
    m_queue = addLimit(tr("the &queue of a lock is longer than"), {}, kMaxQueue);
    m_held = addLimit(tr("a lock is &held for longer than"), tr(" min"), kMaxMinutes);
    m_orphan = addLimit(tr("a lease has no &living session for longer than"), tr(" s"), kMaxSeconds);
    column->addLayout(m_grid);
    setupTimes();
    setupButtons();
    show(settings);
    m_blocked.isOn->setFocus();
}

AlarmDialog::Limit AlarmDialog::addLimit(const QString &text, const QString &unit, int most)
{
    const Limit limit{new QCheckBox(text, this), new QSpinBox(this)};
    const int row = m_grid->rowCount();
    limit.value->setRange(1, most);
    limit.value->setSuffix(unit);
    limit.value->setAlignment(Qt::AlignRight);
    limit.value->setAccessibleName(limit.isOn->text().remove(u'&'));
    m_grid->addWidget(limit.isOn, row, 0);
    m_grid->addWidget(limit.value, row, 1);
    connect(limit.isOn, &QCheckBox::toggled, limit.value, &QWidget::setEnabled);
    return limit;
}

void AlarmDialog::setupTimes()
{
    auto *column = static_cast<QVBoxLayout *>(layout());
    // Made in the order in which Tab visits them.
    m_settle = new QSpinBox(this);
    m_notifies = new QCheckBox(tr("&Notify on the desktop too"), this);
    m_isQuiet = new QCheckBox(tr("Q&uiet hours, from"), this);
    m_from = new QTimeEdit(this);
    m_to = new QTimeEdit(this);
    m_settle->setRange(1, kMaxSettle);
    m_settle->setSuffix(tr(" s"));
    m_settle->setAlignment(Qt::AlignRight);
    auto *settle = new QLabel(tr("once that has been so for ano&ther"), this);
    settle->setBuddy(m_settle);
    m_grid->addWidget(settle, m_grid->rowCount(), 0);
    m_grid->addWidget(m_settle, m_grid->rowCount() - 1, 1);

    auto *quiet = new QHBoxLayout;
    quiet->setSpacing(kSpace);
    quiet->addWidget(m_isQuiet);
    quiet->addWidget(m_from);
    quiet->addWidget(new QLabel(tr("to"), this));
    quiet->addWidget(m_to);
    quiet->addStretch(1);
    auto *told = new QVBoxLayout;
    told->setSpacing(kSpace);
    told->addWidget(m_notifies);
    told->addLayout(quiet);
    auto *hint = new MutedLabel(tr("In these hours alarms only appear in the window; there is no notification."), this);
    hint->setWordWrap(true);
    told->addWidget(hint);
    column->addLayout(told);
    m_from->setAccessibleName(tr("Quiet hours begin"));
    m_to->setAccessibleName(tr("Quiet hours end"));
    for (QTimeEdit *edit : {m_from, m_to}) {
        edit->setDisplayFormat(u"HH:mm"_s);
        connect(m_isQuiet, &QCheckBox::toggled, edit, &QWidget::setEnabled);
    }
    if (!Notifier::canNotify()) {
        m_notifies->setEnabled(false);
        m_notifies->setToolTip(tr("This desktop shows no notifications: the window asks for attention instead."));
    }
}

void AlarmDialog::setupButtons()
{
    auto *buttons = new QDialogButtonBox(this);
    QPushButton *usual = buttons->addButton(tr("&As usual"), QDialogButtonBox::ResetRole);
    usual->setToolTip(tr("Fill in what Lockscope suggests"));
    buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    QPushButton *save = buttons->addButton(tr("&Save alarms"), QDialogButtonBox::AcceptRole);
    save->setDefault(true);
    usual->setAutoDefault(false);
    layout()->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(usual, &QPushButton::clicked, this, [this] { show({}); });
}

void AlarmDialog::set(const Limit &limit, const std::optional<qint64> &value)
{
    limit.isOn->setChecked(value.has_value());
    limit.value->setEnabled(value.has_value());
    if (value)
        limit.value->setValue(int(qMin(*value, qint64(limit.value->maximum()))));
}

std::optional<qint64> AlarmDialog::valueOf(const Limit &limit)
{
    return limit.isOn->isChecked() ? std::optional<qint64>(limit.value->value()) : std::nullopt;
}

/// For a kind that is off, the usual limit stands there, greyed.
void AlarmDialog::show(const AlarmSettings &settings)
{
    const AlarmLimits usual;
    const AlarmLimits &limits = settings.limits;
    for (const AlarmLimits *one : {&usual, &limits}) {
        set(m_blocked, in<Seconds>(one->blocked));
        set(m_queue, one->queue);
        set(m_held, in<Minutes>(one->held));
        set(m_orphan, in<Seconds>(one->orphan));
    }
    m_settle->setValue(int(*in<Seconds>(limits.settle)));
    const QuietHours quiet = limits.quiet.value_or(QuietHours());
    m_isQuiet->setChecked(limits.quiet.has_value());
    m_from->setTime(quiet.from);
    m_to->setTime(quiet.to);
    m_from->setEnabled(limits.quiet.has_value());
    m_to->setEnabled(limits.quiet.has_value());
    m_notifies->setChecked(settings.notifies);
}

AlarmSettings AlarmDialog::settings() const
{
    AlarmSettings settings;
    settings.limits.blocked = from<Seconds>(valueOf(m_blocked));
    settings.limits.held = from<Minutes>(valueOf(m_held));
    settings.limits.orphan = from<Seconds>(valueOf(m_orphan));
    const auto queue = valueOf(m_queue);
    settings.limits.queue = queue ? std::optional(int(*queue)) : std::nullopt;
    settings.limits.settle = Seconds(m_settle->value());
    if (m_isQuiet->isChecked())
        settings.limits.quiet = QuietHours{m_from->time(), m_to->time()};
    settings.notifies = m_notifies->isChecked();
    return settings;
}

} // namespace lockscope::ui
