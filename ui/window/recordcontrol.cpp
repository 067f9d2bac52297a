// SPDX-License-Identifier: MIT
#include "recordcontrol.h"

#include "ui/server/serverconnection.h"
#include "ui/server/serverrecording.h"
#include "ui/style/theme.h"
#include "ui/widgets/messagebar.h"

#include <QtCore/QDateTime>
#include <QtCore/QFileInfo>
#include <QtGui/QAction>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QLabel>
#include <QtWidgets/QStatusBar>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kMegabyte = 1e6;

QString filterText()
{
    return RecordControl::tr("Recordings (*.lockscope)");
}

} // namespace

RecordControl::RecordControl(ServerConnection *connection, const Actions &actions, MessageBar *messages,
                             QStatusBar *bar, QWidget *window)
    : QObject(window)
    , m_connection(connection)
    , m_actions(actions)
    , m_messages(messages)
    , m_window(window)
    , m_label(new QLabel(bar))
{
    m_label->setTextFormat(Qt::PlainText);
    bar->addPermanentWidget(m_label);
    connect(actions.record, &QAction::triggered, this, &RecordControl::onRecord);
    connect(actions.open, &QAction::triggered, this, &RecordControl::onOpen);
    const ServerRecording *recording = connection->recording();
    connect(recording, &ServerRecording::changed, this, &RecordControl::onChanged);
    connect(recording, &ServerRecording::failed, m_messages, [this](const QString &why) {
        m_messages->show(MessageBar::Level::Error, tr("The recording has ended."), why);
    });
    connect(recording, &ServerRecording::incomplete, m_messages, [this](const QString &path, const QString &why) {
        m_messages->show(MessageBar::Level::Warning,
                         tr("What was kept is in %1 and in the log beside it, which belong together: the end could not "
                            "be written.")
                             .arg(path),
                         why);
    });
    connect(connection, &ServerConnection::opened, this, &RecordControl::onServer);
    connect(connection, &ServerConnection::statusChanged, this, &RecordControl::onServer);
    onServer();
}

void RecordControl::onRecord(bool wanted)
{
    ServerRecording *recording = m_connection->recording();
    if (!wanted) {
        recording->stop();
        m_messages->show(MessageBar::Level::Info, tr("The recording is in %1.").arg(recording->path()));
        return;
    }
    const QString name = QDateTime::currentDateTime().toString(u"yyyy-MM-dd-HHmm"_s) + u".lockscope"_s;
    // One that is there is gone on with: nothing is overwritten.
    const QString path = QFileDialog::getSaveFileName(m_window, tr("Record to a file"), name, filterText(), nullptr,
                                                      QFileDialog::DontConfirmOverwrite);
    if (!path.isEmpty())
        recording->start(path);
    onChanged();
}

void RecordControl::onOpen()
{
    const QString path = QFileDialog::getOpenFileName(m_window, tr("Open a recording"), {}, filterText());
    if (!path.isEmpty())
        m_connection->open(ServerProfile::ofRecording(path), {});
}

void RecordControl::onChanged()
{
    const ServerRecording *recording = m_connection->recording();
    m_actions.record->setChecked(recording->isOn());
    m_label->setVisible(recording->isOn());
    tellFailure(recording->status().failure);
    if (!recording->isOn())
        return;
    const QString name = QFileInfo(recording->path()).fileName();
    if (recording->trouble().isEmpty())
        m_label->setText(
            tr("Recording to %1 · %2 MB").arg(name).arg(double(recording->status().bytes) / kMegabyte, 0, 'f', 1));
    else
        m_label->setText(tr("Nothing is recorded at present"));
    m_label->setToolTip(recording->trouble().isEmpty() ? recording->path() : recording->trouble());
}

/// A full disk is nobody's fault who looks at the pages: they go on. Said once, and once that it is over.
void RecordControl::tellFailure(const QString &failure)
{
    if (m_isFailing == !failure.isEmpty())
        return;
    m_isFailing = !failure.isEmpty();
    if (m_isFailing)
        m_messages->show(MessageBar::Level::Warning, tr("Nothing is recorded at present; what was kept stays."),
                         failure);
    else if (m_connection->recording()->isOn())
        m_messages->show(MessageBar::Level::Good, tr("Recording goes on."));
}

void RecordControl::onServer()
{
    m_actions.record->setEnabled(m_connection->isOpen() && !m_connection->isRecorded() && !m_connection->isStore());
    onChanged();
}

} // namespace lockscope::ui
