// SPDX-License-Identifier: MIT
#pragma once

#include "sources/storeaddress.h"

#include <QtCore/QObject>

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace lockscope::ui {

/// The rows of a form that name a Redis, a ZooKeeper or an etcd: its address, as command lines take it, and whether it
/// is spoken to in plain text, which is a person's choice for each server. GUI thread only.
class StoreFields : public QObject
{
    Q_OBJECT
public:
    /// Adds its rows to `form`, which owns them and must outlive this.
    StoreFields(QFormLayout *form, QWidget *parent);

    void setVisible(bool isVisible);
    /// An address of another kind goes.
    void setKind(StoreKind kind);
    void setUrl(const QString &url);
    /// The address as it is always spelt. Empty after an error; then `*error` says what is wrong.
    QString url(QString *error) const;

Q_SIGNALS:
    void edited();

private:
    void onEdited();
    void onPlain(bool isPlain);

    QFormLayout *m_form;
    QLineEdit *m_address;
    QCheckBox *m_plain;
    QLabel *m_note;
};

} // namespace lockscope::ui
