// SPDX-License-Identifier: MIT
#include "passworddialog.h"

#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/widgets/messagebar.h"

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

PasswordDialog::PasswordDialog(const ServerProfile &profile, bool mayKeep, const QString &reason,
                               const QString &details, QWidget *parent)
    : QDialog(parent)
    , m_profile(profile)
    , m_password(new QLineEdit(this))
    , m_keep(new QCheckBox(tr("Remember the password in the &keyring"), this))
    , m_settings(new QPushButton(tr("Change the &settings…"), this))
{
    setWindowTitle(tr("Password"));
    setMinimumWidth(forType(kInspectorMaxWidth));
    auto *message = new MessageBar(this);
    auto *server = new QLabel(CommonText::shortened(profile.fullName()), this);
    server->setTextFormat(Qt::PlainText);
    server->setFont(headlineFont());
    server->setToolTip(CommonText::tip(profile.fullName()));
    const QString name = profile.user();
    auto *user = new QLabel(name.isEmpty() ? tr("the default user") : name, this);
    user->setTextFormat(Qt::PlainText);
    m_password->setEchoMode(QLineEdit::Password);
    m_keep->setVisible(mayKeep);
    m_keep->setChecked(profile.remembersPassword);
    auto *form = new QFormLayout;
    form->setContentsMargins(kSpaceSection, kSpaceSection, kSpaceSection, 0);
    form->setSpacing(kSpace);
    form->addRow(server);
    form->addRow(tr("User"), user);
    form->addRow(tr("Pass&word"), m_password);
    form->addRow(QString(), m_keep);

    auto *cancel = new QPushButton(tr("Cancel"), this);
    auto *connectTo = new QPushButton(tr("&Connect"), this);
    for (QPushButton *button : {m_settings, cancel})
        button->setAutoDefault(false);
    connectTo->setDefault(true);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(kSpaceSection, kSpace, kSpaceSection, 0);
    row->setSpacing(kSpace);
    row->addWidget(m_settings);
    row->addStretch(1);
    row->addWidget(cancel);
    row->addWidget(connectTo);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, kSpaceSection);
    column->setSpacing(kSpace);
    column->addWidget(message);
    column->addLayout(form, 1);
    column->addLayout(row);
    if (!reason.isEmpty())
        message->show(MessageBar::Level::Warning, reason, details);
    m_password->setFocus();
    connect(m_settings, &QPushButton::clicked, this, [this] {
        reject();
        Q_EMIT settingsWanted();
    });
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(connectTo, &QPushButton::clicked, this, &QDialog::accept);
}

ServerProfile PasswordDialog::profile() const
{
    ServerProfile profile = m_profile;
    profile.remembersPassword = m_keep->isChecked();
    return profile;
}

QString PasswordDialog::password() const
{
    return m_password->text();
}

} // namespace lockscope::ui
