// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessonplayer.h"
#include "ui/server/backgroundcalls.h"
#include "ui/server/serverprofile.h"

#include <QtCore/QPointer>
#include <QtWidgets/QWidget>

class QComboBox;
class QMessageBox;

namespace lockscope::ui {

class ServerChooser;

/// What a lesson is played on beside its own server: nothing, a private server of the other family, or one that the
/// window knows, which is asked about first and never one that is tagged as production. Nothing here blocks.
class BesideChooser : public QWidget
{
    Q_OBJECT
public:
    explicit BesideChooser(QWidget *parent = nullptr);
    /// Private servers that were used for it end then, elsewhere, if nobody else uses them.
    ~BesideChooser() override;

    /// Whose servers are offered, and who finds their passwords. Not owned; must outlive this.
    void setServers(ServerChooser *servers);
    /// Goes on with the choice of another one, which is about to go, and with the servers that it uses.
    void takeOver(const BesideChooser &other);
    /// Of the server that lessons are played on, once it is known.
    void setFamilyHere(Family family);
    /// Where the other server comes from, or what would give it; empty: the choice says it all.
    QString note() const { return m_note; }
    /// Of a known server, for what is said of it; else empty.
    QString serverName() const { return m_known.name; }
    bool isNothing() const;
    bool isOtherFamily() const;
    /// `go` gets the way to what is chosen, null for nothing. It is not called when a password is asked for and not
    /// given.
    void find(std::function<void(LessonPlayer::FindServer)> go);

    QComboBox *box() const { return m_box; }
    /// The question, while it is asked.
    QMessageBox *question() const;

Q_SIGNALS:
    /// Another choice, or another note of it.
    void changed();

protected:
    void showEvent(QShowEvent *event) override;

private:
    void fill();
    void choose(int row);
    void ask(const ServerProfile &profile);
    void take(const ServerProfile &profile, const QString &password);
    void showChoice();
    void askOfOther();
    static QString noneOf(Family family, const QString &why);
    LessonPlayer::FindServer findOther() const;
    LessonPlayer::FindServer findKnown() const;

    /// Of the thread that plays, too.
    struct Shared;

    QComboBox *m_box;
    ServerChooser *m_servers = nullptr;
    QPointer<QMessageBox> m_question;
    QString m_choice;      ///< data of the row that holds while another one is asked about
    ServerProfile m_known; ///< with a name while it is chosen
    QString m_password;    ///< of that, kept nowhere else
    QString m_note;
    std::optional<Family> m_here;
    std::shared_ptr<Shared> m_shared;
    BackgroundCalls m_calls;
};

} // namespace lockscope::ui
