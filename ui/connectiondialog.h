#pragma once

#include "serverlink.h"

#include <QtWidgets/QDialog>

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QSpinBox;

namespace lockscope::ui {

class MessageBar;

/// Asks for a server. The private one is the first choice; every other one opens read-only. The password is used for
/// this connection and never stored.
class ConnectionDialog : public QDialog
{
    Q_OBJECT
public:
    /// `link` is not owned and must outlive the dialog.
    explicit ConnectionDialog(ServerLink *link, QWidget *parent = nullptr);

    void setProfile(const ServerProfile &profile);
    ServerProfile profile() const;
    QString password() const;

private:
    void setupForm(QFormLayout *form);
    void setupButtons();
    void onEdited();
    void onTest();
    void onTested(const ServerLink::TestResult &result);
    /// False with the reason in `*error`.
    bool readUrl(ServerUrl *url, QString *error) const;

    ServerLink *m_link;
    MessageBar *m_message;
    QRadioButton *m_private;
    QRadioButton *m_other;
    QWidget *m_details;
    QLineEdit *m_name;
    QLineEdit *m_host;
    QSpinBox *m_port;
    QLineEdit *m_socket;
    QLineEdit *m_schema;
    QLineEdit *m_user;
    QLineEdit *m_password;
    QLineEdit *m_caFile;
    QCheckBox *m_production;
    QPushButton *m_test;
    QPushButton *m_connect;
};

} // namespace lockscope::ui
