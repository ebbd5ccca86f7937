import PinholeModel

/// A log in SARIF 2.1.0, as code scanning reads it.
struct SARIFLog {
    /// A rule, to which results refer.
    struct Rule {
        let id: String
        let title: String
        /// More than the title; `nil` for nothing.
        var description: String?
        let help: String
        let level: String
        let tags: [String]
    }

    /// A result at a place in a file.
    struct Result {
        /// The identifier of the rule.
        let rule: String
        let level: String
        let message: String
        /// The grade of a cell; `nil` for a result that has none.
        var grade: String?
        /// The file, as it was named.
        let file: String
        /// The line; `nil` for line 1, which stands for the whole file.
        let line: Int?
        /// The members of the logical location.
        let element: [(name: String, value: String)]
        /// A text that is the same for the same result in another version of the file.
        let fingerprint: String
    }

    /// The name of the tool.
    let tool: String
    /// The name of the tool's own fingerprints.
    let fingerprints: String
    let rules: [Rule]
    let results: [Result]
    /// The reasons why the run is incomplete; `nil` if that is not told.
    var gaps: [String]?
    /// Writes the properties of the run; `nil` for none.
    var properties: ((inout JSONText) -> Void)?

    /// Returns the text of the JSON document.
    ///
    /// - Parameter directory: The root of the repository: files below it are named from there.
    /// - Returns: The JSON.
    func text(below directory: String) -> String {
        var text = JSONText()
        text.object { text in
            text.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            text.member("version", "2.1.0")
            text.member("runs", objects: [self]) { text, _ in
                text.member("tool") { text in
                    text.member("driver") { text in
                        text.member("name", tool)
                        text.member("rules", objects: rules) { Self.write($1, to: &$0) }
                    }
                }
                if let gaps {
                    text.member("invocations", objects: [gaps]) { Self.write(invocation: $1, to: &$0) }
                }
                text.member("columnKind", "unicodeCodePoints")
                text.member("results", objects: results) { write($1, below: directory, to: &$0) }
                if let properties { text.member("properties", properties) }
            }
        }
        return text.text + "\n"
    }

    private static func write(_ rule: Rule, to text: inout JSONText) {
        text.member("id", rule.id)
        let texts: [(String, String?)] = [
            ("shortDescription", rule.title), ("fullDescription", rule.description), ("help", rule.help),
        ]
        for (name, words) in texts {
            if let words { text.member(name) { $0.member("text", words) } }
        }
        text.member("defaultConfiguration") { $0.member("level", rule.level) }
        text.member("properties") { $0.member("tags", strings: rule.tags) }
    }

    private static func write(invocation gaps: [String], to text: inout JSONText) {
        text.member("executionSuccessful", gaps.isEmpty)
        text.member("toolExecutionNotifications", objects: gaps) { text, gap in
            text.member("level", "error")
            text.member("message") { $0.member("text", gap) }
        }
    }

    private func write(_ result: Result, below directory: String, to text: inout JSONText) {
        text.member("ruleId", result.rule)
        if let index = rules.firstIndex(where: { $0.id == result.rule }) { text.member("ruleIndex", index) }
        text.member("level", result.level)
        text.member("message") { $0.member("text", result.message) }
        if let grade = result.grade { text.member("properties") { $0.member("grade", grade) } }
        text.member("locations", objects: [result]) { text, result in
            text.member("physicalLocation") { text in
                text.member("artifactLocation") {
                    $0.member("uri", Self.uri(of: result.file, below: directory))
                }
                // GitHub requires every number of a region.
                text.member("region") { text in
                    for (name, number) in [
                        ("startLine", result.line ?? 1), ("startColumn", 1), ("endLine", result.line ?? 1),
                        ("endColumn", 1),
                    ] {
                        text.member(name, number)
                    }
                }
            }
            text.member("logicalLocations", objects: [result.element]) { text, members in
                for (name, value) in members { text.member(name, value) }
            }
        }
        text.member("partialFingerprints") { text in
            // GitHub compares the first one. Without it, GitHub would take all results in one line for the same.
            for name in ["primaryLocationLineHash", fingerprints] { text.member(name, result.fingerprint) }
        }
    }

    /// A file as a URI reference (RFC 3986 §4.2).
    private static func uri(of file: String, below directory: String) -> String {
        let root = directory.hasSuffix("/") ? directory : "\(directory)/"
        let encode = { (path: Substring) in
            PercentCoding.encode(path.utf8) { $0 == 0x2f || PercentCoding.isUnreserved($0) }
        }
        if file.hasPrefix(root), root != "/" { return encode(file.dropFirst(root.count)) }
        if file.hasPrefix("/") { return "file://\(encode(file[...]))" }
        return encode(file.hasPrefix("./") ? file.dropFirst(2) : file[...])
    }
}
