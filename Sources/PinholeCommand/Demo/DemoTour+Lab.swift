import PinholeLab
import PinholeReports
import PinholeRuntime

extension DemoTour {
    /// The rows of the matrix, by library.
    private static let rows: [(title: String, policies: [LabPolicy])] = [
        ("NSURLSession, default handling, or a delegate that evaluates the server's trust", LabPolicy.modes),
        ("NSURLSession, NSPinnedDomains in the Info.plist", LabPolicy.apple),
        ("AFNetworking, AFSecurityPolicy", LabPolicy.afnetworking),
    ]

    /// Runs the modes of NSURLSession and of AFNetworking against every scenario, and prints the detection matrix.
    func showMatrix() async -> [DemoExpectation] {
        printer.paragraph(
            """
            First each client asks \(world.lab.host) through the proxy above, whose CA is installed on its \
            device. The client accepts the connection, or notices the proxy.
            """
        )
        do {
            let expectation = try await showVisits()
            let policies = Self.rows.flatMap(\.policies)
            let progress = ProgressLine()
            defer { progress.end() }
            let count = policies.count * [Scenario].all.count
            var options = PinningLab.Options()
            options.progress = { progress.advance(of: count, "\($0.policy) × \($0.scenario)") }
            let report = try await PinningLab(in: world.lab).run(policies, options)
            progress.end()
            let document = LabDocument(report)
            try ReportFile.write(JudgedRun(document).html, to: world.reportPath)
            printer.line("")
            printer.paragraph(
                """
                This was scenario A02, one of \(report.scenarios.count). In the matrix each line is a client, \
                each column an attack or a legitimate change (pinhole lab list names them), each sign a real \
                connection through a proxy that is set up like the one above for that column, with the same CA.
                """
            )
            let width = printer.width - DemoPrinter.indent
            let table = MatrixTable(document: document, style: printer.style, width: width)
            for line in table.lines + [""] + table.legend {
                printer.line(line.isEmpty ? "" : printer.indented(line))
            }
            for (title, policies) in Self.rows {
                printer.line("")
                printer.paragraph(title)
                for policy in policies {
                    printer.line(printer.indented("  \(TextLayout.fit(policy.id, 16)) \(policy.title)"))
                }
            }
            printer.line("")
            return [expectation(report)] + Self.expectations(report)
        } catch {
            return [DemoExpectation("the lab could be run: \(error)", false)]
        }
    }

    /// Returns the expectations that depend on the matrix alone.
    private static func expectations(_ report: LabReport) -> [DemoExpectation] {
        let interception = "A02"
        return [
            DemoExpectation(
                "every one of the \(report.cells.count) cells is conclusive",
                report.inconclusive.isEmpty
            ),
            DemoExpectation(
                "without pins (SYS) nobody notices a proxy whose CA is installed (A02)",
                report.cell("SYS", interception)?.outcome == .missed
            ),
            DemoExpectation(
                "pins of keys (SL, SC) notice it, and accept renewal and rotation (L02, L03)",
                ["SL", "SC"].allSatisfy { id in
                    report.cell(id, interception)?.outcome == .detected
                        && ["L02", "L03"].allSatisfy { report.cell(id, $0)?.outcome == .accepted }
                }
            ),
            DemoExpectation(
                "a pinned certificate (LC) notices it too, and refuses the renewed server",
                report.cell("LC", interception)?.outcome == .detected
                    && report.cell("LC", "L02")?.outcome == .falseAlarm
            ),
            DemoExpectation(
                "AFNetworking without pins (af-none) is fooled like SYS, with pins of keys it is not",
                report.cell("af-none", interception)?.outcome == .missed
                    && report.cell("af-key-leaf", interception)?.outcome == .detected
            ),
            DemoExpectation(
                "pins of what was merely presented (PB) are fooled by the real chain, appended (A09)",
                report.cell("PB", "A09")?.outcome == .missed
            ),
        ]
    }

    /// Sends each client through the proxy of the demo, and prints which clients accepted it.
    ///
    /// - Returns: The expectation that the matrix agrees with the visits.
    private func showVisits() async throws -> (LabReport) -> DemoExpectation {
        var decisions: [String: Observation.Decision] = [:]
        let policies = Self.rows.flatMap(\.policies)
        for policy in policies {
            let visit = try await world.lab.visit(
                policy,
                "/json",
                port: world.origin.secureAddress.port,
                through: world.proxyAddress
            )
            decisions[policy.id] = visit.decision
        }
        for (label, decision) in [("go along", Observation.Decision.accepted), ("notice", .rejected)] {
            let names = policies.map(\.id).filter { decisions[$0] == decision }
            printer.labelled(label, names.joined(separator: " "))
        }
        return { report in
            DemoExpectation(
                "through the proxy above each client decided as in column A02",
                policies.allSatisfy { policy in
                    switch report.cell(policy.id, "A02")?.outcome {
                    case .missed: decisions[policy.id] == .accepted
                    case .detected: decisions[policy.id] == .rejected
                    default: false
                    }
                }
            )
        }
    }
}
