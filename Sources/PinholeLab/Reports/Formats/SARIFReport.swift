import PinholeModel

/// SARIF 2.1.0, as code scanning reads it: a rule for each scenario, a result for each miss and false alarm.
///
/// What an expectation allows is no result.
struct SARIFReport {
    private let document: LabDocument
    private let directory: String
    private let expectation: Expectation?

    /// Begins with a run.
    ///
    /// - Parameters:
    ///   - document: The run.
    ///   - directory: The root of the repository: files below it are named from there.
    ///   - expectation: What was expected.
    init(_ document: LabDocument, below directory: String = "", expectation: Expectation? = nil) {
        self.document = document
        self.directory = directory
        self.expectation = expectation
    }

    /// The document.
    var text: String {
        var text = JSONText()
        text.object { text in
            text.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            text.member("version", "2.1.0")
            text.member("runs", list: [document]) { text, _ in
                text.object { text in
                    text.member("tool") { text in
                        text.member("driver") { text in
                            text.member("name", "pinhole lab")
                            text.member("rules", list: document.scenarios) { write($1, to: &$0) }
                        }
                    }
                    text.member("columnKind", "unicodeCodePoints")
                    text.member("results", list: results) { write($1, to: &$0) }
                }
            }
        }
        return text.text + "\n"
    }

    private var results: [(cell: LabDocument.Cell, row: LabDocument.Row)] {
        document.judgedRows.flatMap { row in
            document.cells.filter { $0.place.policy == row.id && isFinding($0) }.map { ($0, row) }
        }
    }

    private func isFinding(_ cell: LabDocument.Cell) -> Bool {
        if let expected = expectation?.cells[cell.place], expected == cell.outcome { return false }
        return cell.isFault
    }

    private func write(_ column: LabColumn, to text: inout JSONText) {
        text.object { text in
            text.member("id", column.id)
            text.member("shortDescription") { $0.member("text", column.title) }
            text.member("fullDescription") { text in
                text.member(
                    "text",
                    "Presented: \(column.presents). Needed: \(column.precondition). "
                        + "A correct client: \(column.correctClient)."
                )
            }
            let references = column.references.joined(separator: "; ")
            text.member("help") { text in
                text.member("text", "What helps: \(column.remedy). Known from: \(references).")
            }
            text.member("defaultConfiguration") { text in
                text.member("level", column.kind == .attack ? "error" : "warning")
            }
            text.member("properties") { text in
                text.member("tags", strings: ["security", "tls", "pinning", column.kind.rawValue])
            }
        }
    }

    private func write(
        _ result: (cell: LabDocument.Cell, row: LabDocument.Row),
        to text: inout JSONText
    ) {
        let (cell, row) = result
        text.object { text in
            text.member("ruleId", cell.place.scenario)
            if let index = document.scenarios.firstIndex(where: { $0.id == cell.place.scenario }) {
                text.member("ruleIndex", index)
            }
            text.member("level", level(cell, row))
            text.member("message") { text in
                text.member("text", "\(row.id) (\(row.title)): \(cell.outcome.title). \(cell.reason)")
            }
            text.member("locations", list: [row]) { write(location: $1, to: &$0) }
            text.member("partialFingerprints") { text in
                let cell = "\(row.id)/\(cell.place.scenario)/\(cell.outcome.rawValue)"
                // The one that GitHub looks at; without it, it would take all results in one line for the same.
                text.member("primaryLocationLineHash", cell)
                text.member("pinholeCell/v1", cell)
            }
        }
    }

    private func write(location row: LabDocument.Row, to text: inout JSONText) {
        text.object { text in
            text.member("physicalLocation") { text in
                text.member("artifactLocation") { $0.member("uri", uri(row)) }
                // The whole file is meant, and GitHub wants every number.
                text.member("region") { text in
                    for name in ["startLine", "startColumn", "endLine", "endColumn"] { text.member(name, 1) }
                }
            }
            text.member("logicalLocations", list: [row]) { text, row in
                text.object { text in
                    text.member("name", row.id)
                    text.member("fullyQualifiedName", "policy/\(row.id)")
                    text.member("kind", "object")
                }
            }
        }
    }

    /// An attack that goes through is worse than an alarm, and the user's own policy matters more than rows that
    /// are there for comparison.
    private func level(_ cell: LabDocument.Cell, _ row: LabDocument.Row) -> String {
        switch (row.stance, cell.outcome) {
        case (.own, .missed): "error"
        case (.own, _), (.inUse, .missed): "warning"
        default: "note"
        }
    }

    /// Where a row stands: in its file, or in one of a name that is made up, since GitHub refuses results without.
    private func uri(_ row: LabDocument.Row) -> String {
        guard let file = row.file else { return Self.uri("pinhole/\(row.id)") }
        let root = directory.hasSuffix("/") ? directory : "\(directory)/"
        if file.hasPrefix(root), root != "/" { return Self.uri(String(file.dropFirst(root.count))) }
        if file.hasPrefix("/") { return "file://\(Self.uri(file))" }
        return Self.uri(file.hasPrefix("./") ? String(file.dropFirst(2)) : file)
    }

    /// A path as a URI reference (RFC 3986 §4.2).
    private static func uri(_ path: String) -> String {
        var uri = ""
        for byte in path.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x2f, 0x5f, 0x7e:
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                uri += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return uri
    }
}
