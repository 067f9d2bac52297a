// SPDX-License-Identifier: MIT
#include "paletteicon.h"

#include <QtCore/QFile>
#include <QtGui/QGuiApplication>
#include <QtGui/QIconEngine>
#include <QtGui/QPainter>
#include <QtSvg/QSvgRenderer>

/// The resources sit in a static library, from which the linker takes only what is named. Outside any namespace.
static void initIcons()
{
    Q_INIT_RESOURCE(resources);
}

namespace lockscope::ui {

namespace {

class PaletteIconEngine : public QIconEngine
{
public:
    explicit PaletteIconEngine(std::shared_ptr<const IconPainter> painter)
        : m_painter(std::move(painter))
    {
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        m_painter->paint(painter, rect, QGuiApplication::palette(), group, mode == QIcon::Selected);
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    QIconEngine *clone() const override { return new PaletteIconEngine(*this); }

private:
    std::shared_ptr<const IconPainter> m_painter;
};

class SvgPainter : public IconPainter
{
public:
    explicit SvgPainter(const QString &name)
    {
        QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
        if (file.open(QIODevice::ReadOnly))
            m_svg = file.readAll();
        Q_ASSERT_X(!m_svg.isEmpty(), "svgIcon", qPrintable(name));
    }

    void paint(QPainter *painter, const QRectF &rect, const QPalette &palette, QPalette::ColorGroup group,
               bool isSelected) const override
    {
        const auto role = isSelected ? QPalette::HighlightedText : QPalette::WindowText;
        QByteArray colored = m_svg;
        colored.replace("#000", palette.color(group, role).name().toLatin1());
        QSvgRenderer(colored).render(painter, rect);
    }

private:
    QByteArray m_svg;
};

} // namespace

QIcon paletteIcon(std::shared_ptr<const IconPainter> painter)
{
    return QIcon(new PaletteIconEngine(std::move(painter)));
}

QIcon svgIcon(const QString &name)
{
    initIcons();
    return paletteIcon(std::make_shared<SvgPainter>(name));
}

QIcon applicationIcon()
{
    initIcons();
    return QIcon(QStringLiteral(":/icons/lockscope.svg"));
}

} // namespace lockscope::ui
