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
    /// The standing of the hosts of the user's own rows, by row and host.
    package private(set) var hosts: [String: [String: JudgedHost.State]] = [:]
    /// The places of questions that count as answered though the file does not decide them: `Pins.swift:12`.
    package private(set) var accepted: [String] = []
    /// The outcomes by policy and scenario.
    package private(set) var cells: [LabDocument.Place: LabOutcome] = [:]

    /// Records the outcomes of a run.
    ///
    /// Inconclusive cells are not recorded.
    ///
    /// - Parameters:
    ///   - document: The run.
    ///   - accepted: The places of questions that count as answered.
    package init(recording document: LabDocument, accepting accepted: [String] = []) {
        host = document.host
        self.accepted = accepted
        for host in document.hosts where !host.isQuestion {
            hosts[host.policy, default: [:]][host.title] = host.state
        }
        for row in document.policies where row.stance == .own { digests[row.id] = row.digest }
        for cell in document.cells where cell.outcome != .inconclusive { cells[cell.place] = cell.outcome }
    }

    /// Reads a recorded expectation.
    ///
    /// - Parameter bytes: The JSON.
    /// - Throws: ``DocumentFailure`` with the place at which it is something else.
    package init(parsing bytes: [UInt8]) throws(DocumentFailure) {
        self = try Self.read(try JSONValue(parsing: bytes), "")
        let silent = cells.filter { $0.value == .inconclusive }.keys
        guard let place = silent.min(by: { ($0.policy, $0.scenario) < ($1.policy, $1.scenario) }) else {
            return
        }
        throw DocumentFailure(
            path: "cells.\(place.policy).\(place.scenario)",
            expected: "what the cell is to say",
            found: JSONValue.string(LabOutcome.inconclusive.rawValue).summary,
            remedy: "leave the cell out; then nothing is expected of it"
        )
    }

    /// The expectation as JSON, a line for each cell, so that a change of one is a change of one line.
    package var json: String {
        let texts = rows.sorted { $0.key < $1.key }.map { policy, row in
            "    \(Self.quoted(policy)): {\n\(Self.lines(row.mapValues(\.rawValue), "      "))\n    }"
        }
        let content = texts.isEmpty ? "{}" : "{\n\(texts.joined(separator: ",\n"))\n  }"
        var head = "  \"version\": \(Self.version),\n"
        if let host { head += "  \"host\": \(Self.quoted(host)),\n" }
        if !digests.isEmpty {
            head += "  \"sha256\": {\n\(Self.lines(digests, "    "))\n  },\n"
        }
        if !hosts.isEmpty {
            let files = hosts.sorted { $0.key < $1.key }.map { file, states in
                "    \(Self.quoted(file)): {\n\(Self.lines(states.mapValues(\.rawValue), "      "))\n    }"
            }
            head += "  \"hosts\": {\n\(files.joined(separator: ",\n"))\n  },\n"
        }
        if !accepted.isEmpty {
            head += "  \"unproven\": [\(accepted.map(Self.quoted).joined(separator: ", "))],\n"
        }
        return "{\n\(head)  \"cells\": \(content)\n}\n"
    }

    private static func lines(_ members: [String: String], _ indent: String) -> String {
        members.sorted { $0.key < $1.key }.map { "\(indent)\(quoted($0)): \(quoted($1))" }
            .joined(separator: ",\n")
    }

    private static func quoted(_ text: String) -> String {
        var json = JSONText()
        json.string(text)
        return json.text
    }
}

extension Expectation: DocumentRecord {
    static let members: [DocumentMember<Expectation>] = [
        .required("version", \.notation) { (value, path) throws(DocumentFailure) in
            Int(try DocumentValue.integer(in: 1...Int64(version))(value, path))
        },
        .optional("host", \.host) { (value, path) throws(DocumentFailure) in
            try DocumentValue.optional(DocumentValue.word)(value, path)
        },
        .optional("sha256", \.digests) { (value, path) throws(DocumentFailure) in
            try Dictionary.read(value, path, DocumentValue.word)
        },
        .optional("hosts", \.hosts),
        .optional("unproven", \.accepted),
        .required("cells", \.rows),
    ]

    /// The number of the notation, the first member.
    private var notation: Int {
        get { Self.version }
        set {}
    }

    /// The outcomes by policy, then by scenario.
    private var rows: [String: [String: LabOutcome]] {
        get {
            Dictionary(grouping: cells) { $0.key.policy }.mapValues { cells in
                Dictionary(cells.map { ($0.key.scenario, $0.value) }) { first, _ in first }
            }
        }
        set {
            for (policy, row) in newValue {
                for (scenario, outcome) in row { cells[LabDocument.Place(policy, scenario)] = outcome }
            }
        }
    }

    init() {}
}
