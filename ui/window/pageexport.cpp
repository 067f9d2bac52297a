// SPDX-License-Identifier: MIT
#include "pageexport.h"

#include "console/wholefile.h"
#include "ui/widgets/messagebar.h"

#include <QtCore/QDir>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

/// The file that could not be written, and why.
struct Failure
{
    QString file;
    QString why;
};

std::optional<Failure> write(const QDir &folder, const Page::Files &files)
{
    for (auto it = files.begin(); it != files.end(); ++it) {
        const QString file = folder.filePath(it.key());
        if (const QString why = writeWhole(file, it.value()); !why.isEmpty())
            return Failure{file, why};
    }
    return std::nullopt;
}

} // namespace

PageExport::PageExport(MessageBar *messages, QWidget *window)
    : QObject(window)
    , m_messages(messages)
    , m_window(window)
{
}

void PageExport::ask(const Page &page)
{
    const QStringList formats = page.exportFormats();
    QStringList filters;
    for (const QString &format : formats)
        filters += u"%1 (*.%2)"_s.arg(format.toUpper(), format);
    QString filter;
    const QString name = QFileDialog::getSaveFileName(
        m_window, tr("Export"), page.exportName() + u'.' + formats.first(), filters.join(u";;"), &filter);
    if (name.isEmpty())
        return;
    const QFileInfo wanted(name);
    const QString suffix = wanted.suffix().toLower();
    const QString format = formats.contains(suffix) ? suffix : formats.value(filters.indexOf(filter), formats.first());
    m_calls.run(page.exportedFiles(format, format == suffix ? wanted.completeBaseName() : wanted.fileName()), this,
                [this, wanted](const Page::Files &files) { onMade(wanted, files); });
}

void PageExport::onMade(const QFileInfo &wanted, const Page::Files &files)
{
    QStringList others = files.keys(); // than the one that the dialog has asked about
    others.removeIf([&wanted](const QString &file) { return file == wanted.fileName() || !wanted.dir().exists(file); });
    if (!others.isEmpty() && !mayReplace(others))
        return;
    m_calls.run([folder = wanted.dir(), files] { return write(folder, files); }, this,
                [this, names = QStringList(files.keys()).join(u", ")](const std::optional<Failure> &failure) {
                    if (failure)
                        m_messages->show(MessageBar::Level::Error, tr("%1 could not be written.").arg(failure->file),
                                         failure->why);
                    else
                        m_messages->show(MessageBar::Level::Good, tr("Saved %1.").arg(names));
                });
}

bool PageExport::mayReplace(const QStringList &files)
{
    QMessageBox box(m_window);
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
