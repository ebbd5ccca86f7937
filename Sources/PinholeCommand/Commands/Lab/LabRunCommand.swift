import ArgumentParser
import PinholeLab
import PinholeModel
import PinholeReports
import PinholeSession

/// `pinhole lab run`, the default of `pinhole lab`.
struct LabRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run policies against scenarios and print the matrix (the default).",
        discussion: """
            Each cell is a client that decides by the policy and speaks TLS with the real proxy on loopback. Each run makes
            new certificates. The lab keeps the hosts, dates and settings of your own policy, and replaces its pins by pins
            of keys that the lab has.

            The profile selects the scenarios that count. baseline: the mechanism of the policy promises to handle them.
            strict: also scenarios that some settings of the mechanism handle. all: every scenario. The last line is the
            verdict.

            Exit codes: 0 as expected, 1 your policy missed an attack or refused a legitimate change that counts (with
            --expect: a cell differs from the record), 2 wrong usage, 3 a cell that counts is inconclusive, or something
            could not be run (docs/LAB.md).

            EXAMPLES
              pinhole lab
              pinhole lab --policy network_security_config.xml --only-own
              pinhole lab --policy Info.plist --chain chain.pem --html lab.html
                  the chain of your server tells which certificate each pin belongs to
              pinhole lab --policy pins.json --only-own --expect pins.expected.json --record
              pinhole lab --policy pins.json --only-own --expect pins.expected.json
              pinhole lab --row SL,SC,okhttp-leaf --scenario A02,A04,L02
            """
    )

    @OptionGroup(title: "Policies") var rows: LabPolicyOptions

    @OptionGroup(title: "Scenarios") var selection: LabScenarioOptions

    @OptionGroup(title: "Reports") var reports: LabReportOptions

    @Option(help: .value("n", "The number of runs of each cell; a cell whose runs differ is inconclusive."))
    var `repeat` = 1

    @Option(help: .value("n", "The number of scenarios that run side by side."))
    var jobs = 4

    func validate() throws {
        guard (1...1000).contains(`repeat`) else {
            throw ValidationError("--repeat: expected 1 to 1000, found \(`repeat`)")
        }
        guard (1...64).contains(jobs) else {
            throw ValidationError("--jobs: expected 1 to 64, found \(jobs)")
        }
    }

    func run() async throws {
        try ProcessLimits.requireDescriptors()
        let scenarios = try selection.scenarios()
        let expectation = try reports.expectation()
        let policies = try await rows.policies()
        FirstUse.introduceLab()
        let report = try await run(policies, scenarios)
        var document = LabDocument(report)
        try selection.mark(&document)
        try reports.show(document, expecting: expectation)
        try await reports.finish(document, expecting: expectation, isPart: selection.shard != nil)
    }

    private func run(_ policies: [LabPolicy], _ scenarios: [Scenario]) async throws -> LabReport {
        let progress = ProgressLine()
        defer { progress.end() }
        let count = scenarios.count * policies.count { !$0.isUndecided }
        var options = PinningLab.Options()
        options.repetitions = `repeat`
        options.jobs = jobs
        options.progress = { progress.advance(of: count, "\($0.policy) × \($0.scenario)") }
        let hosts = Set(policies.compactMap(\.host))
        guard hosts.count <= 1 else {
            throw CommandFailure.usage(
                "expected policies for one host, found \(hosts.sorted().joined(separator: ", "))",
                remedy: "say which one with --host"
            )
        }
        let host = hosts.first ?? rows.host?.description
        progress.tell(0, of: Int64(count), "the certificates of the lab")
        let lab = try await PinningLab(host: host ?? LabWorld.standardHost.description)
        return scenarios.isEmpty
            ? lab.emptyReport(policies) : try await lab.run(policies, against: scenarios, options)
    }
}
