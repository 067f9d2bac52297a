// SPDX-License-Identifier: MIT
#include "pageexport.h"

#include "ui/pages/page.h"
#include "ui/widgets/messagebar.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QSaveFile>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

void PageExport::ask(const Page &page, MessageBar *messages, QWidget *window)
{
    const QStringList formats = page.exportFormats();
    QStringList filters;
    for (const QString &format : formats)
        filters += u"%1 (*.%2)"_s.arg(format.toUpper(), format);
    QString filter;
    const QString name = QFileDialog::getSaveFileName(window, tr("Export"), page.exportName() + u'.' + formats.first(),
                                                      filters.join(u";;"), &filter);
    if (name.isEmpty())
        return;
    const QFileInfo wanted(name);
    const QString suffix = wanted.suffix().toLower();
    const QString format = formats.contains(suffix) ? suffix : formats.value(filters.indexOf(filter), formats.first());
    const auto files = page.exportedFiles(format, format == suffix ? wanted.completeBaseName() : wanted.fileName());
    QStringList others = files.keys(); // than the one that the dialog has asked about
    others.removeIf([&wanted](const QString &file) { return file == wanted.fileName() || !wanted.dir().exists(file); });
    if (!others.isEmpty() && !mayReplace(others, window))
        return;
    for (auto it = files.begin(); it != files.end(); ++it) {
        QSaveFile file(wanted.dir().filePath(it.key()));
        if (file.open(QIODevice::WriteOnly) && file.write(it.value()) == it.value().size() && file.commit())
            continue;
        messages->show(MessageBar::Level::Error, tr("%1 could not be written.").arg(file.fileName()),
                       file.errorString());
        return;
    }
    messages->show(MessageBar::Level::Good, tr("Saved %1.").arg(QStringList(files.keys()).join(u", ")));
}

bool PageExport::mayReplace(const QStringList &files, QWidget *window)
{
    QMessageBox box(window);
    box.setIcon(QMessageBox::Warning);
    box.setWindowTitle(tr("Export"));
    box.setTextFormat(Qt::PlainText);
    box.setText(tr("Replace %1?").arg(files.join(u", ")));
    QPushButton *replace = box.addButton(tr("Replace"), QMessageBox::AcceptRole);
    box.setDefaultButton(box.addButton(tr("Cancel"), QMessageBox::RejectRole));
    box.exec();
    return box.clickedButton() == static_cast<QAbstractButton *>(replace);
}

} // namespace lockscope::ui
