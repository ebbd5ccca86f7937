import ArgumentParser
import PinholeLab
import PinholeModel
import PinholeReports
import PinholeSession

/// The options that select the scenarios to run.
struct LabScenarioOptions: ParsableArguments {
    /// A half of the catalogue.
    enum Half: String, CaseIterable, ExpressibleByArgument {
        case attacks
        case changes
    }

    @Option(
        help: .value(
            "id",
            "A scenario, as pinhole lab list names it; may be repeated, or a list with commas."
        )
    )
    var scenario: [String] = []

    @Option(help: .value("id", "A scenario to leave out; may be repeated, or a list with commas."))
    var exclude: [String] = []

    @Option(help: "Only attacks, or only legitimate changes.")
    var only: Half?

    @Option(
        help: .value("i/n", "Run one part of the scenarios: 2/5 is the second of five."),
        transform: {
            do throws(LabFailure) {
                return try LabShard($0)
            } catch {
                throw ValidationError("\(error)")
            }
        }
    )
    var shard: LabShard?

    /// The words of `--scenario`, one by one.
    private var words: [String] {
        scenario.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map { String($0) }
    }

    /// The scenarios that the user names.
    var names: Set<String> { Set(words.map { $0.uppercased() }) }

    /// Whether no scenario was chosen from the catalogue.
    var isWhole: Bool { scenario.isEmpty && exclude.isEmpty && only == nil && shard == nil }

    /// Returns the scenarios of this part of the run, in the order of the catalogue.
    ///
    /// - Parameter available: The scenarios that can be run.
    /// - Returns: The scenarios of ``chosen(of:)`` in this part; empty if there are more parts than scenarios.
    /// - Throws: ``CommandFailure`` for an unknown name, or if no scenario is chosen.
    func scenarios(of available: [Scenario] = .all) throws(CommandFailure) -> [Scenario] {
        let chosen = try chosen(of: available)
        guard let shard else { return chosen }
        let share = shard.share(of: chosen)
        if share.isEmpty {
            StandardError.write("nothing to do: part \(shard) of \(chosen.count) scenarios has none")
        }
        return share
    }

    /// Records in the report of a part which part of which run it is.
    ///
    /// - Parameters:
    ///   - document: The report of the part.
    ///   - available: The scenarios that can be run.
    /// - Throws: ``CommandFailure`` for an unknown name.
    func mark(_ document: inout LabDocument, of available: [Scenario] = .all) throws(CommandFailure) {
        guard let shard else { return }
        document.shards = [shard]
        document.selection = try chosen(of: available).map(\.id)
    }

    private func chosen(of available: [Scenario]) throws(CommandFailure) -> [Scenario] {
        let words = words
        for word in words where !available.contains(where: { $0.id == word.uppercased() }) {
            let id = word.uppercased()
            if let shortage = Scenario.shortage(id) {
                throw CommandFailure(.usage, "--scenario: \(shortage)")
            }
            guard let known = Scenario.catalogue.first(where: { $0.id == id }) else {
                throw CommandFailure.usage(
                    "--scenario: expected a scenario such as A02, found “\(word)”",
                    remedy: Remedy.nearest(to: id, in: available.map(\.id))
                        ?? "pinhole lab list names them all"
                )
            }
            let obstacle = known.auditObstacle(directly: true).map { ": \($0.reason)" } ?? ""
            throw CommandFailure(.usage, "--scenario: \(id) cannot be audited\(obstacle)")
        }
        let wanted = Set(words.map { $0.uppercased() })
        let unwanted = Set(
            exclude.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map {
                $0.uppercased()
            }
        )
        if let id = unwanted.sorted().first(where: { id in !Scenario.every.contains { $0.id == id } }) {
            throw CommandFailure.usage(
                "--exclude: expected a scenario such as A02, found “\(id)”",
                remedy: Remedy.nearest(to: id, in: available.map(\.id)) ?? "pinhole lab list names them all"
            )
        }
        let chosen = available.filter { scenario in
            (wanted.isEmpty || wanted.contains(scenario.id))
                && !unwanted.contains(scenario.id)
                && (only.map { ($0 == .attacks) == (scenario.kind == .attack) } ?? true)
        }
        guard !chosen.isEmpty else {
            throw CommandFailure(.usage, "--only and --exclude leave none of the scenarios")
        }
        return chosen
    }
}
