import PinholeLab
import PinholeModel

/// JUnit XML, as Jenkins and GitLab read it: a suite for each row, a case for each scenario.
///
/// A miss and a false alarm are failures; an inconclusive cell and one that was not run are errors. With an
/// expectation, a case passes if it has the recorded outcome, and fails otherwise, as in the exit status.
struct JUnitReport {
    private let document: LabDocument
    private let expectation: Expectation?
    private let isPart: Bool
    private let judge: CellJudge

    init(
        _ document: LabDocument,
        expectation: Expectation? = nil,
        profile: LabProfile = .baseline,
        isPart: Bool = false
    ) {
        self.document = document
        self.expectation = expectation
        self.isPart = isPart
        judge = CellJudge(reporting: document, expectation, profile)
    }

    private struct Suite {
        var text = ""
        var tests = 0
        var failures = 0
        var errors = 0
        var skipped = 0
    }

    /// The text of the XML document.
    var text: String {
        var suites = judge.cells(of: document).enumerated().map { suite($1.row, $1.cells, number: $0) }
        if let gaps = gaps(number: suites.count) { suites.append(gaps) }
        let totals = suites.reduce(into: Suite()) { sum, suite in
            sum.tests += suite.tests
            sum.failures += suite.failures
            sum.errors += suite.errors
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="pinning lab" tests="\(totals.tests)" failures="\(totals.failures)" \
            errors="\(totals.errors)">
            \(suites.map(\.text).joined())</testsuites>

            """
    }

    private func suite(_ row: LabDocument.Row, _ cells: [LabDocument.Cell], number: Int) -> Suite {
        var suite = Suite()
        let columns = document.columnsByID
        var cases = ""
        for cell in cells {
            suite.tests += 1
            let title = columns[cell.place.scenario]?.title ?? ""
            let name = MarkupText.attribute("\(cell.place.scenario) \(title)")
            let head =
                "    <testcase name=\"\(name)\" classname=\"\(MarkupText.attribute(row.id))\"\(place(of: row))"
            switch judge.standing(of: cell) {
            case .asExpected, .unjudged: cases += "\(head)/>\n"
            case .noted(let what):
                suite.skipped += 1
                let message = MarkupText.attribute("\(what), and not judged: \(cell.grade.title)")
                cases += "\(head)>\n      <skipped message=\"\(message)\"/>\n    </testcase>\n"
            case .inconclusive(let why):
                suite.errors += 1
                cases += "\(head)>\n\(fault("error", cell, why))    </testcase>\n"
            case .unexpected(let what):
                suite.failures += 1
                cases += "\(head)>\n\(fault("failure", cell, "\(what): \(cell.reason)"))    </testcase>\n"
            }
        }
        suite.text = text(of: suite, "\(row.id): \(row.title)", number, cases)
        return suite
    }

    /// Makes the suite that reports each gap of the run as an error; `nil` if there are no gaps.
    private func gaps(number: Int) -> Suite? {
        let gaps = RunGaps(document, expectation, isPart: isPart)
        let lines = gaps.run + gaps.record
        guard !lines.isEmpty else { return nil }
        var suite = Suite()
        suite.tests = lines.count
        suite.errors = lines.count
        let cases = lines.map { line in
            let name = MarkupText.attribute(line)
            return """
                    <testcase name="\(name)" classname="not run">
                      <error message="\(name)" type="notRun">\(MarkupText.escape(line))</error>
                    </testcase>

                """
        }
        suite.text = text(of: suite, "not run", number, cases.joined())
        return suite
    }

    private func text(of suite: Suite, _ name: String, _ number: Int, _ cases: String) -> String {
        // The schemas know no zone; it is UTC.
        let moment = document.started.hasSuffix("Z") ? String(document.started.dropLast()) : document.started
        return """
              <testsuite name="\(MarkupText.attribute(name))" id="\(number)" \
            tests="\(suite.tests)" failures="\(suite.failures)" errors="\(suite.errors)" \
            skipped="\(suite.skipped)" \
            timestamp="\(MarkupText.attribute(moment))" hostname="\(MarkupText.attribute(document.host))">
            \(cases)  </testsuite>

            """
    }

    /// The file of a row and the line at which its pins begin, as GitLab and GitHub's actions read them.
    private func place(of row: LabDocument.Row) -> String {
        guard let file = row.file else { return "" }
        return " file=\"\(MarkupText.attribute(file))\"" + (row.line.map { " line=\"\($0)\"" } ?? "")
    }

    private func fault(_ element: String, _ cell: LabDocument.Cell, _ message: String) -> String {
        // GitLab shows the content alone, Jenkins the message above it.
        let lines = [message] + cell.evidence.flatMap { $0.lines(document.certificates) }
        let attributes =
            "message=\"\(MarkupText.attribute(message))\" type=\"\(cell.outcome.rawValue)\""
        let content = MarkupText.escape(lines.joined(separator: "\n"))
        return "      <\(element) \(attributes)>\(content)</\(element)>\n"
    }
}
