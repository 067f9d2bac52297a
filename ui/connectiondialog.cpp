#include "connectiondialog.h"

#include "messagebar.h"
#include "theme.h"
#include "words.h"

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QRadioButton>
#include <QtWidgets/QSpinBox>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

ConnectionDialog::ConnectionDialog(ServerLink *link, QWidget *parent)
    : QDialog(parent)
    , m_link(link)
    , m_message(new MessageBar(this))
    , m_private(new QRadioButton(tr("&Private server of Lockscope"), this))
    , m_other(new QRadioButton(tr("&Another MySQL or MariaDB server (opens read-only)"), this))
    , m_details(new QWidget(this))
    , m_name(new QLineEdit(this))
    , m_host(new QLineEdit(this))
    , m_port(new QSpinBox(this))
    , m_socket(new QLineEdit(this))
    , m_schema(new QLineEdit(u"lockscope"_s, this))
    , m_user(new QLineEdit(this))
    , m_password(new QLineEdit(this))
    , m_caFile(new QLineEdit(this))
    , m_production(new QCheckBox(tr("This is a p&roduction server"), this))
    , m_test(new QPushButton(tr("&Test connection"), this))
    , m_connect(new QPushButton(tr("&Connect"), this))
{
    setWindowTitle(tr("Connect to a server"));
    setMaximumWidth(forType(kFormMaxWidth));
    setMinimumWidth(forType(520));
    auto *form = new QFormLayout(m_details);
    setupForm(form);

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, kSpaceSection);
    column->setSpacing(kSpace);
    auto *body = new QVBoxLayout;
    body->setContentsMargins(kSpaceSection, kSpaceSection, kSpaceSection, 0);
    body->setSpacing(kSpace);
    body->addWidget(m_private);
    body->addWidget(m_other);
    body->addWidget(m_details);
    column->addWidget(m_message);
    column->addLayout(body, 1);
    setupButtons();
    m_private->setChecked(true);
    connect(m_private, &QRadioButton::toggled, this, &ConnectionDialog::onEdited);
    onEdited();
}

void ConnectionDialog::setupForm(QFormLayout *form)
{
    form->setContentsMargins(kSpaceSection + kSpace, 0, 0, 0);
    form->setSpacing(kSpace);
    m_name->setPlaceholderText(tr("How this server is called here"));
    m_host->setPlaceholderText(tr("Host name or address; TLS with a verified certificate"));
    m_port->setRange(1, 65535);
    m_port->setValue(3306);
    m_port->setGroupSeparatorShown(false);
    m_socket->setPlaceholderText(tr("/run/mysqld/mysqld.sock, instead of host and port"));
    m_password->setEchoMode(QLineEdit::Password);
    m_password->setPlaceholderText(tr("Used for this connection, never stored"));
    m_caFile->setPlaceholderText(tr("PEM file; empty: the system's authorities"));
    form->addRow(tr("&Name"), m_name);
    form->addRow(tr("&Host"), m_host);
    form->addRow(tr("P&ort"), m_port);
    form->addRow(tr("&Socket"), m_socket);
    form->addRow(tr("Sche&ma"), m_schema);
    form->addRow(tr("&User"), m_user);
    form->addRow(tr("Pass&word"), m_password);
    form->addRow(tr("CA &file"), m_caFile);
    form->addRow(QString(), m_production);
    for (QLineEdit *edit : {m_name, m_host, m_socket, m_schema, m_user, m_password, m_caFile})
        connect(edit, &QLineEdit::textChanged, this, &ConnectionDialog::onEdited);
}

void ConnectionDialog::setupButtons()
{
    auto *cancel = new QPushButton(tr("Cancel"), this);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(kSpaceSection, kSpace, kSpaceSection, 0);
    row->setSpacing(kSpace);
    row->addWidget(m_test);
    row->addStretch(1);
    row->addWidget(cancel);
    row->addWidget(m_connect);
    static_cast<QVBoxLayout *>(layout())->addLayout(row);
    m_test->setAutoDefault(false);
    m_connect->setDefault(true);
    connect(m_test, &QPushButton::clicked, this, &ConnectionDialog::onTest);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_connect, &QPushButton::clicked, this, &QDialog::accept);
}

void ConnectionDialog::setProfile(const ServerProfile &profile)
{
    m_private->setChecked(profile.isPrivate);
    m_other->setChecked(!profile.isPrivate);
    m_name->setText(profile.isPrivate ? QString() : profile.name);
    m_host->setText(profile.url.host);
    m_port->setValue(profile.url.port > 0 ? profile.url.port : 3306);
    m_socket->setText(profile.url.socket);
    m_schema->setText(profile.url.schema.isEmpty() ? u"lockscope"_s : profile.url.schema);
    m_user->setText(profile.url.user);
    m_caFile->setText(profile.url.caFile);
    m_production->setChecked(profile.isProduction);
    onEdited();
}

/// The parts go through the URL's own parser, so that what is refused on a command line is refused here.
bool ConnectionDialog::readUrl(ServerUrl *url, QString *error) const
{
    ServerUrl parts;
    parts.user = m_user->text();
    parts.socket = m_socket->text().trimmed();
    parts.host = parts.socket.isEmpty() ? m_host->text().trimmed() : QString();
    parts.port = parts.socket.isEmpty() ? m_port->value() : 0;
    parts.schema = m_schema->text();
    parts.caFile = m_caFile->text().trimmed();
    if (parts.user.isEmpty()) {
        *error = tr("Name the user to connect as.");
        return false;
    }
    if (parts.host.isEmpty() && parts.socket.isEmpty()) {
        *error = tr("Name a host, or the path of a socket.");
        return false;
    }
    return ServerUrl::parse(parts.toString(), url, error);
}

void ConnectionDialog::onEdited()
{
    const bool isOther = m_other->isChecked();
    ServerUrl url;
    QString error;
    const bool isGood = !isOther || readUrl(&url, &error);
    m_details->setEnabled(isOther);
    m_host->setEnabled(m_socket->text().isEmpty());
    m_port->setEnabled(m_socket->text().isEmpty());
    m_test->setEnabled(isOther && isGood);
    m_connect->setEnabled(isGood);
    m_connect->setToolTip(error);
    m_message->clear();
}

ServerProfile ConnectionDialog::profile() const
{
    if (m_private->isChecked())
        return ServerProfile::privateServer();
    ServerProfile profile;
    QString error;
    readUrl(&profile.url, &error);
    profile.isProduction = m_production->isChecked();
    profile.name = m_name->text().trimmed();
    if (profile.name.isEmpty())
        profile.name = profile.url.host.isEmpty() ? profile.url.socket : profile.url.host;
    return profile;
}

QString ConnectionDialog::password() const
{
    return m_other->isChecked() ? m_password->text() : QString();
}

void ConnectionDialog::onTest()
{
    ServerUrl url;
    QString error;
    if (!readUrl(&url, &error))
        return;
    m_test->setEnabled(false);
    m_message->show(MessageBar::Level::Info, tr("Connecting…"));
    m_link->test(url, m_password->text(), this, [this](const ServerLink::TestResult &result) { onTested(result); });
}

void ConnectionDialog::onTested(const ServerLink::TestResult &result)
{
    m_test->setEnabled(m_connect->isEnabled());
    if (result.error) {
        m_message->show(MessageBar::Level::Error, result.error->message, Words::serverWords(*result.error));
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
