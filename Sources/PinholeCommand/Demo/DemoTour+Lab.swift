import Glibc
import PinholeLab

extension DemoTour {
    /// Every client mode against every scenario of the lab: the detection matrix.
    ///
    /// - Returns: What was expected of it.
    func showMatrix() async -> [DemoExpectation] {
        printer.paragraph(
            """
            Each line is a client that decides in one way, each column an attack or a legitimate change \
            (pinhole lab list tells them). Each sign is a real connection through a proxy in the middle.
            """
        )
        do {
            let report = try await PinningLab().run(LabPolicy.modes)
            let width = DemoPrinter.width - DemoPrinter.indent
            let style = Style.forDescriptor(STDOUT_FILENO)
            let table = MatrixTable(LabDocument(report), style: style, width: width)
            for line in table.lines + ["", MatrixTable.legend(style)] {
                printer.line(line.isEmpty ? "" : printer.indented(line))
            }
            printer.line("")
            for policy in report.policies { printer.labelled(policy.id, policy.title) }
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
                    "pins of what was merely presented (PB) are fooled by the real chain, appended (A09)",
                    report.cell("PB", "A09")?.outcome == .missed
                ),
            ]
        } catch {
            return [DemoExpectation("the lab could be run: \(error)", false)]
        }
    }
}
