// SPDX-License-Identifier: MIT
#include "storefields.h"

#include "ui/style/statemark.h"

#include <QtCore/QSignalBlocker>
#include <QtCore/QUrlQuery>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

const auto kTls = u"tls"_s;
const auto kOff = u"off"_s;

QString schemeOf(StoreKind kind)
{
    switch (kind) {
    case StoreKind::Redis:
        return u"redis://"_s;
    case StoreKind::ZooKeeper:
        return u"zookeeper://"_s;
    case StoreKind::Etcd:
        break;
    }
    return u"etcd://"_s;
}

QString exampleOf(StoreKind kind)
{
    switch (kind) {
    case StoreKind::Redis:
        return u"redis://user@host:6379/0"_s;
    case StoreKind::ZooKeeper:
        return u"zookeeper://h1:2181,h2:2181/path"_s;
    case StoreKind::Etcd:
        break;
    }
    return u"etcd://user@h1:2379,h2:2379/path"_s;
}

} // namespace

StoreFields::StoreFields(QFormLayout *form, QWidget *parent)
    : QObject(parent)
    , m_form(form)
    , m_address(new QLineEdit(parent))
    , m_plain(new QCheckBox(tr("Speak &plain text, without TLS"), parent))
    , m_note(new QLabel(parent))
{
    m_address->setToolTip(tr("As lockctl takes it with --url: an authority's file is ?ssl-ca=…, a socket ?socket=…"));
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    form->addRow(tr("Addr&ess"), m_address);
    form->addRow(QString(), m_plain);
    form->addRow(QString(), m_note);
    connect(m_address, &QLineEdit::textChanged, this, &StoreFields::onEdited);
    connect(m_plain, &QCheckBox::toggled, this, &StoreFields::onPlain);
    onEdited();
}

void StoreFields::setVisible(bool isVisible)
{
    for (QWidget *field :
         {static_cast<QWidget *>(m_address), static_cast<QWidget *>(m_plain), static_cast<QWidget *>(m_note)})
        m_form->setRowVisible(field, isVisible);
}

void StoreFields::setKind(StoreKind kind)
{
    m_address->setPlaceholderText(exampleOf(kind));
    if (!m_address->text().startsWith(schemeOf(kind)))
        m_address->setText(schemeOf(kind));
}

void StoreFields::setUrl(const QString &url)
{
    m_address->setText(url);
}

QString StoreFields::url(QString *error) const
{
    const QString text = m_address->text().trimmed();
    const bool isNothing = text.endsWith(u"://"_s);
    if (!isStore(text) || isNothing)
        *error = tr("Name the server's address, as in %1.").arg(m_address->placeholderText());
    else
        *error = wrongStore(text);
    return error->isEmpty() ? storeUrl(text) : QString();
}

void StoreFields::onEdited()
{
    const bool isPlain = QUrlQuery(m_address->text().section(u'?', 1)).queryItemValue(kTls) == kOff;
    const QSignalBlocker quiet(m_plain);
    m_plain->setChecked(isPlain);
    const bool isZooKeeper = m_address->text().startsWith(schemeOf(StoreKind::ZooKeeper));
    m_note->setText(isPlain ? tr("Whoever is on the way can read what is sent, the password too, and change it.")
                        : isZooKeeper
                        ? tr("Any host but this machine is only spoken to over TLS with a verified certificate. "
                             "To ZooKeeper that takes a tunnel.")
                        : tr("Any host but this machine is only spoken to over TLS with a verified certificate."));
    QPalette colors = m_address->palette();
    colors.setColor(QPalette::WindowText,
                    isPlain ? markColor(Mark::Orphan, colors) : colors.color(QPalette::PlaceholderText));
    m_note->setPalette(colors);
    Q_EMIT edited();
}

/// The choice is part of the address, so that command lines say it too.
void StoreFields::onPlain(bool isPlain)
{
    const QString text = m_address->text();
    QUrlQuery query(text.section(u'?', 1));
    query.removeQueryItem(kTls);
    if (isPlain)
        query.addQueryItem(kTls, kOff);
    const QString options = query.toString(QUrl::FullyEncoded);
    m_address->setText(text.section(u'?', 0, 0) + (options.isEmpty() ? QString() : u'?' + options));
}

} // namespace lockscope::ui
