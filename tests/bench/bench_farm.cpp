// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// 10,000 builds on 500 slots, planned as the queue would build them and the longest first, against what a person does
// without a queue: the list is cut into as many parts as there are slots.
#include "model/build/Farm.h"

#include <QElapsedTimer>

#include <algorithm>
#include <cstdio>
#include <random>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

constexpr int builds = 10'000;
constexpr int slotCount = 500;
constexpr int runs = 5;

/// Of PyTorch one to four hours; every third build is a companion of half an hour that waits for the one before it.
Farm makeFarm(int machines)
{
    std::mt19937 random(1);
    Farm farm;
    farm.kinds.append({u"x86_64-linux"_s, {}});
    for (int machine = 0; machine < machines; ++machine) {
        farm.machines.append({QString::number(machine), slotCount / machines, 1});
        farm.kinds.first().machines.append(machine);
    }
    for (int build = 0; build < builds; ++build) {
        if (build % 3 == 2)
            farm.jobs.append({0, 1800, {build - 1}, -1});
        else
            farm.jobs.append({0, 3600 + qint64(random() % 10'800), {}, -1});
    }
    return farm;
}

/// Every part is built from its beginning to its end; a companion is in the part of what it waits for.
qint64 inEqualParts(const Farm &farm)
{
    qint64 longest = 0;
    const qsizetype part = (farm.jobs.size() + slotCount - 1) / slotCount;
    for (qsizetype from = 0; from < farm.jobs.size(); from += part) {
        qint64 seconds = 0;
        for (const FarmJob &job : farm.jobs.sliced(from, std::min(part, farm.jobs.size() - from)))
            seconds += job.seconds;
        longest = std::max(longest, seconds);
    }
    return longest;
}

} // namespace

/// Exit status 1: a list in equal parts is done sooner.
int main()
{
    bool good = true;
    for (const int machines : {1, 10, slotCount}) {
        const Farm farm = makeFarm(machines);
        const qint64 parts = inEqualParts(farm);
        for (const FarmOrder order : {FarmOrder::AsGiven, FarmOrder::LongestFirst}) {
            double best = 1e9;
            FarmPlan plan;
            for (int run = 0; run < runs; ++run) {
                QElapsedTimer clock;
                clock.start();
                plan = planFarm(farm, order);
                best = std::min(best, double(clock.nsecsElapsed()) / 1e6);
            }
            std::printf("%d builds, %3d machines, %d slots, %s: planned in %6.1f ms, %.4f times the bound; in equal "
                        "parts %.4f times\n",
                        builds, machines, slotCount,
                        order == FarmOrder::AsGiven ? "the queue's order" : "longest first    ", best,
                        double(plan.seconds) / double(plan.bound.seconds), double(parts) / double(plan.bound.seconds));
            good = good && plan.seconds <= parts;
        }
    }
    return good ? 0 : 1;
}
