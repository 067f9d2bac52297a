// SPDX-License-Identifier: MIT
#include "harmtiles.h"

#include "labtext.h"
#include "ui/style/statemark.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/widgets/mutedlabel.h"

#include <QtWidgets/QHBoxLayout>

namespace lockscope::ui {

HarmTiles::HarmTiles(QWidget *parent)
    : QWidget(parent)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kSpaceSection);
    for (const auto harm : LabText::harms()) {
        auto *number = new QLabel(CommonText::none(), this);
        number->setFont(headlineFont());
        number->setToolTip(CommonText::tip(LabText::harmMeaning(harm)));
        number->setAccessibleName(LabText::harm(harm));
        auto *name = new MutedLabel(LabText::harm(harm), this);
        name->setToolTip(number->toolTip());
        auto *tile = new QVBoxLayout;
        tile->setSpacing(0);
        tile->addWidget(number);
        tile->addWidget(name);
        row->addLayout(tile);
        m_numbers.append(number);
        m_names.append(name);
    }
    row->addStretch(1);
}

void HarmTiles::setCounts(const LabCounts &counts)
{
    const auto harms = LabText::harms();
    for (qsizetype i = 0; i < harms.size(); ++i) {
        const quint64 count = LabText::harmCount(harms[i], counts);
        const QString text = CommonText::count(qint64(count));
        if (m_numbers[i]->text() == text)
            continue;
        m_numbers[i]->setText(text);
        QPalette palette = this->palette();
        if (count > 0 && LabText::isHarmful(harms[i]))
            palette.setColor(QPalette::WindowText, markColor(Mark::Violation, palette));
        m_numbers[i]->setPalette(palette);
    }
}

void HarmTiles::setNameFont(const QFont &font)
{
    for (qsizetype i = 0; i < m_names.size(); ++i) {
        m_numbers[i]->setFont(headingFont());
        m_names[i]->setFont(font);
    }
}

QString HarmTiles::text(int harm) const
{
    return m_numbers[harm]->text();
}

} // namespace lockscope::ui
