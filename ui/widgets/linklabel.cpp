// SPDX-License-Identifier: MIT
#include "linklabel.h"

#include <QtCore/QEvent>
#include <QtGui/QFocusEvent>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

LinkLabel::LinkLabel(QWidget *parent)
    : QLabel(parent)
{
    setTextFormat(Qt::RichText);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    setWordWrap(true);
    hide();
    connect(this, &QLabel::linkActivated, this, &LinkLabel::chosen);
}

void LinkLabel::setLinks(const QString &sentence, const QList<Link> &links)
{
    if (sentence == m_sentence && links == m_links)
        return;
    m_sentence = sentence;
    m_links = links;
    showLinks();
    setVisible(!m_links.isEmpty());
}

void LinkLabel::showLinks()
{
    QStringList names;
    QStringList anchors;
    for (const Link &link : m_links) {
        names += link.text;
        anchors += u"<a href=\"%1\">%2</a>"_s.arg(link.target.toHtmlEscaped(), link.text.toHtmlEscaped());
    }
    setText(m_sentence.toHtmlEscaped().arg(anchors.join(u" · "_s)));
    setAccessibleName(m_sentence.arg(names.join(u", "_s)));
    if (hasFocus() && !m_links.isEmpty())
        chooseLink(true);
}

/// The first link, or the last, at once: a label takes the focus without any.
void LinkLabel::focusInEvent(QFocusEvent *event)
{
    QLabel::focusInEvent(event);
    if (event->reason() != Qt::MouseFocusReason && !hasSelectedText())
        chooseLink(event->reason() != Qt::BacktabFocusReason);
}

void LinkLabel::chooseLink(bool isFirst)
{
    setSelection(0, 0); // a label takes a new text in only when it needs it
    focusNextPrevChild(isFirst);
}

/// Rich text keeps the colours in which it was set, and a label does not set anew what it has already.
void LinkLabel::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || m_links.isEmpty())
        return;
    clear();
    showLinks();
}

} // namespace lockscope::ui
