// SPDX-License-Identifier: MIT
#include "connectiondialog.h"

#include "console/consoleurl.h"
#include "console/keyring.h"
#include "knownservers.h"
#include "serverlist.h"
#include "storefields.h"
#include "ui/style/theme.h"
#include "ui/widgets/messagebar.h"
#include "ui/widgets/mutedlabel.h"

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSpinBox>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

enum Page { PrivatePage, FormPage };

/// Data of the kinds: numbers of StoreKind, or this.
constexpr int kNoStore = -1;

} // namespace

ConnectionDialog::ConnectionDialog(ServerConnection *connection, KnownServers *servers, QWidget *parent)
    : QDialog(parent)
    , m_connection(connection)
    , m_servers(servers)
    , m_message(new MessageBar(this))
    , m_list(new ServerList(this))
    , m_remove(new QPushButton(tr("Re&move"), this))
    , m_pages(new QStackedWidget(this))
    , m_name(new QLineEdit(this))
    , m_kind(new QComboBox(this))
    , m_tint(new QComboBox(this))
    , m_host(new QLineEdit(this))
    , m_port(new QSpinBox(this))
    , m_socket(new QLineEdit(this))
    , m_schema(new QLineEdit(this))
    , m_user(new QLineEdit(this))
    , m_password(new QLineEdit(this))
    , m_keep(new QCheckBox(tr("Remember the password in the &keyring"), this))
    , m_caFile(new QLineEdit(this))
    , m_production(new QCheckBox(tr("This is a p&roduction server"), this))
    , m_import(new QPushButton(tr("&Import from option file…"), this))
    , m_test(new QPushButton(tr("&Test connection"), this))
    , m_save(new QPushButton(tr("Sa&ve"), this))
    , m_connect(new QPushButton(tr("&Connect"), this))
{
    setWindowTitle(tr("Connect to a server"));
    setMinimumWidth(forType(720));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, kSpaceSection);
    column->setSpacing(kSpace);
    auto *body = new QHBoxLayout;
    body->setContentsMargins(kSpaceSection, kSpaceSection, kSpaceSection, 0);
    body->setSpacing(kSpaceSection);
    body->addWidget(makeList());
    body->addWidget(makePages(), 1);
    column->addWidget(m_message);
    column->addLayout(body, 1);
    setupButtons();
    connect(m_servers, &KnownServers::changed, this, [this] { m_list->setServers(m_servers->list()); });
    connect(m_servers, &KnownServers::passwordNotKept, this, [this](const QString &server, const QString &why) {
        if (server != m_list->knownName())
            return;
        m_keep->setChecked(false);
        showReason(tr("The keyring did not store the password. You will be asked for it each time."), why);
    });
    m_list->setServers(m_servers->list());
    onChosen();
}

QWidget *ConnectionDialog::makeList()
{
    auto *side = new QWidget(this);
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kSpace);
    column->addWidget(m_list, 1);
    column->addWidget(m_remove, 0, Qt::AlignLeft);
    m_remove->setAutoDefault(false);
    connect(m_list, &ServerList::currentRowChanged, this, &ConnectionDialog::onChosen);
    connect(m_remove, &QPushButton::clicked, this, &ConnectionDialog::onRemove);
    return side;
}

QWidget *ConnectionDialog::makePages()
{
    auto *about = new MutedLabel(tr("Lockscope's own server, on this machine and for you alone: a socket in a folder "
                                    "that nobody else can open. You can try anything there."),
                                 this);
    about->setWordWrap(true);
    about->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto *details = new QWidget(this);
    auto *form = new QFormLayout(details);
    setupForm(form);
    m_pages->addWidget(about);
    m_pages->addWidget(details);
    return m_pages;
}

void ConnectionDialog::setupForm(QFormLayout *form)
{
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(kSpace);
    m_name->setPlaceholderText(tr("What this server is called here"));
    for (const Tint tint : Tints::all())
        m_tint->addItem(Tints::icon(tint), Tints::word(tint), int(tint));
    m_host->setPlaceholderText(tr("Host name or address; TLS with a verified certificate"));
    m_port->setRange(1, 65535);
    m_socket->setPlaceholderText(tr("/run/mysqld/mysqld.sock, instead of host and port"));
    m_password->setEchoMode(QLineEdit::Password);
    m_caFile->setPlaceholderText(tr("PEM file; empty: the system's certificate authorities"));
    form->addRow(tr("&Name"), m_name);
    m_kind->addItem(tr("MySQL or MariaDB"), kNoStore);
    m_kind->addItem(u"Redis"_s, int(StoreKind::Redis));
    m_kind->addItem(u"ZooKeeper"_s, int(StoreKind::ZooKeeper));
    m_kind->addItem(u"etcd"_s, int(StoreKind::Etcd));
    form->addRow(tr("Kin&d"), m_kind);
    form->addRow(tr("Co&lour"), m_tint);
    form->addRow(tr("&Host"), m_host);
    form->addRow(tr("P&ort"), m_port);
    form->addRow(tr("&Socket"), m_socket);
    form->addRow(tr("Schem&a"), m_schema);
    form->addRow(tr("&User"), m_user);
    m_store = new StoreFields(form, this);
    form->addRow(tr("Pass&word"), m_password);
    form->addRow(QString(), m_keep);
    form->addRow(tr("CA &file"), m_caFile);
    form->addRow(QString(), m_production);
    form->addRow(QString(), new MutedLabel(tr("It opens read-only; you can start operator mode later."), this));
    for (QLineEdit *edit : {m_name, m_host, m_socket, m_schema, m_user, m_password, m_caFile})
        connect(edit, &QLineEdit::textChanged, this, &ConnectionDialog::onEdited);
    connect(m_store, &StoreFields::edited, this, &ConnectionDialog::onEdited);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &ConnectionDialog::onKind);
    onKind();
    connect(m_port, &QSpinBox::valueChanged, this, &ConnectionDialog::onEdited);
    connect(m_keep, &QCheckBox::toggled, this, &ConnectionDialog::onKeepToggled);
}

void ConnectionDialog::setupButtons()
{
    auto *cancel = new QPushButton(tr("Cancel"), this);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(kSpaceSection, kSpace, kSpaceSection, 0);
    row->setSpacing(kSpace);
    row->addWidget(m_import);
    row->addWidget(m_test);
    row->addStretch(1);
    row->addWidget(m_save);
    row->addWidget(cancel);
    row->addWidget(m_connect);
    static_cast<QVBoxLayout *>(layout())->addLayout(row);
    for (QPushButton *button : {m_import, m_test, m_save})
        button->setAutoDefault(false);
    m_connect->setDefault(true);
    connect(m_import, &QPushButton::clicked, this, &ConnectionDialog::onImport);
    connect(m_test, &QPushButton::clicked, this, &ConnectionDialog::onTest);
    connect(m_save, &QPushButton::clicked, this, &ConnectionDialog::save);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_connect, &QPushButton::clicked, this, &QDialog::accept);
}

void ConnectionDialog::onChosen()
{
    const QString name = m_list->knownName();
    ServerProfile chosen;
    for (const ServerProfile &profile : m_servers->list()) {
        if (profile.name == name)
            chosen = profile;
    }
    fill(chosen);
}

void ConnectionDialog::setProfile(const ServerProfile &profile)
{
    m_list->choose(profile);
    if (!profile.isPrivate)
        m_password->setFocus(); // letters typed into the list would choose another server
    if (!profile.isPrivate && !m_servers->has(profile.name))
        fill(profile);
}

bool ConnectionDialog::isStoreChosen() const
{
    return m_kind->currentData().toInt() != kNoStore;
}

void ConnectionDialog::onKind()
{
    const bool isStore = isStoreChosen();
    auto *form = static_cast<QFormLayout *>(m_name->parentWidget()->layout());
    for (QWidget *field : std::initializer_list<QWidget *>{m_host, m_port, m_socket, m_schema, m_user, m_caFile})
        form->setRowVisible(field, !isStore);
    m_store->setVisible(isStore);
    m_import->setVisible(!isStore);
    if (isStore)
        m_store->setKind(StoreKind(m_kind->currentData().toInt()));
    onEdited();
}

void ConnectionDialog::setForList()
{
    m_isForList = true;
    setWindowTitle(tr("Add a server to the list"));
    m_connect->setText(tr("&Add to the list"));
    onEdited();
}

void ConnectionDialog::fill(const ServerProfile &profile)
{
    m_name->setText(profile.name);
    m_kind->setCurrentIndex(m_kind->findData(profile.isStore() ? int(storeKind(profile.store)) : kNoStore));
    m_store->setUrl(profile.store);
    m_tint->setCurrentIndex(m_tint->findData(int(profile.tint)));
    m_host->setText(profile.url.host);
    m_port->setValue(profile.url.port > 0 ? profile.url.port : 3306);
    m_socket->setText(profile.url.socket);
    m_schema->setText(profile.url.schema.isEmpty() ? defaultSchema() : profile.url.schema);
    m_user->setText(profile.url.user);
    m_password->clear();
    {
        const QSignalBlocker blocker(m_keep); // nobody asked for it just now
        m_keep->setChecked(profile.remembersPassword);
    }
    m_caFile->setText(profile.url.caFile);
    m_production->setChecked(profile.isProduction);
    m_waitsOff = profile.waitsOff;
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

bool ConnectionDialog::readAddress(ServerProfile *profile, QString *error) const
{
    if (!isStoreChosen())
        return readUrl(&profile->url, error);
    profile->store = m_store->url(error);
    return profile->isStore();
}

void ConnectionDialog::onEdited()
{
    const bool isOther = !m_list->isPrivate();
    ServerProfile named;
    QString error;
    const bool isGood = isOther ? readAddress(&named, &error) : !m_isForList;
    m_pages->setCurrentIndex(isOther ? FormPage : PrivatePage);
    m_remove->setEnabled(!m_list->knownName().isEmpty());
    m_host->setEnabled(m_socket->text().isEmpty());
    m_port->setEnabled(m_socket->text().isEmpty());
    m_password->setPlaceholderText(m_keep->isChecked() && !m_list->knownName().isEmpty()
                                       ? tr("As the keyring has it")
                                       : tr("Used for this connection, never stored"));
    for (QPushButton *button : {m_test, m_save})
        button->setEnabled(isOther && isGood);
    m_connect->setEnabled(isGood);
    m_connect->setToolTip(error);
    m_message->clear();
}

/// Asks the keyring at once, so that nobody learns after typing a password that there is none.
void ConnectionDialog::onKeepToggled(bool isKept)
{
    onEdited();
    if (!isKept)
        return;
    ServerProfile named;
    QString error;
    readAddress(&named, &error);
    Keyring::read(named.keyringName(), this, [this](const Keyring::Answer &answer) {
        if (answer.error.isEmpty())
            return;
        m_keep->setChecked(false);
        showReason(tr("No keyring answers on this desktop. You will be asked for the password each time."),
                   answer.error);
    });
}

void ConnectionDialog::showReason(const QString &text, const QString &details)
{
    m_message->show(MessageBar::Level::Warning, text, details);
}

ServerProfile ConnectionDialog::profile() const
{
    if (m_list->isPrivate())
        return m_connection->privateProfile();
    ServerProfile profile;
    QString error;
    readAddress(&profile, &error);
    profile.tint = Tint(m_tint->currentData().toInt());
    profile.remembersPassword = m_keep->isChecked();
    profile.isProduction = m_production->isChecked();
    profile.waitsOff = m_waitsOff;
    profile.name = m_name->text().trimmed();
    if (profile.name.isEmpty())
        profile.name = profile.address();
    return profile;
}

QString ConnectionDialog::password() const
{
    return m_list->isPrivate() ? QString() : m_password->text();
}

void ConnectionDialog::save()
{
    if (m_list->isPrivate())
        return;
    const ServerProfile known = profile();
    const QString typed = password();
    m_servers->put(known, typed, m_list->knownName());
    setProfile(known);
    m_password->setText(typed);
}

void ConnectionDialog::onRemove()
{
    const int row = m_list->currentRow();
    m_servers->remove(m_list->knownName());
    m_list->setCurrentRow(qMin(row, m_list->count() - 2));
    onChosen();
}

} // namespace lockscope::ui
