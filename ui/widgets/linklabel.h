// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QList>
#include <QtWidgets/QLabel>

namespace lockscope::ui {

/// A sentence with places to go to: by the mouse, or with Tab from one to the next and Enter. Hidden without any.
class LinkLabel : public QLabel
{
    Q_OBJECT
public:
    struct Link
    {
        QString text;   ///< plain
        QString target; ///< not empty

        bool operator==(const Link &) const = default;
    };

    explicit LinkLabel(QWidget *parent = nullptr);

    /// `sentence` has %1 where they stand. Keeps the one that has the focus when nothing changes.
    void setLinks(const QString &sentence, const QList<Link> &links);
    const QList<Link> &links() const { return m_links; }

Q_SIGNALS:
    void chosen(const QString &target);

protected:
    void focusInEvent(QFocusEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void showLinks();
    void chooseLink(bool isFirst);

    QString m_sentence;
    QList<Link> m_links;
};

} // namespace lockscope::ui
