import ArgumentParser
import PinholeLab

/// Which scenarios are run.
struct LabScenarioOptions: ParsableArguments {
    /// A half of the catalogue.
    enum Half: String, CaseIterable, ExpressibleByArgument {
        case attacks
        case changes
    }

    @Option(
        help: ArgumentHelp(
            "A scenario, as pinhole lab list names it; may be repeated, or a list with commas.",
            valueName: "id"
        )
    )
    var scenario: [String] = []

    @Option(help: "Only attacks, or only legitimate changes.")
    var only: Half?

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

    /// The scenarios of this part, in the order of the catalogue.
    ///
    /// - Returns: Those of ``chosen()`` that are in the part; with more parts than scenarios there may be none.
    /// - Throws: ``CommandFailure`` for a name that there is not.
    func scenarios() throws(CommandFailure) -> [Scenario] {
        let chosen = try chosen()
        guard let shard else { return chosen }
        let share = shard.share(of: chosen)
        guard !share.isEmpty else {
            throw CommandFailure(.usage, "--shard: \(shard) of \(chosen.count) scenarios is none")
        }
        return share
    }

    /// The scenarios of all parts, in the order of the catalogue.
    ///
    /// - Returns: At least one.
    /// - Throws: ``CommandFailure`` for a name that there is not.
    func chosen() throws(CommandFailure) -> [Scenario] {
        let wanted = scenario.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .map { $0.uppercased() }
        for id in wanted where !Scenario.catalogue.contains(where: { $0.id == id }) {
            throw CommandFailure(
                .usage,
                "--scenario: there is no “\(id)”",
                remedy: "pinhole lab list names them all"
            )
        }
        let chosen = Scenario.catalogue.filter { scenario in
            (wanted.isEmpty || wanted.contains(scenario.id))
                && (only.map { ($0 == .attacks) == (scenario.kind == .attack) } ?? true)
        }
        guard !chosen.isEmpty else {
            throw CommandFailure(.usage, "--only leaves none of the scenarios that --scenario names")
        }
        return chosen
    }
}
