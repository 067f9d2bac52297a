// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QMap>
#include <QtWidgets/QWidget>

#include <chrono>
#include <optional>

namespace lockscope::ui {

class LiveClock;
class ServerLink;

/// What the status line tells of a page that has looks of its own.
struct PageLook
{
    const LiveClock *clock = nullptr; ///< as of the last look
    std::chrono::microseconds cost{};
    qint64 shown = 0;
    qint64 total = 0;
    bool isFailing = false;
};

/// One page of the window. A page knows no other page and no window.
class Page : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;

    virtual QString title() const = 0;
    /// Of resources/icons.
    virtual QString iconName() const = 0;
    /// What the page shows and how to work with it; plain text.
    virtual QString help() const = 0;
    virtual void focusFilter() = 0;
    /// Esc: closes what was opened last; false when there was nothing.
    virtual bool closeLast() = 0;
    /// File formats that the page can be exported as, the usual one first: "csv", "png", "svg".
    virtual QStringList exportFormats() const { return {QStringLiteral("csv")}; }
    /// What the page shows now, in one of its formats.
    virtual QByteArray exported(const QString &format) const = 0;
    /// The same as files by their names: more than one where the first refers to others.
    virtual QMap<QString, QByteArray> exportedFiles(const QString &format, const QString &baseName) const
    {
        return {{baseName + u'.' + format, exported(format)}};
    }

    /// None: the page shows what the list of locks was made from.
    virtual std::optional<PageLook> look() const { return {}; }

Q_SIGNALS:
    /// How many things here need a person; 0 = none.
    void badgeChanged(int count, const QString &meaning);
};

} // namespace lockscope::ui
