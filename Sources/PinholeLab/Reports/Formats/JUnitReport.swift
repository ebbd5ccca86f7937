/// JUnit XML, as Jenkins and GitLab read it: a suite for each row, a case for each scenario.
///
/// A miss and a false alarm are failures, what is inconclusive or contradicts the rules is an error. With an expectation, a case passes
/// when it says what was expected, and fails otherwise.
struct JUnitReport {
    private let document: LabDocument
    private let expectation: Expectation?

    init(_ document: LabDocument, expectation: Expectation? = nil) {
        self.document = document
        self.expectation = expectation
    }

    private struct Suite {
        var text = ""
        var tests = 0
        var failures = 0
        var errors = 0
    }

    /// The document.
    var text: String {
        let suites = document.judgedRows.enumerated().map { suite($1, number: $0) }
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

    private func suite(_ row: LabDocument.Row, number: Int) -> Suite {
        var suite = Suite()
        let columns = document.columnsByID
        var cases = ""
        for cell in document.cells where cell.place.policy == row.id {
            suite.tests += 1
            let title = columns[cell.place.scenario]?.title ?? ""
            let name = MarkupText.attribute("\(cell.place.scenario) \(title)")
            let head = "    <testcase name=\"\(name)\" classname=\"\(MarkupText.attribute(row.id))\""
            if cell.outcome == .inconclusive || cell.contradiction != nil {
                suite.errors += 1
                cases += "\(head)>\n\(fault("error", cell, cell.contradiction))    </testcase>\n"
            } else if let message = complaint(cell) {
                suite.failures += 1
                cases += "\(head)>\n\(fault("failure", cell, message))    </testcase>\n"
            } else {
                cases += "\(head)/>\n"
            }
        }
        // The schemas know no zone; it is UTC.
        let moment = document.started.hasSuffix("Z") ? String(document.started.dropLast()) : document.started
        suite.text = """
              <testsuite name="\(MarkupText.attribute("\(row.id): \(row.title)"))" id="\(number)" \
            tests="\(suite.tests)" failures="\(suite.failures)" errors="\(suite.errors)" skipped="0" \
            timestamp="\(MarkupText.attribute(moment))" hostname="\(MarkupText.attribute(document.host))">
            \(cases)  </testsuite>

            """
        return suite
    }

    /// What is wrong with a cell; `nil` for nothing.
    private func complaint(_ cell: LabDocument.Cell) -> String? {
        if let expected = expectation?.cells[cell.place] {
            guard expected != cell.outcome else { return nil }
            return "expected \(expected.title), found \(cell.outcome.title). \(cell.reason)"
        }
        return cell.isFault ? "\(cell.outcome.title): \(cell.reason)" : nil
    }

    private func fault(_ element: String, _ cell: LabDocument.Cell, _ message: String? = nil) -> String {
        let lines = cell.evidence.flatMap { $0.lines(document.certificates) }
        let attributes =
            "message=\"\(MarkupText.attribute(message ?? cell.reason))\" type=\"\(cell.outcome.rawValue)\""
        let content = MarkupText.escape(lines.joined(separator: "\n"))
        return "      <\(element) \(attributes)>\(content)</\(element)>\n"
    }
}
