import PinholeModel

/// JUnit XML, as Jenkins and GitLab read it.
struct JUnitLog {
    /// A case that is not simply passed.
    struct Fault {
        /// The element: `skipped`, `failure` or `error`.
        let element: String
        /// The message above the content.
        let message: String
        /// The kind of fault; `nil` for a case that was skipped.
        var type: String?
        /// The content, which some readers show alone.
        var content: [String] = []
    }

    /// A case of a suite.
    struct Case {
        /// The name of the case.
        let name: String
        /// The class, by which readers group cases.
        let group: String
        /// The file, as GitLab and GitHub's actions read it; `nil` for none.
        var file: String?
        /// The line in the file; `nil` for none.
        var line: Int?
        /// The fault; `nil` for a case that passed.
        var fault: Fault?
    }

    /// A suite of cases.
    struct Suite {
        /// The name of the suite.
        let name: String
        /// The cases, at least one of them.
        let cases: [Case]
        /// Attributes behind the counts.
        var attributes: [(String, String)] = []

        fileprivate func count(_ element: String) -> Int { cases.count { $0.fault?.element == element } }
    }

    /// The name of all suites together.
    let name: String
    let suites: [Suite]

    /// The text of the XML document.
    var text: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites\(Self.attributes([("name", name)]))\(counts(suites))>
        \(suites.enumerated().map { text(of: $1, id: $0) }.joined())</testsuites>

        """
    }

    private func counts(_ suites: [Suite]) -> String {
        Self.attributes(
            [("tests", suites.reduce(0) { $0 + $1.cases.count })]
                + [("failures", "failure"), ("errors", "error")].map { name, element in
                    (name, suites.reduce(0) { $0 + $1.count(element) })
                }
        )
    }

    private func text(of suite: Suite, id: Int) -> String {
        """
          <testsuite\(Self.attributes([("name", suite.name)])) id="\(id)"\(counts([suite])) \
        skipped="\(suite.count("skipped"))"\(Self.attributes(suite.attributes))>
        \(suite.cases.map(Self.text).joined())  </testsuite>

        """
    }

    private static func text(of entry: Case) -> String {
        var pairs = [("name", entry.name), ("classname", entry.group)]
        if let file = entry.file { pairs.append(("file", file)) }
        if let line = entry.line { pairs.append(("line", "\(line)")) }
        let head = "    <testcase\(attributes(pairs))"
        guard let fault = entry.fault else { return "\(head)/>\n" }
        let content = MarkupText.escape(fault.content.joined(separator: "\n"))
        let kind = fault.type.map { attributes([("type", $0)]) } ?? ""
        let end = fault.content.isEmpty ? "/>" : ">\(content)</\(fault.element)>"
        return """
            \(head)>
                  <\(fault.element)\(attributes([("message", fault.message)]))\(kind)\(end)
                </testcase>

            """
    }

    private static func attributes(_ pairs: [(String, some CustomStringConvertible)]) -> String {
        pairs.map { " \($0)=\"\(MarkupText.attribute($1.description))\"" }.joined()
    }
}
