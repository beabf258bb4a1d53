// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/SettingsController.h"

#include "model/builds/SourceHash.h"
#include "model/change/SaveSettings.h"
#include "model/fleet/KnownRepositories.h"
#include "model/fleet/PinDates.h"
#include "model/fleet/Pins.h"
#include "model/snapshot/DiskCache.h"
#include "model/workspace/Workspace.h"
#include "views/settings/SettingsForm.h"
#include "views/settings/SettingsPage.h"

#include <QCoreApplication>
#include <QFuture>
#include <QLocale>
#include <QPointer>
#include <QVBoxLayout>
#include <QtConcurrent>

#include <atomic>
#include <chrono>

namespace tmx {

void offerPins(const std::shared_ptr<const Catalog> &catalog, SettingsForm *form)
{
    QObject::connect(form, &SettingsForm::pinsRequested, form, [catalog, form] {
        QtConcurrent::run([catalog] {
            QList<std::pair<QString, QString>> pins;
            const auto load = [&catalog]() -> Result<std::shared_ptr<const Catalog>> { return catalog; };
            const auto fleet = readFleet(load, knownRepositories(), DiskCache::forUser(QStringLiteral("branches")));
            const QList<FleetPin> known = fleet ? pinsOf(*fleet) : QList<FleetPin>();
            QStringList revisions;
            for (const FleetPin &pin : known)
                revisions.append(pin.revision);
            const QHash<QString, QDate> dates = pinDates(fleet ? fleet->repositories : QStringList(), revisions);
            for (const FleetPin &pin : known) {
                QStringList words{pin.revision.left(10)};
                if (const QDate date = dates.value(pin.revision); date.isValid())
                    words.append(QLocale().toString(date, QLocale::ShortFormat));
                for (const auto &[family, versions] : pin.versions.asKeyValueRange())
                    words.append(family + u' ' + versions.join(u'/'));
                words.append(SettingsController::tr("%n branches", nullptr, int(pin.uses.size())));
                pins.append({pin.revision, words.join(QStringLiteral(" \u00B7 "))});
            }
            return pins;
        }).then(form, [form](const QList<std::pair<QString, QString>> &pins) { form->setPins(pins); });
    });
}

void offerHashes(const std::shared_ptr<const Catalog> &catalog, SettingsForm *form)
{
    using Stops = QHash<QString, std::shared_ptr<std::atomic_bool>>;
    const auto stops = std::make_shared<Stops>();
    const auto stop = [stops](const QString &id) {
        if (const auto running = stops->take(id))
            *running = true;
    };
    QObject::connect(form, &SettingsForm::hashStopRequested, form, stop);
    QObject::connect(form, &QObject::destroyed, form, [stops] {
        for (const auto &running : std::as_const(*stops))
            *running = true;
    });
    QObject::connect(form, &SettingsForm::hashRequested, form, [=](const QString &id, const QString &version) {
        const Family *family = catalog->family(id);
        const QString source = family ? sourceOf(*family, version) : nixpkgsSource(version);
        if (source.isEmpty())
            return form->setHashProblem(
                id, SettingsController::tr("The catalog does not know where the source of %1 is.").arg(id));
        const auto stopped = std::make_shared<std::atomic_bool>(false);
        stops->insert(id, stopped);
        form->setHashProgress(id, SettingsController::tr("Fetching %1\u2026").arg(source));
        WorkHooks hooks;
        hooks.stop = [stopped] { return stopped->load(); };
        hooks.progress = [form = QPointer(form), id, source, stopped](int done, int total) {
            QMetaObject::invokeMethod(QCoreApplication::instance(), [=] {
                if (!form || *stopped)
                    return;
                form->setHashProgress(
                    id, total > 0 ? SettingsController::tr("Fetching %1: %2 of %3 MiB").arg(source).arg(done).arg(total)
                                  : SettingsController::tr("Fetching %1: %2 MiB").arg(source).arg(done));
            });
        };
        QtConcurrent::run(fetchHash, source, hooks).then(form, [=](const Result<QString> &hash) {
            if (stops->value(id) == stopped)
                stops->remove(id);
            *stopped = true; // no more progress
            if (hash)
                form->setHash(id, *hash);
            else
                form->setHashProblem(id, hash.error().sentence());
        });
    });
}

SettingsController::SettingsController(Workspace *workspace, QWidget *place, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_place(place)
{
    place->installEventFilter(this);
    m_settle.setSingleShot(true);
    m_settle.setInterval(std::chrono::milliseconds(120));
    connect(&m_settle, &QTimer::timeout, this, &SettingsController::judge);
    connect(workspace, &Workspace::snapshotChanged, this, [this] {
        if (m_page)
            takeSnapshot();
    });
}

bool SettingsController::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Show && !m_page)
        makePage();
    return QObject::eventFilter(watched, event);
}

void SettingsController::makePage()
{
    m_page = new SettingsPage(m_workspace->catalog());
    auto *layout = new QVBoxLayout(m_place);
    layout->setContentsMargins({});
    layout->addWidget(m_page);
    m_page->show();
    connect(m_page, &SettingsPage::edited, this, [this] {
        if (m_page->isEdited())
            m_drafts.insert(placeOf(branch()), m_page->settings());
        else
            m_drafts.remove(placeOf(branch()));
        ++m_generation;
        m_settle.start();
    });
    connect(m_page, &SettingsPage::saveRequested, this, [this] { Q_EMIT saveRequested(branch(), m_page->settings()); });
    offerPins(m_workspace->catalog(), m_page->form());
    offerHashes(m_workspace->catalog(), m_page->form());
    QtConcurrent::run([catalog = m_workspace->catalog()] {
        return templatesByFamily(*catalog);
    }).then(this, [this](const QHash<QString, QStringList> &templates) { m_page->form()->setTemplates(templates); });
    if (m_workspace->isOpen())
        takeSnapshot();
}

QString SettingsController::placeOf(const QString &branch) const
{
    return m_workspace->info().workTree + u'\n' + branch;
}

QString SettingsController::branch() const
{
    return m_workspace->isOpen() ? m_workspace->snapshot()->branch : QString();
}

void SettingsController::forgetDraft(const QString &branch)
{
    m_drafts.remove(placeOf(branch));
}

void SettingsController::takeSnapshot()
{
    const Settings &saved = m_workspace->snapshot()->settings;
    m_page->setSettings(saved, m_drafts.value(placeOf(branch()), saved));
    m_page->setEvidence(summaryOf(m_workspace->snapshot()->inference));
    const std::optional<Error> &trouble = m_workspace->snapshot()->settingsError;
    m_page->setFileTrouble(trouble ? trouble->sentence() : QString());
    judge();
}

void SettingsController::judge()
{
    const quint64 generation = ++m_generation;
    m_judging = true;
    QtConcurrent::run([catalog = m_workspace->catalog(), settings = m_page->settings()] {
        return judgeSettings(*catalog, settings);
    }).then(this, [this, generation](const SettingsVerdict &verdict) {
        if (generation != m_generation)
            return;
        m_judging = false;
        m_page->setVerdict(verdict);
        Q_EMIT judged();
    });
}

} // namespace tmx
