// SPDX-License-Identifier: MIT
#include "tint.h"

#include "paletteicon.h"
#include "theme.h"

#include <QtGui/QPainter>

#include <array>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

struct Look
{
    QLatin1String key;
    QRgb light;
    QRgb dark;
};

/// From Okabe and Ito's palette, in the order of Tint.
constexpr std::array<Look, 6> kLooks{{{""_L1, 0, 0},
                                      {"blue"_L1, 0xff0072b2, 0xff56b4e9},
                                      {"orange"_L1, 0xffe69f00, 0xfff0b429},
                                      {"red"_L1, 0xffb34700, 0xfff0794a},
                                      {"violet"_L1, 0xffa3006b, 0xffe78ac3},
                                      {"green"_L1, 0xff00694c, 0xff2fc29a}}};

class DotPainter : public IconPainter
{
public:
    explicit DotPainter(Tint tint)
        : m_tint(tint)
    {
    }
    void paint(QPainter *painter, const QRectF &rect, const QPalette &palette, QPalette::ColorGroup,
               bool) const override
    {
        if (m_tint == Tint::None)
            return;
        const qreal side = qMin(rect.width(), rect.height()) * 0.7;
        QRectF dot(0, 0, side, side);
        dot.moveCenter(rect.center());
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(Tints::color(m_tint, palette));
        painter->drawEllipse(dot);
    }

private:
    Tint m_tint;
};

} // namespace

QList<Tint> Tints::all()
{
    return {Tint::None, Tint::Blue, Tint::Orange, Tint::Red, Tint::Violet, Tint::Green};
}

QString Tints::word(Tint tint)
{
    switch (tint) {
    case Tint::Blue:
        return tr("Blue");
    case Tint::Orange:
        return tr("Orange");
    case Tint::Red:
        return tr("Red");
    case Tint::Violet:
        return tr("Violet");
    case Tint::Green:
        return tr("Green");
    case Tint::None:
        break;
    }
    return tr("None");
}

QString Tints::key(Tint tint)
{
    return kLooks.at(std::size_t(tint)).key;
}

Tint Tints::fromKey(const QString &key)
{
    for (const Tint tint : all()) {
        if (kLooks.at(std::size_t(tint)).key == key)
            return tint;
    }
    return Tint::None;
}

QList<Tint> Tints::distinct(QList<Tint> chosen)
{
    QList<Tint> free = all();
    free.removeIf([&chosen](Tint tint) { return chosen.contains(tint); });
    free.removeAll(Tint::None);
    for (Tint &tint : chosen) {
        if (tint == Tint::None && !free.isEmpty())
            tint = free.takeFirst();
    }
    return chosen;
}

QColor Tints::color(Tint tint, const QPalette &palette)
{
    if (tint == Tint::None)
        return {};
    const Look &look = kLooks.at(std::size_t(tint));
    return isDark(palette) ? look.dark : look.light;
}

QIcon Tints::icon(Tint tint)
{
    return paletteIcon(std::make_shared<DotPainter>(tint));
}

} // namespace lockscope::ui
