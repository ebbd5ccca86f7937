import ArgumentParser
import PinholeLab
import PinholeModel

/// Which scenarios a program is audited with.
struct AuditSelection: ParsableArguments {
    /// One kind of scenarios.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case attacks
        case changes
    }

    @Option(
        help: ArgumentHelp(
            "Only this scenario; may be repeated, and hold several with commas.",
            valueName: "id"
        )
    )
    var scenario: [String] = []

    @Option(help: ArgumentHelp("Only attacks, or only legitimate changes.", valueName: "kind"))
    var only: Kind?

    @Option(
        help: ArgumentHelp("Run one part of the scenarios: 2/5 is the second of five.", valueName: "i/n"),
        transform: {
            do throws(LabFailure) {
                return try LabShard($0)
            } catch {
                throw ValidationError("\(error)")
            }
        }
    )
    var shard: LabShard?

    /// The scenarios that were asked for, in the order of the catalogue.
    ///
    /// - Parameter world: Any certificates.
    /// - Returns: At least one.
    /// - Throws: ``CommandFailure`` for an unknown one, and where none is left.
    func scenarios(in world: LabWorld) throws(CommandFailure) -> [Scenario] {
        let auditable = Scenario.auditable(in: world)
        let wanted = scenario.flatMap { $0.split(separator: ",").map { $0.uppercased() } }
        for id in wanted where !auditable.contains(where: { $0.id == id }) {
            guard Scenario.catalogue.contains(where: { $0.id == id }) else {
                let nearest = EditDistance.nearest(to: id, in: auditable.map(\.id))
                throw CommandFailure(
                    .usage,
                    "expected a scenario such as A02, found “\(id)”",
                    remedy: nearest.map { "did you mean \($0)?" }
                )
            }
            throw CommandFailure(
                .usage,
                "\(id) needs more of a client than one visit, which only the companion client makes"
            )
        }
        let chosen = auditable.filter { scenario in
            guard wanted.isEmpty || wanted.contains(scenario.id) else { return false }
            switch only {
            case .attacks: return scenario.kind == .attack
            case .changes: return scenario.kind == .change
            case nil: return true
            }
        }
        guard !chosen.isEmpty else {
            throw CommandFailure(.usage, "expected at least one scenario, found none that --only leaves over")
        }
        guard let shard else { return chosen }
        let share = shard.share(of: chosen)
        guard !share.isEmpty else {
            throw CommandFailure(.usage, "--shard: \(shard) of \(chosen.count) scenarios is none")
        }
        return share
    }
}
