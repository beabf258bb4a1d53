// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Farm.h"

#include "model/job/Queue.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

namespace tmx {

namespace {

constexpr qint64 longest = 1'000'000'000; ///< in seconds, of a job: sums stay far below the limit of qint64
constexpr double rounding = 1e-6;

template <class T>
using LeastFirst = std::priority_queue<T, std::vector<T>, std::greater<>>;

double speedOf(const FarmMachine &machine)
{
    return machine.speed > 0 && std::isfinite(machine.speed) ? machine.speed : 1;
}

/// The farm's data with checked indices, and what is derived from them.
class Simulation
{
public:
    explicit Simulation(const Farm &farm);
    FarmPlan run(FarmOrder order);

private:
    struct Machine {
        LeastFirst<int> freeSlots;
        int busy = 0;
        qint64 taken = 0;                           ///< bytes of memory
        std::vector<std::pair<int, size_t>> places; ///< positions in the lists of kinds: kind, position
    };
    struct Kind {
        std::vector<int> machines; ///< the first one with a free slot takes the next job
        qint64 memory = 0;
        size_t next = 0; ///< machines before it have no free slot, or no room
        LeastFirst<std::pair<qint64, int>> ready;
    };

    [[nodiscard]] qint64 shortestOf(int job) const;
    [[nodiscard]] qint64 secondsOn(int job, int machine) const;
    void sortJobs();
    void findChain(FarmPlan &plan) const;
    void findBound(FarmPlan &plan) const;
    void tryBound(FarmPlan &plan, int kind, const std::vector<bool> &machines) const;
    void begin(FarmPlan &plan, int job, int machine, qint64 now);
    void end(int job, int machine, int slot);
    void placeAll(FarmPlan &plan, qint64 now);
    [[nodiscard]] int freeMachine(Kind &kind) const;
    [[nodiscard]] qint64 memoryOf(int job) const
    {
        const auto kind = size_t(m_kindOf[size_t(job)]); // of a running job any number
        return kind < m_kinds.size() ? m_kinds[kind].memory : 0;
    }
    [[nodiscard]] bool isFree(int machine, qint64 memory) const
    {
        const Machine &at = m_machines[size_t(machine)];
        const FarmMachine &its = m_farm.machines.at(machine);
        return at.busy < its.atOnce && hasRoom(memory, at.busy, at.taken, its.memory);
    }

    const Farm &m_farm;
    const int m_count;
    std::vector<Machine> m_machines;
    std::vector<Kind> m_kinds;
    std::vector<int> m_kindOf;            ///< kind of each job; -1: no machine takes it
    std::vector<std::vector<int>> m_next; ///< for each job, the jobs that need it
    std::vector<int> m_sorted;            ///< jobs that can be built, each after the jobs that it needs
    std::vector<int> m_missing;           ///< for each job, how many needed jobs are not done
    std::vector<qint64> m_way;  ///< from the start of each job to the end of all jobs that need it; -1: it cannot be
                                ///< built
    std::vector<qint64> m_rank; ///< the job with the lower rank starts first
    LeastFirst<std::tuple<qint64, int>> m_ends;
};

Simulation::Simulation(const Farm &farm)
    : m_farm(farm)
    , m_count(int(farm.jobs.size()))
    , m_machines(size_t(farm.machines.size()))
    , m_kinds(size_t(farm.kinds.size()))
    , m_kindOf(size_t(m_count), -1)
    , m_next(size_t(m_count))
    , m_missing(size_t(m_count), 0)
    , m_way(size_t(m_count), -1)
    , m_rank(size_t(m_count), 0)
{
    std::vector<int> takes(m_machines.size(), 0); // number of kinds that each machine takes
    for (size_t kind = 0; kind < m_kinds.size(); ++kind) {
        m_kinds[kind].memory = farm.kinds.at(qsizetype(kind)).memory;
        std::vector<int> &machines = m_kinds[kind].machines;
        for (const int machine : farm.kinds.at(qsizetype(kind)).machines) {
            if (machine >= 0 && machine < farm.machines.size() && farm.machines.at(machine).atOnce > 0)
                machines.push_back(machine);
        }
        std::ranges::sort(machines);
        machines.erase(std::ranges::unique(machines).begin(), machines.end());
        for (const int machine : machines)
            ++takes[size_t(machine)];
    }
    for (size_t kind = 0; kind < m_kinds.size(); ++kind) {
        std::vector<int> &machines = m_kinds[kind].machines;
        std::ranges::sort(machines, {}, [&](int machine) {
            return std::tuple(-speedOf(farm.machines.at(machine)), takes[size_t(machine)], machine);
        });
        for (size_t at = 0; at < machines.size(); ++at)
            m_machines[size_t(machines[at])].places.emplace_back(int(kind), at);
    }
    for (qsizetype machine = 0; machine < farm.machines.size(); ++machine) {
        for (int slot = 0; slot < farm.machines.at(machine).atOnce; ++slot)
            m_machines[size_t(machine)].freeSlots.push(slot);
    }
    sortJobs();
}

qint64 Simulation::secondsOn(int job, int machine) const
{
    const FarmJob &one = m_farm.jobs.at(job);
    const qint64 seconds = std::clamp<qint64>(one.seconds, 0, longest);
    if (one.runsOn >= 0)
        return seconds;
    const double rounded = std::ceil(double(seconds) / speedOf(m_farm.machines.at(machine)) - rounding);
    return qint64(std::min(rounded, double(longest)));
}

qint64 Simulation::shortestOf(int job) const
{
    const FarmJob &one = m_farm.jobs.at(job);
    return secondsOn(job, one.runsOn >= 0 ? one.runsOn : m_kinds[size_t(m_kindOf[size_t(job)])].machines.front());
}

/// Sorts the jobs, and leaves out those that cannot be built.
void Simulation::sortJobs()
{
    const auto exists = [this](int job) { return job >= 0 && job < m_count; };
    std::vector<int> ready;
    for (int job = 0; job < m_count; ++job) {
        const FarmJob &one = m_farm.jobs.at(job);
        if (one.runsOn >= 0 && one.runsOn < m_farm.machines.size()) {
            m_kindOf[size_t(job)] = std::max(0, one.kind);
        } else if (one.runsOn < 0 && one.kind >= 0 && one.kind < m_farm.kinds.size() &&
                   !m_kinds[size_t(one.kind)].machines.empty()) {
            m_kindOf[size_t(job)] = one.kind;
            for (const int need : one.needs) {
                m_missing[size_t(job)] += 1;
                if (exists(need))
                    m_next[size_t(need)].push_back(job);
            }
        }
        if (m_kindOf[size_t(job)] >= 0 && m_missing[size_t(job)] == 0)
            ready.push_back(job);
    }
    std::vector<int> missing = m_missing;
    while (!ready.empty()) {
        const int job = ready.back();
        ready.pop_back();
        m_sorted.push_back(job);
        for (const int next : m_next[size_t(job)]) {
            if (--missing[size_t(next)] == 0)
                ready.push_back(next);
        }
    }
    for (auto job = m_sorted.rbegin(); job != m_sorted.rend(); ++job) {
        qint64 rest = 0;
        for (const int next : m_next[size_t(*job)])
            rest = std::max(rest, m_way[size_t(next)]);
        m_way[size_t(*job)] = shortestOf(*job) + rest;
    }
}

void Simulation::findChain(FarmPlan &plan) const
{
    const auto before = [this](int one, int other) { // By the way to the end, then as given.
        return std::pair(-m_way[size_t(one)], one) < std::pair(-m_way[size_t(other)], other);
    };
    std::vector<int> from = m_sorted;
    while (!from.empty()) {
        const int job = *std::ranges::min_element(from, before);
        if (plan.chain.isEmpty())
            plan.chainSeconds = m_way[size_t(job)];
        plan.chain.append(job);
        from = m_next[size_t(job)];
        std::erase_if(from, [this](int next) { return m_way[size_t(next)] < 0; });
    }
}

void Simulation::tryBound(FarmPlan &plan, int kind, const std::vector<bool> &machines) const
{
    std::vector<int> running(m_machines.size(), 0);
    std::vector<bool> within(m_kinds.size());
    for (size_t one = 0; one < m_kinds.size(); ++one)
        within[one] =
            std::ranges::all_of(m_kinds[one].machines, [&](int machine) { return machines[size_t(machine)]; });
    double work = 0;
    for (const int job : m_sorted) {
        const FarmJob &one = m_farm.jobs.at(job);
        const double seconds = double(std::clamp<qint64>(one.seconds, 0, longest));
        if (one.runsOn >= 0) {
            ++running[size_t(one.runsOn)];
            work += machines[size_t(one.runsOn)] ? seconds * speedOf(m_farm.machines.at(one.runsOn)) : 0;
        } else if (within[size_t(m_kindOf[size_t(job)])]) {
            work += seconds;
        }
    }
    double capacity = 0;
    for (size_t machine = 0; machine < m_machines.size(); ++machine) {
        // A machine that runs more jobs than it has slots counts with that many slots.
        const FarmMachine &one = m_farm.machines.at(qsizetype(machine));
        if (machines[machine])
            capacity += std::max({0, one.atOnce, running[machine]}) * speedOf(one);
    }
    const qint64 seconds = capacity > 0 ? qint64(std::ceil(work / capacity - rounding)) : 0;
    if (seconds > plan.bound.seconds)
        plan.bound = {seconds, FarmBound::By::Work, kind};
}

void Simulation::findBound(FarmPlan &plan) const
{
    plan.bound = {plan.chainSeconds, FarmBound::By::Chain, -1};
    tryBound(plan, -1, std::vector<bool>(m_machines.size(), true));
    for (size_t kind = 0; kind < m_kinds.size(); ++kind) {
        std::vector<bool> machines(m_machines.size(), false);
        for (const int machine : m_kinds[kind].machines)
            machines[size_t(machine)] = true;
        tryBound(plan, int(kind), machines);
    }
}

void Simulation::begin(FarmPlan &plan, int job, int machine, qint64 now)
{
    Machine &at = m_machines[size_t(machine)];
    int slot = at.busy;
    if (!at.freeSlots.empty()) {
        slot = at.freeSlots.top();
        at.freeSlots.pop();
    }
    ++at.busy;
    at.taken += memoryOf(job);
    const qint64 end = now + secondsOn(job, machine);
    plan.builds[job] = {machine, slot, now, end};
    plan.uses[machine].builds += 1;
    plan.uses[machine].busy += end - now;
    plan.seconds = std::max(plan.seconds, end);
    m_ends.emplace(end, job);
}

void Simulation::end(int job, int machine, int slot)
{
    Machine &at = m_machines[size_t(machine)];
    at.freeSlots.push(slot);
    --at.busy;
    at.taken -= memoryOf(job);
    for (const auto &[kind, position] : at.places)
        m_kinds[size_t(kind)].next = std::min(m_kinds[size_t(kind)].next, position);
    for (const int next : m_next[size_t(job)]) {
        if (--m_missing[size_t(next)] == 0)
            m_kinds[size_t(m_kindOf[size_t(next)])].ready.emplace(m_rank[size_t(next)], next);
    }
}

int Simulation::freeMachine(Kind &kind) const
{
    while (kind.next < kind.machines.size() && !isFree(kind.machines[kind.next], kind.memory))
        ++kind.next;
    return kind.next < kind.machines.size() ? kind.machines[kind.next] : -1;
}

void Simulation::placeAll(FarmPlan &plan, qint64 now)
{
    for (;;) {
        Kind *first = nullptr;
        for (Kind &kind : m_kinds) {
            if (!kind.ready.empty() && (!first || kind.ready.top() < first->ready.top()) && freeMachine(kind) >= 0)
                first = &kind;
        }
        if (!first)
            return;
        const int job = first->ready.top().second;
        first->ready.pop();
        begin(plan, job, freeMachine(*first), now);
    }
}

FarmPlan Simulation::run(FarmOrder order)
{
    FarmPlan plan;
    plan.builds.resize(m_count);
    plan.uses.resize(m_farm.machines.size());
    findChain(plan);
    findBound(plan);
    for (const int job : m_sorted)
        m_rank[size_t(job)] = order == FarmOrder::AsGiven ? 0 : -m_way[size_t(job)];
    std::ranges::sort(m_sorted); // Running jobs get their slots in the given order.
    for (const int job : m_sorted) {
        if (m_farm.jobs.at(job).runsOn >= 0)
            begin(plan, job, m_farm.jobs.at(job).runsOn, 0);
        else if (m_missing[size_t(job)] == 0)
            m_kinds[size_t(m_kindOf[size_t(job)])].ready.emplace(m_rank[size_t(job)], job);
    }
    for (qint64 now = 0;;) {
        placeAll(plan, now);
        if (m_ends.empty())
            return plan;
        now = std::get<0>(m_ends.top());
        while (!m_ends.empty() && std::get<0>(m_ends.top()) == now) {
            const int job = std::get<1>(m_ends.top());
            m_ends.pop();
            end(job, plan.builds.at(job).machine, plan.builds.at(job).slot);
        }
    }
}

} // namespace

FarmPlan planFarm(const Farm &farm, FarmOrder order)
{
    return Simulation(farm).run(order);
}

} // namespace tmx
