// SPDX-License-Identifier: MIT
// The part of the dialog that reads option files and tries the server that is named.
#include "connectiondialog.h"

#include "console/optionfile.h"
#include "knownservers.h"
#include "serverlist.h"
#include "ui/text/commontext.h"
#include "ui/widgets/messagebar.h"

#include <QtCore/QDir>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

void ConnectionDialog::onImport()
{
    auto *chooser = new QFileDialog(this, tr("Import from option file"), QDir::homePath());
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFilter(QDir::Files | QDir::AllDirs | QDir::Hidden);
    chooser->setFileMode(QFileDialog::ExistingFile);
    chooser->selectFile(u".my.cnf"_s);
    connect(chooser, &QFileDialog::fileSelected, this, &ConnectionDialog::importFrom);
    chooser->open();
}

void ConnectionDialog::importFrom(const QString &path)
{
    struct Answer
    {
        std::optional<OptionFile> file;
        QString error;
    };
    const auto read = [path] {
        Answer answer;
        answer.file = OptionFile::read(path, &answer.error);
        return answer;
    };
    m_calls.run(read, this, [this](const Answer &answer) {
        if (!answer.file) {
            m_message->show(MessageBar::Level::Error, answer.error);
            return;
        }
        m_list->chooseNew();
        ServerProfile imported;
        imported.url = answer.file->url;
        fill(imported);
        m_password->setText(answer.file->password);
    });
}

void ConnectionDialog::onTest()
{
    m_test->setEnabled(false);
    m_message->show(MessageBar::Level::Info, tr("Connecting…"));
    const ServerProfile wanted = profile();
    m_servers->findPassword(wanted, password(), this, [this, wanted](const QString &found) {
        m_connection->test(wanted, found, this,
                           [this, wanted](const ServerConnection::TestResult &result) { onTested(wanted, result); });
    });
}

void ConnectionDialog::onTested(const ServerProfile &tested, const ServerConnection::TestResult &result)
{
    const ServerProfile shown = profile();
    if (shown.name != tested.name || !shown.isAt(tested))
        return; // another one is shown here by now
    onEdited();
    if (result.error) {
        m_message->show(MessageBar::Level::Error, result.error->message, CommonText::serverWords(*result.error));
        return;
    }
    if (tested.isStore()) {
        m_message->show(MessageBar::Level::Good, tr("Connected to %1.").arg(tested.storeTitle()));
        return;
    }
    QString text = tr("Connected to %1. The lock tables are there.").arg(result.server.version);
    if (result.server.readOnly)
        text += u' ' + tr("The server is read-only, perhaps a replica.");
    if (!result.server.durable)
        text += u' ' + tr("It does not write every commit to disk: after a crash it may repeat a token.");
    m_message->show(MessageBar::Level::Good, text);
}

} // namespace lockscope::ui
