// SPDX-License-Identifier: MIT
#pragma once

#include "serverprofile.h"

#include <QtWidgets/QDialog>
#include <QtWidgets/QPushButton>

class QCheckBox;
class QLineEdit;

namespace lockscope::ui {

/// Asks for the password of one server and for nothing else: what is typed can choose no other server.
class PasswordDialog : public QDialog
{
    Q_OBJECT
public:
    /// `mayKeep`: the keyring can be told to remember it. `reason` is why somebody is asked, may be empty.
    PasswordDialog(const ServerProfile &profile, bool mayKeep, const QString &reason, const QString &details,
                   QWidget *parent);

    /// Of a server that is not to become another one.
    void offerNoSettings() { m_settings->hide(); }
    /// The server, with the choice whether its password is remembered.
    ServerProfile profile() const;
    /// As typed.
    QString password() const;

Q_SIGNALS:
    /// It is not the password that is wrong, but the server, the user or another setting.
    void settingsWanted();

private:
    ServerProfile m_profile;
    QLineEdit *m_password;
    QCheckBox *m_keep;
    QPushButton *m_settings;
};

} // namespace lockscope::ui
