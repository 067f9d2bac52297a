// SPDX-License-Identifier: MIT
#include "graphlayout.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QProcess>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

/// Graphviz places in points and sizes in inches of 72 of them; a point is a pixel here.
constexpr double kPointsOfInch = 72;

QByteArray inches(double points)
{
    return QByteArray::number(points / kPointsOfInch, 'f', 4);
}

/// "12.5,30". Counted from the bottom, but taken as from the top: so what comes first stands at the top.
std::optional<QPointF> pointOf(const QString &text)
{
    const auto parts = text.split(u',');
    bool isX = false;
    bool isY = false;
    const QPointF point(parts.value(0).toDouble(&isX), parts.value(1).toDouble(&isY));
    return parts.size() == 2 && isX && isY ? std::optional(point) : std::nullopt;
}

/// "left,top,right,bottom", as above.
std::optional<QRectF> boxOf(const QString &text)
{
    const auto parts = text.split(u',');
    if (parts.size() != 4)
        return std::nullopt;
    const auto corner = pointOf(parts[0] + u',' + parts[1]);
    const auto opposite = pointOf(parts[2] + u',' + parts[3]);
    return corner && opposite ? std::optional(QRectF(*corner, *opposite)) : std::nullopt;
}

/// "s,<tip> <start> <control> …", from the blocker on, turned round; the tip is where the arrow's point lies.
QList<QPointF> curveOf(const QString &text)
{
    QList<QPointF> points;
    QList<QPointF> tip;
    for (const QString &part : text.split(u' ', Qt::SkipEmptyParts)) {
        const bool isTip = part.startsWith("s,"_L1);
        const auto point = pointOf(isTip ? part.mid(2) : part);
        if (!point)
            return {};
        (isTip ? tip : points).append(*point);
    }
    if (points.size() % 3 != 1)
        return {};
    std::reverse(points.begin(), points.end());
    if (!tip.isEmpty())
        points.last() = tip.last();
    return points;
}

/// 12 of "n12"; -1 for another name.
int numberOf(const QJsonValue &name, QChar letter, qsizetype count)
{
    const QString text = name.toString();
    bool isNumber = false;
    const int number = text.mid(1).toInt(&isNumber);
    return text.startsWith(letter) && isNumber && number >= 0 && number < count ? number : -1;
}

/// Long queues are folded into lines of this many boxes: one line of fifty cannot be read at any zoom.
constexpr int kLineLength = 8;

struct Step
{
    int depth = -1; ///< arrows to the first blocker
    int first = 0;  ///< that blocker
};

/// How far each box is from a box that waits for nobody; in a ring, from any of its boxes.
QList<Step> stepsOf(const GraphShape &shape)
{
    QList<QList<int>> waiters(shape.boxes);
    QList<bool> isWaiting(shape.boxes, false);
    for (const auto &[from, to] : shape.arrows) {
        waiters[to].append(from);
        isWaiting[from] = true;
    }
    QList<Step> steps(shape.boxes);
    const auto walkFrom = [&](int first) {
        steps[first] = {0, first};
        QList<int> reached{first};
        for (qsizetype i = 0; i < reached.size(); ++i) {
            for (const int waiter : std::as_const(waiters[reached[i]])) {
                if (steps[waiter].depth >= 0)
                    continue;
                steps[waiter] = {steps[reached[i]].depth + 1, first};
                reached.append(waiter);
            }
        }
    };
    for (const bool wanted : {false, true}) { // rings last
        for (int box = 0; box < shape.boxes; ++box) {
            if (steps[box].depth < 0 && isWaiting[box] == wanted)
                walkFrom(box);
        }
    }
    return steps;
}

QByteArray boxName(int box)
{
    return 'n' + QByteArray::number(box);
}

/// At the end of a line, the arrow to it must not push its waiter further away.
bool isFold(const std::pair<int, int> &arrow, const QList<Step> &steps)
{
    const int depth = steps[arrow.second].depth;
    return steps[arrow.first].depth == depth + 1 && depth > 0 && depth % kLineLength == 0;
}

/// Keeps the lines below each other in their order; what is named last stands at the top.
QByteArray linesText(const GraphShape &shape, const QList<Step> &steps)
{
    QByteArray text;
    for (const auto &arrow : shape.arrows) {
        if (!isFold(arrow, steps))
            continue;
        const QByteArray first = boxName(steps[arrow.first].first);
        text.prepend(first + " -> " + boxName(arrow.first) + " [style=invis];\n");
        text.prepend(first + " [ordering=out];\n");
    }
    return text;
}

bool readObject(const QJsonObject &object, GraphPlaces *places)
{
    if (const int box = numberOf(object["name"_L1], u'n', places->centers.size()); box >= 0) {
        const auto center = pointOf(object["pos"_L1].toString());
        places->centers[box] = center.value_or(QPointF());
        return center.has_value();
    }
    const int group = numberOf(object["id"_L1], u'g', places->frames.size());
    if (group >= 0)
        places->frames[group] = boxOf(object["bb"_L1].toString()).value_or(QRectF());
    return false;
}

} // namespace

/// Arrows lead to the left: what they lead to comes first.
QByteArray dotInput(const GraphShape &shape)
{
    QByteArray text = "digraph { rankdir=LR; nodesep=0.15; ranksep=0.6; edge [dir=back];\nnode [shape=box, label=\"\", "
                      "fixedsize=true, "
                      "width="
        + inches(shape.boxSize.width()) + ", height=" + inches(shape.boxSize.height()) + "];\n";
    for (int box = 0; box < shape.boxes; ++box)
        text += boxName(box) + ";\n";
    const QByteArray margin = QByteArray::number(qRound(shape.boxSize.height() / 2)); // room for a title
    for (int group = 0; group < shape.groups.size(); ++group) {
        const QByteArray number = QByteArray::number(group);
        text += "subgraph cluster_" + number + " { id=g" + number + "; margin=" + margin + ';';
        for (const int box : shape.groups[group])
            text += ' ' + boxName(box) + ';';
        text += " }\n";
    }
    const QList<Step> steps = stepsOf(shape);
    text += linesText(shape, steps);
    for (int arrow = 0; arrow < shape.arrows.size(); ++arrow) {
        const auto &[from, to] = shape.arrows[arrow];
        text += boxName(to) + " -> " + boxName(from) + " [id=e" + QByteArray::number(arrow)
            + (isFold(shape.arrows[arrow], steps) ? ", constraint=false];\n" : "];\n");
    }
    return text + "}\n";
}

std::optional<GraphPlaces> readDot(const QByteArray &json, const GraphShape &shape)
{
    const QJsonObject root = QJsonDocument::fromJson(json).object();
    const auto bounds = boxOf(root["bb"_L1].toString());
    if (!bounds)
        return std::nullopt;
    GraphPlaces places;
    places.bounds = QRectF(QPointF(), bounds->size());
    places.centers.resize(shape.boxes);
    places.curves.resize(shape.arrows.size());
    places.frames.resize(shape.groups.size());
    int found = 0;
    const QJsonArray objects = root["objects"_L1].toArray();
    for (const auto &object : objects)
        found += readObject(object.toObject(), &places) ? 1 : 0;
    if (found != shape.boxes)
        return std::nullopt;
    const QJsonArray edges = root["edges"_L1].toArray();
    for (const auto &value : edges) {
        const QJsonObject edge = value.toObject();
        if (const int arrow = numberOf(edge["id"_L1], u'e', places.curves.size()); arrow >= 0)
            places.curves[arrow] = curveOf(edge["pos"_L1].toString());
    }
    return places;
}

GraphLayout::GraphLayout(QObject *parent)
    : QObject(parent)
    , m_limit(this)
{
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, [this] { fail(Failure::Late); });
}

GraphLayout::~GraphLayout()
{
    if (m_process) {
        m_process->disconnect(this);
        m_process->kill();
        m_process->waitForFinished(); // killed: it ends at once
    }
}

void GraphLayout::lay(const GraphShape &shape)
{
    m_shape = shape;
    m_process = std::make_unique<QProcess>();
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            fail(Failure::Missing);
    });
    connect(m_process.get(), &QProcess::finished, this, &GraphLayout::onFinished);
    m_limit.start(Limit);
    m_process->setStandardErrorFile(QProcess::nullDevice());
    m_process->start(m_program, {u"-Tjson"_s});
    if (!m_process)
        return; // it failed at once
    m_process->write(dotInput(m_shape));
    m_process->closeWriteChannel();
}

void GraphLayout::onFinished()
{
    const bool isGood = m_process->exitStatus() == QProcess::NormalExit && m_process->exitCode() == 0;
    const auto places = isGood ? readDot(m_process->readAllStandardOutput(), m_shape) : std::nullopt;
    if (!places) {
        fail(Failure::Broken);
        return;
    }
    m_limit.stop();
    m_process.release()->deleteLater(); // its own signal led here
    Q_EMIT laidOut(*places);
}

void GraphLayout::fail(Failure failure)
{
    m_limit.stop();
    QProcess *process = m_process.release();
    process->disconnect(this);
    if (process->state() == QProcess::NotRunning) {
        process->deleteLater();
    } else {
        connect(process, &QProcess::finished, process, &QObject::deleteLater);
        process->kill();
    }
    Q_EMIT failed(failure);
}

} // namespace lockscope::ui
