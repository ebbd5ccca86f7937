import PinholeModel
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

    private var findings: [(file: String, finding: LintFinding, line: Int)] {
        files.flatMap { file in file.findings.map { (file.name, $0.finding, $0.line) } }
    }

    /// SARIF 2.1.0: a rule for each kind of finding, a result for each finding.
    ///
    /// - Parameter directory: The root of the repository: files below it are named from there.
    /// - Returns: The JSON.
    package func sarif(below directory: String) -> String {
        let findings = findings
        let codes = LintFinding.Code.allCases.filter { code in findings.contains { $0.finding.code == code } }
        var text = JSONText()
        text.object { text in
            text.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            text.member("version", "2.1.0")
            text.member("runs", list: [files]) { text, _ in
                text.object { text in
                    text.member("tool") { text in
                        text.member("driver") { text in
                            text.member("name", "pinhole pins check")
                            text.member("rules", list: codes) { write($1, to: &$0) }
                        }
                    }
                    text.member("columnKind", "unicodeCodePoints")
                    text.member("results", list: findings) { text, found in
                        write(
                            found,
                            codes.firstIndex(of: found.finding.code),
                            directory,
                            to: &text
                        )
                    }
                }
            }
        }
        return text.text + "\n"
    }

    private func write(_ code: LintFinding.Code, to text: inout JSONText) {
        let first = findings.first { $0.finding.code == code }?.finding
        text.object { text in
            text.member("id", code.rawValue)
            text.member("shortDescription") { $0.member("text", first?.sentence ?? code.rawValue) }
            text.member("help") { $0.member("text", first?.remedy ?? "See docs/PINS.md#pinhole-pins-check.") }
            text.member("defaultConfiguration") {
                $0.member("level", Self.level(first?.severity ?? .warning))
            }
            text.member("properties") { $0.member("tags", strings: ["security", "tls", "pinning"]) }
        }
    }

    private func write(
        _ found: (file: String, finding: LintFinding, line: Int),
        _ rule: Int?,
        _ directory: String,
        to text: inout JSONText
    ) {
        let finding = found.finding
        text.object { text in
            text.member("ruleId", finding.code.rawValue)
            if let rule { text.member("ruleIndex", rule) }
            text.member("level", Self.level(finding.severity))
            text.member("message") { $0.member("text", "\(finding.sentence) \(finding.remedy)") }
            text.member("locations", list: [finding]) { text, finding in
                text.object { text in
                    SARIFPlace(found.file, line: found.line, below: directory).write(to: &text)
                    text.member("logicalLocations", list: [finding]) { text, finding in
                        text.object { text in
                            text.member(
                                "fullyQualifiedName",
                                finding.path.isEmpty ? "document" : finding.path
                            )
                            text.member("kind", "element")
                        }
                    }
                }
            }
            text.member("partialFingerprints") { text in
                let words = "\(finding.code.rawValue)/\(finding.path)/\(finding.sentence)"
                text.member("primaryLocationLineHash", words)
                text.member("pinholeFinding/v1", words)
            }
        }
    }

    private static func level(_ severity: LintFinding.Severity) -> String {
        switch severity {
        case .error: "error"
        case .warning: "warning"
        case .hint: "note"
        }
    }

    /// JUnit XML: a suite for each file, with a case for each finding.
    ///
    /// A hint is skipped. A file without findings has one case, which passes.
    package var junit: String {
        let counts = Self.counts(files)
        let suites = files.enumerated().map { Self.suite($1, id: $0) }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="pinhole pins check" \(counts)>
            \(suites.joined())</testsuites>

            """
    }

    private static func counts(_ files: [File]) -> String {
        let tests = files.map { max(1, $0.findings.count) }.reduce(0, +)
        let failures = files.map { $0.findings.count { $0.finding.severity != .hint } }.reduce(0, +)
        return "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"0\""
    }

    private static func suite(_ file: File, id: Int) -> String {
        let name = MarkupText.attribute(file.name)
        let hints = file.findings.count { $0.finding.severity == .hint }
        let cases = file.findings.map { finding, line in
            let title =
                finding.path.isEmpty ? finding.code.rawValue : "\(finding.code.rawValue) at \(finding.path)"
            let message = MarkupText.attribute(finding.sentence)
            let content =
                finding.severity == .hint
                ? "<skipped message=\"\(message)\"/>"
                : "<failure message=\"\(message)\" type=\"\(finding.severity.rawValue)\">"
                    + "\(MarkupText.escape("\(finding.sentence)\n\(finding.remedy)\n\(file.name):\(line)"))</failure>"
            return """
                    <testcase name="\(MarkupText.attribute(title))" classname="\(name)" file="\(name)" line="\(line)">
                      \(content)
                    </testcase>

                """
        }
        let passed = "    <testcase name=\"nothing was found\" classname=\"\(name)\" file=\"\(name)\"/>\n"
        return """
              <testsuite name="\(name)" id="\(id)" \(counts([file])) skipped="\(hints)">
            \(cases.isEmpty ? passed : cases.joined())  </testsuite>

            """
    }
}
