package import PinholePolicies
package import PinholeTrust

/// The findings about policy files, for code scanning and for tools that read test results.
package struct LintReport: Sendable {
    /// A file that was checked.
    package struct File: Sendable {
        let name: String
        let findings: [(finding: LintFinding, line: Int)]

        /// Creates the findings of a file.
        ///
        /// - Parameters:
        ///   - name: The file, as it was named.
        ///   - findings: The findings, the worst first.
        ///   - lines: Its lines; `nil` for a file that is no text.
        package init(_ name: String, _ findings: [LintFinding], lines: PolicyLines?) {
            self.name = name
            self.findings = findings.map { ($0, lines?.line(of: $0) ?? 1) }
        }
    }

    private let files: [File]

    /// Creates a report of files.
    package init(_ files: [File]) { self.files = files }

    /// SARIF 2.1.0: a rule for each kind of finding, a result for each finding.
    ///
    /// - Parameter directory: The root of the repository: files below it are named from there.
    /// - Returns: The JSON.
    package func sarif(below directory: String) -> String {
        let findings = files.flatMap { $0.findings.map(\.finding) }
        return SARIFLog(
            tool: "pinhole pins check",
            fingerprints: "pinholeFinding/v1",
            rules: LintFinding.Code.allCases.compactMap { code in
                findings.first { $0.code == code }.map(Self.rule)
            },
            results: files.flatMap { file in file.findings.map { Self.result(file.name, $0, $1) } }
        ).text(below: directory)
    }

    private static func rule(of first: LintFinding) -> SARIFLog.Rule {
        SARIFLog.Rule(
            id: first.code.rawValue,
            title: first.sentence,
            help: first.remedy,
            level: level(first.severity),
            tags: ["security", "tls", "pinning"]
        )
    }

    private static func result(_ file: String, _ finding: LintFinding, _ line: Int) -> SARIFLog.Result {
        SARIFLog.Result(
            rule: finding.code.rawValue,
            level: level(finding.severity),
            message: "\(finding.sentence) \(finding.remedy)",
            file: file,
            line: line,
            element: [
                ("fullyQualifiedName", finding.path.isEmpty ? "document" : finding.path),
                ("kind", "element"),
            ],
            fingerprint: "\(finding.code.rawValue)/\(finding.path)/\(finding.sentence)"
        )
    }

    private static func level(_ severity: LintFinding.Severity) -> String {
        switch severity {
        case .error, .warning: severity.rawValue
        // SARIF has no level for a question that is open.
        case .unproven: "warning"
        case .hint: "note"
        }
    }

    /// JUnit XML: a suite for each file, with a case for each finding.
    ///
    /// A hint is skipped, and so is a finding that is not proven. A file without findings has one case, which passes.
    package var junit: String {
        let suites = files.map { file in
            let cases = file.findings.map { Self.entry(file.name, $0, $1) }
            let passed = JUnitLog.Case(name: "nothing was found", group: file.name, file: file.name)
            return JUnitLog.Suite(name: file.name, cases: cases.isEmpty ? [passed] : cases)
        }
        return JUnitLog(name: "pinhole pins check", suites: suites).text
    }

    private static func entry(_ file: String, _ finding: LintFinding, _ line: Int) -> JUnitLog.Case {
        let code = finding.code.rawValue
        let doubt = finding.severity == .unproven ? "not proven: " : ""
        var fault = JUnitLog.Fault(element: "skipped", message: doubt + finding.sentence)
        if finding.isFault {
            fault = JUnitLog.Fault(
                element: "failure",
                message: finding.sentence,
                type: finding.severity.rawValue,
                content: [finding.sentence, finding.remedy, "\(file):\(line)"]
            )
        }
        return JUnitLog.Case(
            name: finding.path.isEmpty ? code : "\(code) at \(finding.path)",
            group: file,
            file: file,
            line: line,
            fault: fault
        )
    }
}
