// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QCache>
#include <QtGui/QFont>
#include <QtGui/QStaticText>

class QPainter;

namespace lockscope::ui {

/// Lines of text as they were last painted: to shape a text costs more than to paint it, and a live table paints the
/// same ones several times a second. Not thread safe.
class ShapedLines
{
public:
    /// One line within `rect`, shortened to its width, in the painter's font and pen.
    void paint(QPainter *painter, const QRect &rect, Qt::Alignment alignment, const QString &text,
               Qt::TextElideMode elide);
    /// In pixels, of one line in that font.
    int widthOf(const QFont &font, const QString &text);

private:
    struct Key
    {
        QString text;
        int width = 0;
        Qt::TextElideMode elide = Qt::ElideRight;
        bool isStruckOut = false;

        bool operator==(const Key &) const = default;
        friend size_t qHash(const Key &key, size_t seed = 0) noexcept
        {
            return qHashMulti(seed, key.text, key.width, int(key.elide), key.isStruckOut);
        }
    };
    static constexpr int kMost = 2000; ///< some more than the cells of a large screen

    void setFont(const QFont &font);

    QFont m_font; ///< of all lines, but for being struck out
    QCache<Key, QStaticText> m_lines{kMost};
    QCache<QString, int> m_widths{kMost};
};

} // namespace lockscope::ui
