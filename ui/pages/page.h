// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/barstack.h"
#include "ui/widgets/messagebar.h"
#include "ui/widgets/refusedkeys.h"

#include <QtCore/QMap>
#include <QtWidgets/QVBoxLayout>

#include <chrono>
#include <functional>
#include <optional>

namespace lockscope::ui {

class LiveClock;
class ServerConnection;

/// What the status line shows of a page that polls the server itself.
struct PagePoll
{
    const LiveClock *clock = nullptr; ///< as of the last poll
    std::chrono::microseconds cost{};
    qint64 shown = 0;
    qint64 total = 0;
    bool isFailing = false;
    bool isOfLocks = false;   ///< the page has no poll of its own
    bool isOfMatches = false; ///< `total` is of what the server found for the filter
    bool isAtLeast = false;   ///< there are more than `total`, uncounted
};

/// One page of the window. A page knows no other page and no window.
class Page : public QWidget
{
    Q_OBJECT
public:
    QString title() const { return m_title; }
    /// Of resources/icons.
    QString iconName() const { return m_iconName; }
    /// What the page shows and how to work with it; plain text.
    virtual QString help() const = 0;
    virtual void focusFilter() = 0;
    /// Esc: closes what was opened last; false when there was nothing.
    virtual bool closeLast() = 0;
    /// File formats that the page can be exported as, the usual one first: "csv", "png", "svg".
    virtual QStringList exportFormats() const { return {QStringLiteral("csv")}; }
    /// What such a file is called at first, without its ending.
    virtual QString exportName() const { return m_iconName; }
    /// What the page shows now, in one of its formats.
    virtual QByteArray exported(const QString &format) const = 0;
    using Files = QMap<QString, QByteArray>; ///< by their names
    /// Makes them of what it has with it; in any thread, later.
    using FilesMaker = std::function<Files()>;
    /// The same as files: more than one where the first refers to others.
    virtual FilesMaker exportedFiles(const QString &format, const QString &baseName) const
    {
        return [files = Files{{baseName + u'.' + format, exported(format)}}] { return files; };
    }

    /// Where its messages stand, and while it is shown those of the window.
    BarStack *bars() const { return m_bars; }

    /// None: the page shows what the list of locks was made from.
    virtual std::optional<PagePoll> poll() const { return {}; }

Q_SIGNALS:
    /// How many things here need a person; 0 = none.
    void badgeChanged(int count, const QString &meaning);
    /// A key asked for what cannot be done now, and why; plain text.
    void refused(const QString &why);

protected:
    /// `connection` is not owned and must outlive the page.
    Page(ServerConnection *connection, const QString &title, const QString &iconName, QWidget *parent)
        : QWidget(parent)
        , m_connection(connection)
        , m_bars(new BarStack(this))
        , m_error(new MessageBar(this))
        , m_notice(new MessageBar(this))
        , m_column(new QVBoxLayout)
        , m_title(title)
        , m_iconName(iconName)
    {
        // Messages come below: what is under the mouse stays where it is.
        auto *all = new QVBoxLayout(this);
        for (QVBoxLayout *column : {all, m_column}) {
            column->setContentsMargins(0, 0, 0, 0);
            column->setSpacing(0);
        }
        all->addLayout(m_column, 1);
        all->addWidget(m_bars);
        m_bars->add(m_error);
        m_bars->add(m_notice);
    }

    /// In this list a key of an action that is disabled says why. An action that is disabled has no shortcut.
    void tellWhyNot(QWidget *list, QAction *action)
    {
        auto *keys = new RefusedKeys(list, action);
        connect(keys, &RefusedKeys::pressed, this, &Page::refused);
    }

    ServerConnection *m_connection;
    BarStack *m_bars;
    MessageBar *m_error;
    MessageBar *m_notice;
    QVBoxLayout *m_column; ///< for what the page is, above these

private:
    const QString m_title;
    const QString m_iconName;
};

} // namespace lockscope::ui
