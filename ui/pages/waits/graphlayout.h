// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QList>
#include <QtCore/QObject>
#include <QtCore/QPointF>
#include <QtCore/QRectF>
#include <QtCore/QTimer>

#include <memory>
#include <optional>

class QProcess;

namespace lockscope::ui {

/// What is to be laid out: boxes of one size and arrows between them, nothing that a person typed.
struct GraphShape
{
    int boxes = 0;
    QSizeF boxSize;
    QList<std::pair<int, int>> arrows; ///< from, to
    QList<QList<int>> groups;          ///< boxes that stand together in a frame

    bool operator==(const GraphShape &) const = default;
};

/// Where it all goes, in pixels from the top left.
struct GraphPlaces
{
    QRectF bounds;
    QList<QPointF> centers;
    QList<QList<QPointF>> curves; ///< of each arrow: a start, then three points for each Bézier curve; may be empty
    QList<QRectF> frames;         ///< of each group
};

/// The input of Graphviz' `dot`, and what it answers with -Tjson; none where that is not what it should be.
QByteArray dotInput(const GraphShape &shape);
std::optional<GraphPlaces> readDot(const QByteArray &json, const GraphShape &shape);

/// Lays graphs out with `dot`, a process of its own: its licence does not go with the window's, and it may take long.
/// One at a time.
class GraphLayout : public QObject
{
    Q_OBJECT
public:
    static constexpr std::chrono::seconds Limit{2};
    enum class Failure { Missing, Late, Broken };
    Q_ENUM(Failure)

    explicit GraphLayout(QObject *parent = nullptr);
    ~GraphLayout() override;

    bool isBusy() const { return m_process != nullptr; }
    /// Answered by laidOut or failed, perhaps at once. Not while it is busy.
    void lay(const GraphShape &shape);
    /// Found in PATH unless it is a path.
    void setProgram(const QString &program) { m_program = program; }

Q_SIGNALS:
    void laidOut(const lockscope::ui::GraphPlaces &places);
    void failed(lockscope::ui::GraphLayout::Failure failure);

private:
    void onFinished();
    void fail(Failure failure);

    QString m_program = QStringLiteral("dot");
    std::unique_ptr<QProcess> m_process; ///< while it runs
    QTimer m_limit;
    GraphShape m_shape; ///< that is being laid out
};

} // namespace lockscope::ui
