// SPDX-License-Identifier: MIT
#pragma once

#include "serverconnection.h"

#include <QtWidgets/QDialog>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;

namespace lockscope::ui {

class KnownServers;
class MessageBar;
class ServerList;
class StoreFields;

/// Asks for a server: the private one, a known one, which can be changed and removed here, or a new one. Every one but
/// the private one opens read-only. The password is used for this connection, and kept in the keyring only on request.
class ConnectionDialog : public QDialog
{
    Q_OBJECT
public:
    /// `connection` and `servers` are not owned and must outlive the dialog.
    ConnectionDialog(ServerConnection *connection, KnownServers *servers, QWidget *parent = nullptr);

    /// Chooses the server of that name; one that is not known stands as a new one.
    void setProfile(const ServerProfile &profile);
    ServerProfile profile() const;
    /// As typed.
    QString password() const;
    /// The server is to join the window's list, which the private one cannot.
    void setForList();
    bool isForList() const { return m_isForList; }
    /// Why somebody is asked.
    void showReason(const QString &text, const QString &details = {});
    /// Fills in what the group [client] of a MySQL option file says, as a new server.
    void importFrom(const QString &path);
    /// Makes the chosen server known as it stands here.
    void save();

private:
    QWidget *makeList();
    QWidget *makePages();
    void setupForm(QFormLayout *form);
    void setupButtons();
    void onChosen();
    void onEdited();
    void onKeepToggled(bool isKept);
    void onRemove();
    void onImport();
    void onTest();
    void onTested(const ServerProfile &tested, const ServerConnection::TestResult &result);
    void fill(const ServerProfile &profile);
    void onKind();
    bool isStoreChosen() const;
    /// False with the reason in `*error`.
    bool readUrl(ServerUrl *url, QString *error) const;
    /// The same of either kind.
    bool readAddress(ServerProfile *profile, QString *error) const;

    ServerConnection *m_connection;
    KnownServers *m_servers;
    BackgroundCalls m_calls;
    MessageBar *m_message;
    ServerList *m_list;
    QPushButton *m_remove;
    QStackedWidget *m_pages;
    QLineEdit *m_name;
    QComboBox *m_kind;
    QComboBox *m_tint;
    QLineEdit *m_host;
    QSpinBox *m_port;
    QLineEdit *m_socket;
    QLineEdit *m_schema;
    QLineEdit *m_user;
    StoreFields *m_store = nullptr; ///< instead of host and user
    QLineEdit *m_password;
    QCheckBox *m_keep;
    QLineEdit *m_caFile;
    QCheckBox *m_production;
    bool m_isForList = false;
    QSet<WaitSource> m_waitsOff; ///< of the profile; chosen on the waits page
    QPushButton *m_import;
    QPushButton *m_test;
    QPushButton *m_save;
    QPushButton *m_connect;
};

} // namespace lockscope::ui
