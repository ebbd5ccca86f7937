import PinholeLab
package import PinholeModel
import PinholeTrust

extension LabDocument {
    /// Reads a document that a run has written.
    ///
    /// - Parameter bytes: The JSON.
    /// - Throws: ``DocumentFailure`` with the place at which it is no such document.
    package init(parsing bytes: [UInt8]) throws(DocumentFailure) {
        var object = try DocumentObject(try JSONValue(parsing: bytes), path: "")
        _ = try object.require("version") { (value, path) throws(DocumentFailure) in
            guard value == .integer(Int64(Self.version)) else {
                throw DocumentFailure(
                    path: path,
                    expected: "\(Self.version)",
                    found: value.summary,
                    remedy: "read it with the version of pinhole that wrote it"
                )
            }
        }
        self.init(
            host: try object.require("host", DocumentValue.word),
            started: try object.require("started", DocumentValue.word)
        )
        try object.read("shards", into: &shards, DocumentValue.list(LabShard.read))
        try object.read("selection", into: &selection, DocumentValue.list(DocumentValue.word))
        policies = try object.require("policies", DocumentValue.list(Row.read))
        scenarios = try object.require("scenarios", DocumentValue.list(LabColumn.read))
        cells = try object.require("cells", DocumentValue.list(Cell.read))
        certificates = try object.require("certificates", LabCertificate.readAll)
        try object.finish()
        try check()
    }

    /// Checks that the rows, columns and certificates exist that the cells name.
    private func check() throws(DocumentFailure) {
        let rows = Set(policies.map(\.id))
        let columns = Set(scenarios.map(\.id))
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

extension LabShard {
    fileprivate static func read(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> LabShard {
        let text = try DocumentValue.string(value, path)
        do throws(LabFailure) {
            return try LabShard(text)
        } catch {
            throw DocumentFailure(path: path, problem: error.description)
        }
    }
}

extension LabDocument.Row {
    fileprivate static func read(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> LabDocument.Row {
        var object = try DocumentObject(value, path: path)
        var row = LabDocument.Row(
            id: try object.require("id", DocumentValue.word),
            title: try object.require("title", DocumentValue.string),
            stance: try object.require("stance", DocumentValue.choice(LabPolicy.Stance.self))
        )
        try object.read("file", into: &row.file, DocumentValue.optional(DocumentValue.string))
        try object.read("sha256", into: &row.digest, DocumentValue.optional(DocumentValue.word))
        try object.read("notes", into: &row.notes, DocumentValue.list(DocumentValue.string))
        try object.read("line", into: &row.line) { (value, path) throws(DocumentFailure) in
            Int(try DocumentValue.integer(in: 1...1_000_000_000)(value, path))
        }
        try object.read("fault", into: &row.fault, DocumentValue.optional(DocumentValue.string))
        try object.read("advice", into: &row.advice, DocumentValue.optional(DocumentValue.string))
        try object.finish()
        return row
    }
}

extension LabColumn {
    fileprivate static func read(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> LabColumn {
        var object = try DocumentObject(value, path: path)
        let column = try LabColumn(&object)
        try object.finish()
        return column
    }

    private init(_ object: inout DocumentObject) throws(DocumentFailure) {
        id = try object.require("id", DocumentValue.word)
        title = try object.require("title", DocumentValue.string)
        kind = try object.require("kind", DocumentValue.choice(Scenario.Kind.self))
        group = try object.require("group", DocumentValue.string)
        expected = try object.require("expected", DocumentValue.choice(LabOutcome.self))
        presents = try object.require("presents", DocumentValue.string)
        precondition = try object.require("precondition", DocumentValue.string)
        correctClient = try object.require("correctClient", DocumentValue.string)
        remedy = try object.require("remedy", DocumentValue.string)
        references = try object.require("references", DocumentValue.list(DocumentValue.string))
    }
}

extension LabDocument.Cell {
    fileprivate static func read(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> LabDocument.Cell {
        var object = try DocumentObject(value, path: path)
        var cell = LabDocument.Cell(
            LabDocument.Place(
                try object.require("policy", DocumentValue.word),
                try object.require("scenario", DocumentValue.word)
            ),
            expected: try object.require("expected", DocumentValue.choice(LabOutcome.self)),
            outcome: try object.require("outcome", DocumentValue.choice(LabOutcome.self)),
            reason: try object.require("reason", DocumentValue.string),
            evidence: try object.require("evidence", DocumentValue.list(LabEvidence.read))
        )
        try object.read("grade", into: &cell.grade, DocumentValue.choice(LabGrade.self))
        try object.finish()
        return cell
    }
}

extension LabEvidence {
    fileprivate static func read(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> LabEvidence {
        var object = try DocumentObject(value, path: path)
        var evidence = LabEvidence(
            try object.require("decision", DocumentValue.choice(Observation.Decision.self)),
            try object.require("summary", DocumentValue.string)
        )
        let strings = DocumentValue.list(DocumentValue.string)
        evidence.honest = try object.require("honest", strings)
        evidence.presented = try object.require("presented", strings)
        evidence.validated = try object.require("validated", strings)
        evidence.checks = try object.require("checks", DocumentValue.list(Check.read))
        try object.read("error", into: &evidence.error, ClientError.read)
        try object.read("alert", into: &evidence.alert, Alert.read)
        var handshake: (version: String?, cipher: String?) = (nil, nil)
        try object.read("handshake", into: &handshake) { (value, path) throws(DocumentFailure) in
            var object = try DocumentObject(value, path: path)
            let text = DocumentValue.optional(DocumentValue.string)
            let handshake = (try object.require("version", text), try object.require("cipher", text))
            try object.finish()
            return handshake
        }
        evidence.tlsVersion = handshake.version
        evidence.cipher = handshake.cipher
        evidence.requests = try object.require("requests", strings)
        try object.finish()
        return evidence
    }
}

extension LabEvidence.ClientError {
    fileprivate static func read(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> LabEvidence.ClientError? {
        var object = try DocumentObject(value, path: path)
        var code: Int?
        try object.read("code", into: &code) { (value, path) throws(DocumentFailure) in
            Int(try DocumentValue.integer(in: -1_000_000...1_000_000)(value, path))
        }
        let error = LabEvidence.ClientError(
            domain: try object.require("domain", DocumentValue.string),
            code: code,
            name: try object.require("name", DocumentValue.string),
            detail: try object.require("detail", DocumentValue.string)
        )
        try object.finish()
        return error
    }
}

extension Alert {
    fileprivate static func read(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Alert? {
        var object = try DocumentObject(value, path: path)
        _ = try object.require("name", DocumentValue.string)
        let code = try object.require("code", DocumentValue.integer(in: 0...255))
        try object.finish()
        return Alert(code: UInt8(code))
    }
}

extension Check {
    fileprivate static func read(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Check {
        var object = try DocumentObject(value, path: path)
        let check = Check(
            try object.require("name", DocumentValue.string),
            try object.require("outcome", DocumentValue.choice(Check.Outcome.self)),
            try object.require("detail", DocumentValue.string)
        )
        try object.finish()
        return check
    }
}

extension LabCertificate {
    fileprivate static func readAll(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> [String: LabCertificate] {
        guard case .object(let members) = value else {
            throw DocumentFailure(path: path, expected: "an object {…}", found: value.summary)
        }
        var certificates: [String: LabCertificate] = [:]
        for (digest, member) in members.sorted(by: { $0.key < $1.key }) {
            var object = try DocumentObject(member, path: "\(path).\(digest)")
            certificates[digest] = try LabCertificate(digest, &object)
            try object.finish()
        }
        return certificates
    }

    private init(_ digest: String, _ object: inout DocumentObject) throws(DocumentFailure) {
        sha256 = digest
        subject = try object.require("subject", DocumentValue.string)
        issuer = try object.require("issuer", DocumentValue.string)
        names = try object.require("names", DocumentValue.list(DocumentValue.string))
        notBefore = try object.require("notBefore", DocumentValue.string)
        notAfter = try object.require("notAfter", DocumentValue.string)
        key = try object.require("key", DocumentValue.string)
        pin = try object.require("pin", DocumentValue.string)
        var pem: String?
        try object.read("pem", into: &pem, DocumentValue.optional(DocumentValue.string))
        self.pem = pem
    }
}
