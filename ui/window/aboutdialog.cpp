// SPDX-License-Identifier: MIT
#include "aboutdialog.h"

#include "ui/style/paletteicon.h"
#include "ui/style/theme.h"

#include <QtCore/QCoreApplication>
#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

AboutDialog::AboutDialog(QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("About Lockscope"));
    auto *icon = new QLabel(this);
    icon->setPixmap(applicationIcon().pixmap(QSize(64, 64), devicePixelRatioF()));
    auto *name = new QLabel(tr("Lockscope %1").arg(QCoreApplication::applicationVersion()), this);
    name->setFont(headlineFont());
    auto *text =
        new QLabel(tr("Shows who holds locks on MySQL and MariaDB servers, who waits for them, and releases a "
                      "stuck one safely.\n\nBuilt with Qt %1.\n\nThe sources are under the MIT licence. This "
                      "program links Qt Charts and is distributed under the GNU General Public License, version 3.")
                       .arg(QLatin1String(qVersion())),
                   this);
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    text->setMinimumWidth(forType(360));
    auto *buttons = new QDialogButtonBox(this);
    buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto *words = new QVBoxLayout;
    words->setSpacing(kSpace);
    words->addWidget(name);
    words->addWidget(text);
    auto *row = new QHBoxLayout;
    row->setSpacing(kSpaceSection);
    row->addWidget(icon, 0, Qt::AlignTop);
    row->addLayout(words, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kSpaceSection, kSpaceSection, kSpaceSection, kSpaceSection);
    column->setSpacing(kSpaceSection);
    column->addLayout(row);
    column->addWidget(buttons);
}

} // namespace lockscope::ui
