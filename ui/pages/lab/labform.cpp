// SPDX-License-Identifier: MIT
#include "labform.h"

#include "labtext.h"
#include "lessons/lessonlibrary.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/text/linktext.h"
#include "ui/widgets/linklabel.h"
#include "ui/widgets/mutedlabel.h"

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QDoubleSpinBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QSpinBox>

namespace lockscope::ui {

using namespace std::chrono_literals;

namespace {

double millisecondsOf(Duration duration)
{
    return double(duration.count()) / 1000;
}

Duration durationOf(const QDoubleSpinBox *box)
{
    return Duration(qRound64(box->value() * 1000));
}

template<typename Enum>
void choose(QComboBox *box, Enum value)
{
    box->setCurrentIndex(box->findData(int(value)));
}

template<typename Enum>
Enum chosen(const QComboBox *box)
{
    return Enum(box->currentData().toInt());
}

/// Slow enough for the eye, and with workers on which every fault can be tried.
LabPlan planToWatch(LabWay way)
{
    LabPlan plan = labPlanFor(way);
    plan.usesProcesses = true;
    plan.hold.mean = std::max<Duration>(plan.hold.mean, 50ms);
    plan.think.mean = 50ms;
    plan.duration = 30s;
    return plan;
}

constexpr int kLeastField = 80;

/// As wide as the form gives, not as its longest entry.
void letShrink(QComboBox *box)
{
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    box->setMinimumWidth(forType(kLeastField));
}

QComboBox *makeShapes(QWidget *parent)
{
    auto *box = new QComboBox(parent);
    for (const auto shape : {LabTime::Shape::Fixed, LabTime::Shape::Uniform, LabTime::Shape::Exponential})
        box->addItem(LabText::shape(shape), int(shape));
    box->setToolTip(LabForm::tr("How this time varies around its mean"));
    box->setAccessibleName(box->toolTip());
    letShrink(box);
    return box;
}

} // namespace

LabForm::LabForm(QWidget *parent)
    : QWidget(parent)
    , m_scenario(new QComboBox(this))
    , m_lessons(new LinkLabel(this))
    , m_mode(new QComboBox(this))
    , m_meaning(new MutedLabel({}, this))
    , m_skew(new QComboBox(this))
    , m_job(new QComboBox(this))
    , m_keeping(new QComboBox(this))
    , m_servers(new QComboBox(this))
    , m_fair(new QCheckBox(tr("Granted in the order of asking"), this))
    , m_fenced(new QCheckBox(tr("The store checks tokens"), this))
    , m_processes(new QCheckBox(tr("Workers are processes"), this))
{
    auto *form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(kSpaceInGroup);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_scenario->addItem(tr("Own load"), QString());
    for (const LabPlan &plan : labScenarios())
        m_scenario->addItem(LinkText::scenario(plan.name), plan.name);
    for (const LabWay way : allLabWays())
        m_mode->addItem(LabText::way(way), int(way));
    m_mode->insertSeparator(int(LabWay::ZooKeeper));
    m_mode->insertSeparator(int(LabWay::RedisSetnx));
    m_mode->insertSeparator(int(LabWay::None));
    for (const auto skew : {LabSkew::Uniform, LabSkew::Zipf, LabSkew::Hot, LabSkew::Own})
        m_skew->addItem(LabText::skew(skew), int(skew));
    for (const auto job : {LabJob::Stock, LabJob::Sale, LabJob::Once, LabJob::Nothing})
        m_job->addItem(LabText::job(job), int(job));
    for (const auto keeping : {LabKeeping::Memory, LabKeeping::EverySecond, LabKeeping::Durable})
        m_keeping->addItem(LabText::keeping(keeping), int(keeping));
    for (const int servers : {1, 3})
        m_servers->addItem(QString::number(servers), servers);
    m_meaning->setWordWrap(true);
    m_meaning->setMinimumHeight(3 * fontMetrics().height());
    m_meaning->setAlignment(Qt::AlignTop | Qt::AlignLeft);

    addRow(tr("Scenario"), m_scenario, tr("A load to begin with"));
    form->addRow(m_lessons);
    addRow(tr("Mode"), m_mode, tr("How workers keep each other out"));
    form->addRow(m_meaning);
    m_workers = addNumber(tr("Workers"), tr("How many ask at a time"), LabPlan::MaxWorkers);
    m_resources = addNumber(tr("Resources"), tr("How many names there are to ask for"), LabPlan::MaxResources);
    addRow(tr("Asked for"), m_skew, tr("How often each resource is asked for"));
    addRow(tr("Work"), m_job, tr("What is done under the lock"));
    addRow(
        tr("Store keeps"), m_keeping,
        tr("What the nodes of a run keep of their writes. A ZooKeeper writes all to a log, which is on the disk some "
           "time later unless each write has to be"));
    addRow(tr("Servers"), m_servers, tr("One, or an ensemble of which one may be gone"));
    m_hold = addTime(tr("Hold"), tr("How long a worker holds, in milliseconds"), &m_holdShape);
    m_think = addTime(tr("Rest"), tr("How long a worker rests in between, in milliseconds"), &m_thinkShape);
    m_ttl = addTime(tr("TTL"), tr("How long a lock lives without renewal"));
    m_wait = addTime(tr("Wait"), tr("How long a worker waits before it gives up"));
    m_duration = addTime(tr("Duration"), tr("How long the run takes"));
    m_connections = addNumber(tr("Connections"),
                              tr("How many the engine may open; fewer than it can use make workers "
                                 "wait for one"),
                              4 * LabPlan::MaxWorkers);
    m_connections->setMinimum(0);
    m_connections->setSpecialValueText(tr("as needed"));
    m_seed = addNumber(tr("Seed"), tr("The same seed makes the same requests in the same order"), 1'000'000'000);
    form->addRow(m_fair);
    form->addRow(m_fenced);
    form->addRow(m_processes);
    m_fair->setToolTip(
        tr("Otherwise workers do not queue: they try again by themselves, and whoever comes first gets it"));
    m_fenced->setToolTip(tr("Rows refuse a write with a smaller token than one they have seen"));
    m_processes->setToolTip(tr("So that they can be killed and frozen; at most %1").arg(LabPlan::MaxProcesses));

    connect(m_scenario, &QComboBox::activated, this, [this] { chooseScenario(m_scenario->currentData().toString()); });
    connect(m_lessons, &LinkLabel::chosen, this, &LabForm::lessonRequested);
    connect(m_mode, &QComboBox::currentIndexChanged, this, &LabForm::onModeChosen);
    for (QComboBox *box : {m_skew, m_job, m_keeping, m_servers, m_holdShape, m_thinkShape})
        connect(box, &QComboBox::currentIndexChanged, this, &LabForm::onEdited);
    for (QSpinBox *box : {m_workers, m_resources, m_connections, m_seed})
        connect(box, &QSpinBox::valueChanged, this, &LabForm::onEdited);
    for (QDoubleSpinBox *box : {m_hold, m_think, m_ttl, m_wait, m_duration})
        connect(box, &QDoubleSpinBox::valueChanged, this, &LabForm::onEdited);
    for (QCheckBox *box : {m_fair, m_fenced, m_processes})
        connect(box, &QCheckBox::toggled, this, &LabForm::onEdited);
    setPlan(planToWatch(LabWay::Unique));
}

void LabForm::addRow(const QString &name, QWidget *field, const QString &tip)
{
    if (auto *box = qobject_cast<QComboBox *>(field))
        letShrink(box);
    field->setToolTip(tip);
    field->setAccessibleName(name);
    static_cast<QFormLayout *>(layout())->addRow(name, field);
}

QSpinBox *LabForm::addNumber(const QString &name, const QString &tip, int most)
{
    auto *box = new QSpinBox(this);
    box->setRange(1, most);
    box->setGroupSeparatorShown(true);
    addRow(name, box, tip);
    return box;
}

QDoubleSpinBox *LabForm::addTime(const QString &name, const QString &tip, QComboBox **shape)
{
    auto *box = new QDoubleSpinBox(this);
    box->setRange(0, millisecondsOf(1h));
    box->setDecimals(1);
    box->setSuffix(tr(" ms"));
    box->setMinimumWidth(forType(kLeastField));
    box->setGroupSeparatorShown(true);
    if (!shape) {
        addRow(name, box, tip);
        return box;
    }
    *shape = makeShapes(this);
    auto *both = new QHBoxLayout;
    both->setSpacing(kSpaceInGroup);
    both->addWidget(box, 1);
    both->addWidget(*shape);
    box->setToolTip(tip);
    box->setAccessibleName(name);
    static_cast<QFormLayout *>(layout())->addRow(name, both);
    return box;
}

void LabForm::setPlan(const LabPlan &plan)
{
    m_isFilling = true;
    m_plan = plan;
    m_scenario->setCurrentIndex(std::max(0, m_scenario->findData(plan.name)));
    choose(m_mode, plan.way);
    choose(m_skew, plan.skew);
    choose(m_job, plan.job);
    choose(m_keeping, plan.keeping);
    m_servers->setCurrentIndex(m_servers->findData(plan.servers));
    choose(m_holdShape, plan.hold.shape);
    choose(m_thinkShape, plan.think.shape);
    m_workers->setValue(plan.workers);
    m_resources->setValue(plan.resources);
    m_hold->setValue(millisecondsOf(plan.hold.mean));
    m_think->setValue(millisecondsOf(plan.think.mean));
    m_ttl->setValue(millisecondsOf(plan.ttl));
    m_wait->setValue(millisecondsOf(plan.wait));
    m_duration->setValue(millisecondsOf(plan.duration));
    m_connections->setValue(plan.connections);
    m_seed->setValue(int(plan.seed));
    m_fair->setChecked(plan.isFair);
    m_fenced->setChecked(plan.isFenced);
    m_processes->setChecked(plan.usesProcesses);
    m_isFilling = false;
    explain();
}

void LabForm::chooseScenario(const QString &name, std::optional<LabWay> mode)
{
    LabWay way = mode.value_or(chosen<LabWay>(m_mode));
    const auto scenario = labScenarioOf(name);
    if (scenario && !mode && scenario->way != LabWay::Unique)
        way = scenario->way; // what a store is known for shows on that one
    LabPlan wanted = scenario.value_or(planToWatch(way));
    wanted.way = way;
    wanted.usesProcesses = wanted.needsProcesses();
    setPlan(wanted);
    Q_EMIT changed();
}

LabPlan LabForm::plan() const
{
    LabPlan plan = m_plan; // scheduled faults, name, stock
    plan.way = chosen<LabWay>(m_mode);
    plan.skew = chosen<LabSkew>(m_skew);
    plan.job = chosen<LabJob>(m_job);
    plan.keeping = chosen<LabKeeping>(m_keeping);
    plan.servers = m_servers->currentData().toInt();
    plan.workers = m_workers->value();
    plan.resources = m_resources->value();
    plan.hold = {chosen<LabTime::Shape>(m_holdShape), durationOf(m_hold)};
    plan.think = {chosen<LabTime::Shape>(m_thinkShape), durationOf(m_think)};
    plan.ttl = durationOf(m_ttl);
    plan.wait = durationOf(m_wait);
    plan.duration = durationOf(m_duration);
    plan.connections = m_connections->value();
    plan.seed = quint64(m_seed->value());
    plan.isFair = m_fair->isChecked();
    plan.isFenced = m_fenced->isChecked();
    plan.usesProcesses = m_processes->isChecked();
    return plan;
}

void LabForm::focusMode()
{
    m_mode->setFocus(Qt::ShortcutFocusReason);
}

void LabForm::onEdited()
{
    if (m_isFilling)
        return;
    explain();
    Q_EMIT changed();
}

/// Numbers that nobody has touched give way to those under which the mode shows what it is known for.
void LabForm::onModeChosen()
{
    if (m_isFilling)
        return;
    LabPlan before = plan();
    before.way = m_plan.way;
    if (before == planToWatch(before.way))
        setPlan(planToWatch(chosen<LabWay>(m_mode)));
    onEdited();
}

void LabForm::explain()
{
    QList<LinkLabel::Link> lessons;
    for (const LessonTitle &lesson : lessonsOfScenario(m_plan.name, LinkText::lessonLanguage()))
        lessons.append({lesson.title, lesson.id});
    m_lessons->setLinks(tr("What happens here: %1", "titles of lessons"), lessons);
    m_meaning->setText(LabText::wayMeaning(chosen<LabWay>(m_mode)));
    const LabWayTraits &traits = traitsOf(chosen<LabWay>(m_mode));
    m_fenced->setEnabled(traits.hasToken);
    m_connections->setEnabled(traits.isEngine);
    auto *form = static_cast<QFormLayout *>(layout());
    form->setRowVisible(m_keeping, choosesKeeping(traits.store));
    form->setRowVisible(m_servers, mayBeEnsemble(traits.store));
    m_fair->setEnabled(traits.isEngine && !traits.isCompareAndSwap);
}

} // namespace lockscope::ui
