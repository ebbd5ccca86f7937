package import PinholeLab
package import PinholeModel

/// The expected outcomes of cells: recorded from a run, kept beside the code, reviewed like code.
package struct Expectation: Sendable, Hashable {
    /// The number of the notation.
    private static let version = 1

    /// The host of the run; `nil` if an older pinhole recorded it.
    package private(set) var host: String?
    /// The digests of what the user's own rows were made from, by their identifiers: SHA-256 in hexadecimal.
    package private(set) var digests: [String: String] = [:]
    /// The outcomes by policy and scenario.
    package private(set) var cells: [LabDocument.Place: LabOutcome] = [:]

    /// Records the outcomes of a run.
    ///
    /// Inconclusive cells are not recorded.
    ///
    /// - Parameter document: The run.
    package init(recording document: LabDocument) {
        host = document.host
        for row in document.policies where row.stance == .own { digests[row.id] = row.digest }
        for cell in document.cells where cell.outcome != .inconclusive { cells[cell.place] = cell.outcome }
    }

    /// Reads a recorded expectation.
    ///
    /// - Parameter bytes: The JSON.
    /// - Throws: ``DocumentFailure`` with the place at which it is something else.
    package init(parsing bytes: [UInt8]) throws(DocumentFailure) {
        var object = try DocumentObject(try JSONValue(parsing: bytes), path: "")
        _ = try object.require("version", DocumentValue.integer(in: 1...Int64(Self.version)))
        try object.read("host", into: &host, DocumentValue.optional(DocumentValue.word))
        try object.read("sha256", into: &digests) { (value, path) throws(DocumentFailure) in
            var digests: [String: String] = [:]
            for (policy, digest) in try Self.members(value, path) {
                digests[policy] = try DocumentValue.word(digest, "\(path).\(policy)")
            }
            return digests
        }
        cells = try object.require("cells") { (value, path) throws(DocumentFailure) in
            var cells: [LabDocument.Place: LabOutcome] = [:]
            for (policy, row) in try Self.members(value, path) {
                for (scenario, outcome) in try Self.members(row, "\(path).\(policy)") {
                    let place = LabDocument.Place(policy, scenario)
                    cells[place] = try Self.outcome(outcome, "\(path).\(policy).\(scenario)")
                }
            }
            return cells
        }
        try object.finish()
    }

    private static func members(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> [(String, JSONValue)] {
        guard case .object(let members) = value else {
            throw DocumentFailure(path: path, expected: "an object {…}", found: value.summary)
        }
        return members.sorted { $0.key < $1.key }
    }

    private static func outcome(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> LabOutcome {
        let outcome = try DocumentValue.choice(LabOutcome.self)(value, path)
        guard outcome != .inconclusive else {
            throw DocumentFailure(
                path: path,
                expected: "what the cell is to say",
                found: value.summary,
                remedy: "leave the cell out; then nothing is expected of it"
            )
        }
        return outcome
    }

    /// The expectation as JSON, a line for each cell, so that a change of one is a change of one line.
    package var json: String {
        let rows = Dictionary(grouping: cells) { $0.key.policy }.sorted { $0.key < $1.key }
        let texts = rows.map { policy, cells in
            let lines = cells.sorted { $0.key.scenario < $1.key.scenario }.map {
                "      \(Self.quoted($0.key.scenario)): \(Self.quoted($0.value.rawValue))"
            }
            return "    \(Self.quoted(policy)): {\n\(lines.joined(separator: ",\n"))\n    }"
        }
        let content = texts.isEmpty ? "{}" : "{\n\(texts.joined(separator: ",\n"))\n  }"
        var head = "  \"version\": \(Self.version),\n"
        if let host { head += "  \"host\": \(Self.quoted(host)),\n" }
        if !digests.isEmpty {
            let lines = digests.sorted { $0.key < $1.key }.map {
                "    \(Self.quoted($0.key)): \(Self.quoted($0.value))"
            }
            head += "  \"sha256\": {\n\(lines.joined(separator: ",\n"))\n  },\n"
        }
        return "{\n\(head)  \"cells\": \(content)\n}\n"
    }

    private static func quoted(_ text: String) -> String {
        var json = JSONText()
        json.string(text)
        return json.text
    }
}
