// SPDX-License-Identifier: MIT
#include "besidechooser.h"

#include "console/serveraccess.h"
#include "playserver.h"
#include "privateserver/privatefolder.h"
#include "privateserver/serverprogram.h"
#include "ui/server/serverchooser.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtGui/QStandardItemModel>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>

#include <array>
#include <atomic>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

// Data of rows; those of known servers have their names behind a prefix.
constexpr char kNothing[] = "nothing";
constexpr char kOther[] = "other";

QString dataOf(const ServerProfile &profile)
{
    return u"known "_s + profile.name;
}

Family otherThan(Family family)
{
    return family == Family::MySql ? Family::MariaDb : Family::MySql;
}

QString folderOf(Family family)
{
    return PrivateFolder::defaultPath() + (family == Family::MySql ? u"-mysql"_s : u"-mariadb"_s);
}

struct OtherProgram
{
    Family family = Family::MySql;
    std::optional<ServerProgram> program;
    QString why; ///< there is none
};

/// Of the other family than the private server's, that is there or would be made. Runs programs, so it may take
/// seconds.
OtherProgram findOtherProgram(std::optional<Family> here)
{
    OtherProgram other;
    PrivateFolder folder;
    if (!here && PrivateFolder::find({}, &folder, &other.why) && !folder.record().family.isEmpty())
        here = folder.record().family == familyName(Family::MySql) ? Family::MySql : Family::MariaDb;
    if (!here) {
        const auto own = ServerProgram::find({}, &other.why);
        if (!own)
            return other;
        here = own->family;
    }
    other.family = otherThan(*here);
    other.program = ServerProgram::findOf(other.family, &other.why);
    return other;
}

} // namespace

struct BesideChooser::Shared
{
    std::atomic<bool> isMySqlHere = false;
    std::atomic<bool> isRefused = false; ///< the known server took the password for wrong
    /// Of MariaDB, of MySQL.
    std::array<std::shared_ptr<PrivateServerUser>, 2> users{PlayServer::makeUser(), PlayServer::makeUser()};
};

BesideChooser::BesideChooser(QWidget *parent)
    : QWidget(parent)
    , m_box(new QComboBox(this))
    , m_choice(QLatin1StringView(kOther))
    , m_shared(std::make_shared<Shared>())
{
    auto *label = new QLabel(tr("&Beside:"), this);
    label->setBuddy(m_box);
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_box->setToolTip(tr("Where the lesson is played besides the private server"));
    connect(m_box, &QComboBox::activated, this, &BesideChooser::choose);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kSpaceInGroup);
    row->addWidget(label);
    row->addWidget(m_box);
    fill();
}

BesideChooser::~BesideChooser() = default;

void BesideChooser::setServers(ServerChooser *servers)
{
    m_servers = servers;
    connect(servers->servers(), &KnownServers::changed, this, &BesideChooser::fill);
    fill();
}

void BesideChooser::takeOver(const BesideChooser &other)
{
    m_shared = other.m_shared;
    m_here = other.m_here;
    m_choice = other.m_choice;
    m_known = other.m_known;
    m_password = other.m_password;
    m_note = other.m_note;
    fill();
    Q_EMIT changed();
}

void BesideChooser::setFamilyHere(Family family)
{
    if (m_here == family)
        return;
    m_here = family;
    m_shared->isMySqlHere = family == Family::MySql;
    askOfOther();
}

void BesideChooser::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_note.isEmpty())
        askOfOther();
}

QMessageBox *BesideChooser::question() const
{
    return m_question;
}

bool BesideChooser::isNothing() const
{
    return m_choice == QLatin1StringView(kNothing);
}

bool BesideChooser::isOtherFamily() const
{
    return m_choice == QLatin1StringView(kOther);
}

/// A choice that has gone, or become another server, is none.
void BesideChooser::fill()
{
    m_box->clear();
    m_box->addItem(tr("nothing"), QString::fromLatin1(kNothing));
    m_box->addItem(tr("the other family, on a private server"), QString::fromLatin1(kOther));
    bool isThere = m_known.name.isEmpty();
    const auto *items = qobject_cast<QStandardItemModel *>(m_box->model());
    for (const ServerProfile &profile : m_servers ? m_servers->servers()->list() : QList<ServerProfile>()) {
        if (profile.isStore()) // lessons are of transactions
            continue;
        const bool isProduction = isTaggedAsProduction(profile);
        const QString name = CommonText::shortened(profile.name);
        m_box->addItem(isProduction ? tr("%1 (production)").arg(name) : name, dataOf(profile));
        m_box->setItemData(m_box->count() - 1, CommonText::tip(profile.fullName()), Qt::ToolTipRole);
        items->item(m_box->count() - 1)->setEnabled(!isProduction);
        isThere = isThere || (profile.name == m_known.name && profile.url == m_known.url && !isProduction);
    }
    if (!isThere)
        choose(0);
    showChoice();
}

void BesideChooser::choose(int row)
{
    const QString wanted = m_box->itemData(row).toString();
    for (const ServerProfile &profile : m_servers ? m_servers->servers()->list() : QList<ServerProfile>()) {
        if (wanted == dataOf(profile))
            return ask(profile);
    }
    m_choice = wanted;
    m_known = {};
    m_password.clear();
    showChoice();
    askOfOther();
}

void BesideChooser::ask(const ServerProfile &profile)
{
    delete m_question;
    m_question = new QMessageBox(this);
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    m_question->setIcon(QMessageBox::Warning);
    m_question->setWindowTitle(tr("Play lessons there?"));
    m_question->setTextFormat(Qt::PlainText);
    m_question->setText(tr("Play lessons on %1?").arg(profile.fullName()));
    m_question->setInformativeText(
        tr("For each run a schema and an account are made there, lockscope_lesson_… and lockscope_l_…, and removed "
           "at its end, also when it fails. The account may use that schema alone and see who waits for whom, and "
           "logs in from this machine only. A server's replicas get both too.\n\n"
           "%1 needs the rights of sql/grants/lessons.mariadb.sql or lessons.mysql.sql there. One of them, CREATE "
           "USER, can also change the passwords of others.\n\n"
           "What a lesson locks by GET_LOCK is a name of the whole server: others who use the same name wait. A "
           "lesson of a stranger's can end prepared transactions (XA) of others too.")
            .arg(profile.url.user));
    const QPushButton *play = m_question->addButton(tr("Play there"), QMessageBox::AcceptRole);
    m_question->setDefaultButton(m_question->addButton(tr("Cancel"), QMessageBox::RejectRole));
    showChoice(); // that one only once it is agreed
    connect(play, &QPushButton::clicked, this, [this, profile] {
        m_servers->findPassword(profile, {}, this,
                                [this, profile](const QString &password) { take(profile, password); });
    });
    m_question->open();
}

void BesideChooser::take(const ServerProfile &profile, const QString &password)
{
    m_known = profile;
    m_choice = dataOf(profile);
    m_password = password;
    m_shared->isRefused = false;
    m_note.clear();
    showChoice();
    Q_EMIT changed();
}

void BesideChooser::showChoice()
{
    m_box->setCurrentIndex(std::max(0, m_box->findData(m_choice)));
}

/// Says what is there before it is needed.
void BesideChooser::askOfOther()
{
    if (!isOtherFamily()) {
        m_note.clear();
        Q_EMIT changed();
        return;
    }
    if (!isVisible())
        return; // most windows never compare
    m_calls.run([here = m_here] { return findOtherProgram(here); }, this,
                [this, here = m_here](const OtherProgram &other) {
                    if (!isOtherFamily() || here != m_here)
                        return;
                    m_note = other.program
                        ? tr("Beside: %1 %2 (%3), on a private server of its own.")
                              .arg(familyName(other.family), other.program->version, other.program->path)
                        : noneOf(other.family, other.why);
                    Q_EMIT changed();
                });
}

QString BesideChooser::noneOf(Family family, const QString &why)
{
    return why.isEmpty() ? tr("No %1 server is installed here: install one, or name its program in %2.")
                               .arg(familyName(family), QLatin1StringView(ServerProgram::variableOf(family)))
                         : why;
}

void BesideChooser::find(std::function<void(LessonPlayer::FindServer)> go)
{
    if (isNothing())
        return go({});
    if (isOtherFamily())
        return go(findOther());
    if (!m_shared->isRefused)
        return go(findKnown());
    m_servers->findPassword(m_known, tr("The server refused this user or password the last time."), this,
                            [this, go = std::move(go), profile = m_known](const QString &password) {
                                take(profile, password);
                                go(findKnown());
                            });
}

/// Of the family that the lesson was not played on before, in a folder of its own.
LessonPlayer::FindServer BesideChooser::findOther() const
{
    return [shared = m_shared](LockError *error) -> std::optional<SessionTarget> {
        const Family family = otherThan(shared->isMySqlHere ? Family::MySql : Family::MariaDb);
        QString why;
        const auto program = ServerProgram::findOf(family, &why);
        if (!program) {
            error->message = noneOf(family, why);
            return std::nullopt;
        }
        PrivateServerOptions options;
        options.program = program->path;
        return PlayServer::start(folderOf(family), options, shared->users[family == Family::MySql].get(), error);
    };
}

LessonPlayer::FindServer BesideChooser::findKnown() const
{
    SessionTarget target;
    target.url = m_known.url;
    target.url.schema.clear();
    target.password = m_password;
    const ServerAccess access = ServerAccess::toLook(m_known.isProduction);
    return [shared = m_shared, target, access](LockError *error) -> std::optional<SessionTarget> {
        if (const auto refused = access.refusalOfLab()) {
            *error = *refused;
            return std::nullopt;
        }
        SessionTarget probe = target;
        probe.readTimeout = AnswerLimit;
        if (Session::open(probe, error))
            return target;
        shared->isRefused = error->kind == LockError::Kind::AccessDenied;
        return std::nullopt;
    };
}

} // namespace lockscope::ui
