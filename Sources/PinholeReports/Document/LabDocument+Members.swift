import PinholeLab
package import PinholeModel
import PinholeTrust

extension LabDocument: DocumentRecord {
    static let members: [DocumentMember<LabDocument>] = [
        .required("version", \.notation, readVersion),
        .required("host", \.host, DocumentValue.word),
        .required("started", \.started, DocumentValue.word),
        .optional("shards", \.shards),
        .optional("selection", \.selection) { (value, path) throws(DocumentFailure) in
            try DocumentValue.list(DocumentValue.word)(value, path)
        },
        .required("policies", \.policies),
        .required("scenarios", \.scenarios),
        .required("cells", \.cells),
        .required("certificates", \.certificates),
        .optional("hosts", \.hosts),
    ]

    /// The number of the notation, the first member.
    private var notation: Int {
        get { Self.version }
        set {}
    }

    init() { self.init(host: "", started: "") }

    /// Reads a document that a run has written.
    ///
    /// - Parameter bytes: The JSON.
    /// - Throws: ``DocumentFailure`` with the place at which it is no such document.
    package init(parsing bytes: [UInt8]) throws(DocumentFailure) {
        self = try Self.read(try JSONValue(parsing: bytes), "")
        for digest in certificates.keys { certificates[digest]?.sha256 = digest }
        try check()
    }

    /// The document as JSON; docs/CI.md describes the keys.
    package var json: String { jsonLine }

    private static func readVersion(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Int {
        guard value == .integer(Int64(version)) else {
            throw value.failure(
                at: path,
                expected: "\(version)",
                remedy: "read it with the version of pinhole that wrote it"
            )
        }
        return version
    }

    /// Checks that the rows, columns and certificates exist that the cells name.
    private func check() throws(DocumentFailure) {
        let rows = Set(policies.map(\.id))
        let columns = Set(scenarios.map(\.id))
        for (index, host) in hosts.enumerated() {
            guard
                let unknown = [host.policy, host.row].compactMap(\.self).first(where: { !rows.contains($0) })
            else { continue }
            throw DocumentFailure(
                path: "hosts[\(index)]",
                expected: "an id of “policies”",
                found: "“\(unknown)”"
            )
        }
        var places: Set<Place> = []
        for (index, cell) in cells.enumerated() {
            let path = "cells[\(index)]"
            func fail(_ key: String, _ expected: String, _ found: String) throws(DocumentFailure) {
                throw DocumentFailure(path: "\(path).\(key)", expected: expected, found: "“\(found)”")
            }
            if !rows.contains(cell.place.policy) {
                try fail("policy", "an id of “policies”", cell.place.policy)
            }
            if !columns.contains(cell.place.scenario) {
                try fail("scenario", "an id of “scenarios”", cell.place.scenario)
            }
            guard places.insert(cell.place).inserted else {
                throw DocumentFailure(path: path, expected: "each cell once", found: "\(cell.place) again")
            }
            let named = cell.evidence.flatMap { $0.honest + $0.presented + $0.validated }
            if let unknown = named.first(where: { certificates[$0] == nil }) {
                try fail("evidence", "digests of “certificates”", unknown)
            }
        }
    }
}

extension LabDocument.Row: DocumentRecord {
    static let members: [DocumentMember<LabDocument.Row>] = [
        .required("id", \.id, DocumentValue.word),
        .required("title", \.title),
        .required("stance", \.stance),
        .optional("file", \.file),
        .optional("sha256", \.digest) { (value, path) throws(DocumentFailure) in
            try DocumentValue.optional(DocumentValue.word)(value, path)
        },
        .optional("line", \.line) { (value, path) throws(DocumentFailure) in
            Int(try DocumentValue.integer(in: 1...1_000_000_000)(value, path))
        },
        .optional("fault", \.fault),
        .optional("advice", \.advice),
        .optional("notes", \.notes),
    ]

    init() { self.init(id: "", title: "", stance: .own) }
}

extension JudgedHost: DocumentRecord {
    static let members: [DocumentMember<JudgedHost>] = [
        .required("policy", \.policy, DocumentValue.word),
        .required("host", \.title),
        .required("state", \.state),
        .optional("line", \.line) { (value, path) throws(DocumentFailure) in
            Int(try DocumentValue.integer(in: 1...1_000_000_000)(value, path))
        },
        .optional("row", \.row),
        .required("sentence", \.sentence),
        .required("isFault", \.isFault),
    ]

    init() { self.init("", "", .pinned) }
}

extension LabColumn: DocumentRecord {
    static let members: [DocumentMember<LabColumn>] = [
        .required("id", \.id, DocumentValue.word),
        .required("title", \.title),
        .required("kind", \.kind),
        .required("group", \.group),
        .required("expected", \.expected),
        .required("presents", \.presents),
        .required("precondition", \.precondition),
        .required("correctClient", \.correctClient),
        .required("remedy", \.remedy),
        .required("references", \.references),
    ]
}

extension LabDocument.Cell: DocumentRecord {
    static let members: [DocumentMember<LabDocument.Cell>] = [
        .required("policy", \.place.policy, DocumentValue.word),
        .required("scenario", \.place.scenario, DocumentValue.word),
        .required("expected", \.expected),
        .required("outcome", \.outcome),
        .required("reason", \.reason),
        .optional("grade", \.grade),
        .required("evidence", \.evidence),
    ]

    init() { self.init(LabDocument.Place("", ""), expected: .detected, outcome: .inconclusive, reason: "") }
}

extension LabEvidence: DocumentRecord {
    static let members: [DocumentMember<LabEvidence>] = [
        .required("decision", \.decision),
        .required("summary", \.summary),
        .required("honest", \.honest),
        .required("presented", \.presented),
        .required("validated", \.validated),
        .required("checks", \.checks),
        .optional("error", \.error) { (value, path) throws(DocumentFailure) in
            try ClientError.read(value, path)
        },
        .optional("alert", \.alert) { (value, path) throws(DocumentFailure) in try Alert.read(value, path) },
        .optional("handshake", \.handshake) { (value, path) throws(DocumentFailure) in
            try Handshake.read(value, path)
        },
        .required("requests", \.requests),
    ]

    init() { self.init(.undecided, "") }
}

extension LabEvidence.ClientError: DocumentRecord {
    static let members: [DocumentMember<LabEvidence.ClientError>] = [
        .required("domain", \.domain),
        .optional("code", \.code) { (value, path) throws(DocumentFailure) in
            Int(try DocumentValue.integer(in: -1_000_000...1_000_000)(value, path))
        },
        .required("name", \.name),
        .required("detail", \.detail),
    ]

    init() { self.init(domain: "", code: nil, name: "", detail: "") }
}

extension LabEvidence.Handshake: DocumentRecord {
    static let members: [DocumentMember<LabEvidence.Handshake>] = [
        .required("version", \.version),
        .required("cipher", \.cipher),
    ]
}

extension LabCertificate: DocumentRecord {
    static let members: [DocumentMember<LabCertificate>] = [
        .required("subject", \.subject),
        .required("issuer", \.issuer),
        .required("names", \.names),
        .required("notBefore", \.notBefore),
        .required("notAfter", \.notAfter),
        .required("key", \.key),
        .required("pin", \.pin),
        .optional("pem", \.pem),
    ]
}

extension Alert: DocumentRecord {
    static let members: [DocumentMember<Alert>] = [
        .required("name", \.describedName), .required("code", \.code),
    ]

    /// The name, which follows from the code, whatever a document says.
    private var describedName: String {
        get { name }
        set {}
    }

    init() { self.init(code: 0) }
}

extension Check: DocumentRecord {
    static let members: [DocumentMember<Check>] = [
        .required("name", \.name), .required("outcome", \.outcome), .required("detail", \.detail),
    ]

    init() { self.init("", .passed, "") }
}

extension LabShard: DocumentPart {
    func write(to text: inout JSONText) { text.string(description) }

    static func read(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> LabShard {
        let text = try DocumentValue.string(value, path)
        do throws(LabFailure) {
            return try LabShard(text)
        } catch {
            throw DocumentFailure(path: path, problem: error.description)
        }
    }
}

extension JudgedHost.State: DocumentPart {}
extension Check.Outcome: DocumentPart {}
extension LabOutcome: DocumentPart {}
extension LabGrade: DocumentPart {}
extension LabPolicy.Stance: DocumentPart {}
extension Scenario.Kind: DocumentPart {}
extension Observation.Decision: DocumentPart {}
