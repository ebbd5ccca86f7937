import PinholeModel

/// The course of a ``RotationPlan``: who is locked out on which day, and on which days each step is safe.
///
/// Each version judges each chain by its own policy. Chains are taken as valid, but for their dates.
package struct Rotation: Sendable {
    /// The behaviour of a version at the server.
    package enum Standing: Hashable, Sendable {
        /// The version accepts the server, and refuses other keys.
        case works
        /// The version accepts the server, and every other key as well.
        case unprotected
        /// The version refuses the server, for this reason (``Rejection/Reason/code``).
        case lockedOut(String)
    }

    /// Days in a row on which nothing changes but the shares of users.
    package struct Period: Sendable {
        /// The first and the last day.
        package internal(set) var days: ClosedRange<RotationPlan.Day>
        /// The number of the server's step.
        package let step: Int
        /// The standing of each release, in the order of the releases; `nil` before its day.
        package let standings: [Standing?]
        /// The share of users who are locked out on the first day, at most, and on the last day.
        package internal(set) var lockedOut: (first: Double, most: Double, last: Double)
    }

    /// The days on which a step is safe, if all others stay where they are.
    package struct Window: Sendable {
        /// The step.
        package let title: String
        /// The planned day.
        package let planned: RotationPlan.Day
        /// The first safe day; `nil` if there is none.
        package let first: RotationPlan.Day?
        /// The last safe day; `nil` if there is none.
        package let last: RotationPlan.Day?
    }

    /// The steps and the releases that were simulated.
    package let plan: RotationPlan
    /// The periods, in their order.
    package let periods: [Period]
    private let judge: Judge

    /// Simulates a plan.
    package init(_ plan: RotationPlan) {
        self.plan = plan
        let judge = Judge(plan)
        self.judge = judge
        periods = Self.periods(plan, judge)
    }

    /// The largest share of users who are locked out on a day.
    package var most: Double { periods.map(\.lockedOut.most).max() ?? 0 }

    /// Whether no more users are locked out than the plan tolerates.
    package var isSafe: Bool { most <= plan.tolerance }

    private static func periods(_ plan: RotationPlan, _ judge: Judge) -> [Period] {
        var periods: [Period] = []
        for day in plan.days {
            let step = plan.step(on: day)
            let standings = judge.standings(in: step, on: day, plan)
            let share = lockedOut(standings, plan.shares(on: day))
            if var period = periods.last, period.step == step,
                Self.faults(period.standings) == Self.faults(standings)
            {
                period.days = period.days.lowerBound...day
                period.lockedOut.most = max(period.lockedOut.most, share)
                period.lockedOut.last = share
                periods[periods.count - 1] = period
            } else {
                periods.append(
                    Period(
                        days: day...day,
                        step: step,
                        standings: standings,
                        lockedOut: (share, share, share)
                    )
                )
            }
        }
        return periods
    }

    /// The standings without those of versions that work, whether they are out or not.
    private static func faults(_ standings: [Standing?]) -> [Standing?] {
        standings.map { $0 == .works ? nil : $0 }
    }

    private static func lockedOut(_ standings: [Standing?], _ shares: [Double]) -> Double {
        var sum = 0.0
        for (standing, share) in zip(standings, shares) { if case .lockedOut? = standing { sum += share } }
        return sum
    }

    /// The largest share of users who are locked out on a day of another plan with the same policies and chains.
    private func most(in plan: RotationPlan, from first: RotationPlan.Day? = nil) -> Double {
        var most = 0.0
        for day in plan.days where day >= first ?? day {
            let standings = judge.standings(in: plan.step(on: day), on: day, plan)
            most = max(most, Self.lockedOut(standings, plan.shares(on: day)))
            if most > plan.tolerance { break }
        }
        return most
    }
}

extension Rotation {
    /// Returns the standing of each release on a day, in the order of the releases; `nil` for those that are not out.
    package func standings(on day: RotationPlan.Day) -> [Standing?] {
        judge.standings(in: plan.step(on: day), on: day, plan)
    }

    /// The days on which each step of the server and each release but the first ones is safe.
    ///
    /// A step stays between the steps before and behind it.
    package var windows: [Window] {
        var windows: [Window] = []
        for index in plan.releases.indices.dropFirst() {
            let title = "release \(plan.releases[index].version)"
            let others = plan.releases.map(\.day)
            windows.append(window(title, index, others) { plan, day in plan.releases[index].day = day })
        }
        let days = plan.server.map(\.day)
        windows += plan.server.indices.dropFirst().map { step in
            window(plan.server[step].title, step, days) { $0.server[step].day = $1 }
        }
        return windows.sorted { $0.planned < $1.planned }
    }

    /// Returns the first day on which a step of the server is safe.
    ///
    /// - Parameter step: The number of the step; the first one is 0, and has no step before it.
    /// - Returns: The day; `nil` if there is none.
    package func firstSafeDay(ofStep step: Int) -> RotationPlan.Day? {
        days(of: step, plan.server.map(\.day)).first { isSafe($0) { $0.server[step].day = $1 } }
    }

    private func window(
        _ title: String,
        _ index: Int,
        _ days: [RotationPlan.Day],
        _ move: (inout RotationPlan, RotationPlan.Day) -> Void
    ) -> Window {
        // Each day costs a simulation, so those between the first and the last are not asked for.
        let possible = self.days(of: index, days)
        return Window(
            title: title,
            planned: days[index],
            first: possible.first { isSafe($0, move) },
            last: possible.last { isSafe($0, move) }
        )
    }

    /// Returns the days between the step or release before and the next one; the last one may move to the plan's end.
    private func days(of index: Int, _ days: [RotationPlan.Day]) -> Range<RotationPlan.Day> {
        let lower = days[index - 1] + 1
        let upper = index + 1 < days.count ? days[index + 1] : plan.days.upperBound + 1
        return lower..<max(lower, upper)
    }

    private func isSafe(
        _ day: RotationPlan.Day,
        _ move: (inout RotationPlan, RotationPlan.Day) -> Void
    ) -> Bool {
        var moved = plan
        move(&moved, day)
        return most(in: moved) <= plan.tolerance
    }

    /// The steps of the server on the earliest days, not before the planned ones, on which they lock out no more users
    /// than the plan tolerates; `nil` for a step that has no such day.
    package var proposal: [(title: String, day: RotationPlan.Day?)] {
        var moved = plan
        var proposal: [(String, RotationPlan.Day?)] = []
        var floor = plan.days.lowerBound
        for index in plan.server.indices.dropFirst() {
            // Later steps are left out, so that their faults are not those of this one.
            var part = moved
            part.server = Array(moved.server[...index])
            let start = max(plan.server[index].day, floor + 1)
            let day =
                start > plan.days.upperBound
                ? nil
                : (start...plan.days.upperBound).first { day in
                    part.server[index].day = day
                    return most(in: part, from: day) <= plan.tolerance
                }
            proposal.append((plan.server[index].title, day))
            moved.server[index].day = day ?? start
            floor = moved.server[index].day
        }
        // Each step is safe where it stands, and the plan can still be unsafe: before its first step, or because a
        // version was locked out already. Such a plan is not proposed.
        guard most(in: moved) <= plan.tolerance else { return proposal.map { ($0.0, nil) } }
        return proposal
    }
}

extension RotationPlan {
    /// The number of the server's step on a day.
    package func step(on day: Day) -> Int { server.lastIndex { $0.day <= day } ?? 0 }
}

/// Judges the chains of a plan by its policies, each once between two dates that matter.
private final class Judge: Sendable {
    /// A judgement of all releases: the step, and the number of dates that have passed.
    private struct Key: Hashable {
        let step: Int
        let epoch: Int
    }

    /// The moments at which a pin or a certificate begins or ends, in their order.
    private let dates: [Timestamp]
    private let known: [Key: [Rotation.Standing]]

    init(_ plan: RotationPlan) {
        let expirations = plan.releases.flatMap { $0.policy.pinLists.compactMap(\.expiration) }
        let validities = plan.server.flatMap(\.paths).joined().flatMap { [$0.notBefore, $0.notAfter] }
        let dates = Set(expirations + validities).sorted()
        self.dates = dates
        var known: [Key: [Rotation.Standing]] = [:]
        for day in plan.days {
            let epoch = Self.epoch(of: day, dates)
            for (step, server) in plan.server.enumerated() {
                let key = Key(step: step, epoch: epoch)
                guard known[key] == nil else { continue }
                known[key] = plan.releases.map { release in
                    Self.standing(release.policy, server.paths, plan.host, Self.moment(of: day))
                }
            }
        }
        self.known = known
    }

    /// The standing of each release on a day; `nil` for those that are not out.
    func standings(in step: Int, on day: RotationPlan.Day, _ plan: RotationPlan) -> [Rotation.Standing?] {
        let standings = known[Key(step: step, epoch: Self.epoch(of: day, dates))] ?? []
        // Users of the first release have it from the beginning.
        return standings.indices.map { $0 == 0 || plan.releases[$0].day <= day ? standings[$0] : nil }
    }

    /// The end of a day: pins that end on that day have ended, and so have certificates.
    private static func moment(of day: RotationPlan.Day) -> Timestamp {
        Timestamp(seconds: Int64(day) * 86_400 + 86_399)
    }

    private static func epoch(of day: RotationPlan.Day, _ dates: [Timestamp]) -> Int {
        let moment = moment(of: day)
        return dates.count { $0 < moment }
    }

    private static func standing(
        _ policy: any TrustPolicy,
        _ paths: [[CertificateFacts]],
        _ host: Host,
        _ time: Timestamp
    ) -> Rotation.Standing {
        var reason: String?
        var hasExpired = false
        for path in paths.map(AssumedPath.init) {
            // Whatever the mechanism says of pins, an invalid chain is refused.
            if path.certificates.contains(where: { $0.notAfter < time }) {
                hasExpired = true
                continue
            }
            switch path.judged(by: policy, for: host, at: time) {
            case .rejected(let rejection): reason = reason ?? rejection.reason.code
            case .trusted, .notApplicable:
                let other = AssumedPath.unpinned(for: host, at: time).judged(by: policy, for: host, at: time)
                if case .rejected = other { return .works }
                return .unprotected
            }
        }
        let other = hasExpired ? ChainFault.Kind.expired : .empty
        return .lockedOut(reason ?? other.rawValue)
    }
}
