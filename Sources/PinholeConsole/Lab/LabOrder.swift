import PinholeCrypto
import PinholeFiles
import PinholeLab
import PinholeModel
import PinholePolicies
import PinholeSession

/// The order of a lab run, as the API receives it.
struct LabOrder: Sendable {
    /// The policies, which are the rows of the matrix; the user's own policies are first.
    let policies: [LabPolicy]
    /// The scenarios, which are the columns of the matrix.
    let scenarios: [Scenario]
    /// The number of times that each cell is run.
    let repetitions: Int
    /// The host for which the lab makes its certificates.
    let host: String

    /// The maximum count of policy documents in one order.
    private static let mostDocuments = 10
    /// The maximum count of files that the documents of one order may name.
    private static let mostFiles = 50
    private static let mostRepetitions: Int64 = 10

    /// The members of an order.
    static let schema = JSONSchema.object([
        "policies": .list(of: .text), "scenarios": .list(of: .text), "documents": .list(of: upload),
        "files": .list(of: upload), "host": .text,
        "chain": .text.meaning("Certificates in PEM, the leaf first."),
        "repetitions": .integer.range(1...mostRepetitions),
    ])
    private static let upload = JSONSchema.object([
        "name": .text, "text": .text, "base64": .text.format(.base64),
    ])

    /// Reads an order.
    ///
    /// - Parameter members: `policies` and `scenarios` (lists of names; all if the member is absent), `documents` and
    ///   the `files` that they name (lists of `name` and `text` or `base64`), `host`, `chain` (PEM), `repetitions`.
    /// - Throws: ``Problem`` that says what cannot be run.
    init(_ members: [String: JSONValue]) throws(Problem) {
        try members.refuse(besides: Self.schema.names)
        repetitions = try Self.repetitions(members["repetitions"])
        scenarios = try Self.scenarios(members["scenarios"])
        var rows = try Self.documents(members)
        rows += try Self.rows(members["policies"])
        guard !rows.isEmpty, !scenarios.isEmpty else {
            throw Problem(422, "nothing to run", "expected at least one policy and one scenario")
        }
        policies = rows
        let hosts = Set(rows.compactMap(\.host)).sorted()
        guard hosts.count <= 1 else {
            throw Problem(
                422,
                "several hosts",
                "expected policies for one host, found \(hosts.joined(separator: ", "))",
                remedy: "say which host is meant, or run them one after the other"
            )
        }
        let wanted = try Self.text(members["host"], "host")
        host = hosts.first ?? wanted ?? LabWorld.standardHost.description
    }

    private static func repetitions(_ value: JSONValue?) throws(Problem) -> Int {
        switch value {
        case nil: return 1
        case .integer(let count) where (1...mostRepetitions).contains(count): return Int(count)
        case let other?:
            throw Problem.bad("repetitions", expected: "1 to \(mostRepetitions)", found: other)
        }
    }

    private static func scenarios(_ value: JSONValue?) throws(Problem) -> [Scenario] {
        guard let names = try names(value, "scenarios") else { return Scenario.catalogue }
        for name in names where !Scenario.catalogue.contains(where: { $0.id == name }) {
            throw Problem.bad("scenarios", expected: "a name such as A02", found: name)
        }
        return Scenario.catalogue.filter { names.contains($0.id) }
    }

    private static func rows(_ value: JSONValue?) throws(Problem) -> [LabPolicy] {
        guard let names = try names(value, "policies") else { return LabPolicy.builtIn }
        for name in names where !LabPolicy.builtIn.contains(where: { $0.id == name }) {
            throw Problem.bad("policies", expected: "a name such as SL", found: name)
        }
        return LabPolicy.builtIn.filter { names.contains($0.id) }
    }

    private static func names(_ value: JSONValue?, _ member: String) throws(Problem) -> Set<String>? {
        guard let value else { return nil }
        guard case .array(let elements) = value else {
            throw Problem.bad(member, expected: "a list of names", found: value)
        }
        var names: Set<String> = []
        for element in elements {
            guard case .string(let name) = element else {
                throw Problem.bad(member, expected: "names", found: element)
            }
            names.insert(name)
        }
        return names
    }

    static func text(_ value: JSONValue?, _ name: String) throws(Problem) -> String? {
        switch value {
        case nil, .null, .string(""): return nil
        case .string(let text): return text
        case let other?: throw Problem.bad(name, expected: "a text", found: other)
        }
    }
}

// MARK: The user's own policies

extension LabOrder {
    private static func documents(_ members: [String: JSONValue]) throws(Problem) -> [LabPolicy] {
        guard let value = members["documents"] else { return [] }
        guard case .array(let documents) = value, documents.count <= mostDocuments else {
            throw Problem.bad(
                "documents",
                expected: "a list of at most \(mostDocuments)",
                found: value
            )
        }
        let host = try host(members["host"])
        let server = try server(members["chain"])
        let files = try files(members["files"])
        var rows: [LabPolicy] = []
        for document in documents {
            for row in try own(document, files, host, server) {
                guard !rows.contains(where: { $0.id == row.id }),
                    !LabPolicy.builtIn.contains(where: { $0.id == row.id })
                else {
                    throw Problem(
                        422,
                        "two policies of one name",
                        "there is a policy “\(row.id.prefix(80))” already",
                        remedy: "give it another name"
                    )
                }
                rows.append(row)
            }
        }
        return rows
    }

    private static func host(_ value: JSONValue?) throws(Problem) -> Host? {
        guard let text = try text(value, "host") else { return nil }
        do throws(AddressFailure) {
            return try Host(text)
        } catch {
            throw Problem.bad("host", expected: error.expected, found: text)
        }
    }

    private static func server(_ value: JSONValue?) throws(Problem) -> ServerPath? {
        guard let text = try text(value, "chain") else { return nil }
        do {
            let chain = try Certificate.parse(Array(text.utf8)).map(\.facts)
            return try ServerPath(
                chain,
                from: "the chain",
                roots: TrustBundle.systemRoots,
                fault: nil
            )
        } catch {
            throw Problem(
                422,
                "chain cannot be used",
                "\(error)",
                remedy: "paste the certificates of the server as PEM, the leaf first"
            )
        }
    }

    /// The rows of a whole document: each host that it names or exempts is in one of them.
    private static func own(
        _ document: JSONValue,
        _ files: FileAccess,
        _ host: Host?,
        _ server: ServerPath?
    ) throws(Problem) -> [LabPolicy] {
        let (name, bytes) = try upload(document, "documents")
        do {
            // A document from a page names no file of this machine, but those that came with it.
            let name = name ?? "policy"
            let file = try PolicyFile.read(bytes, name: name, files: files, takesUnproven: true)
            return try LabPolicy.rows(file: file, name: name, host: host, server: server)
        } catch {
            throw Problem(
                422,
                "policy cannot be used",
                "\(error)",
                remedy:
                    "a file that the policy names has to come with it; pinhole lab run --policy FILE finds it on the disk"
            )
        }
    }

    /// Reads the files that documents may name.
    private static func files(_ value: JSONValue?) throws(Problem) -> FileAccess {
        guard let value else { return .memory([:]) }
        guard case .array(let uploads) = value, uploads.count <= mostFiles else {
            throw Problem.bad("files", expected: "a list of at most \(mostFiles)", found: value)
        }
        var files: [String: [UInt8]] = [:]
        for value in uploads {
            let (name, bytes) = try upload(value, "files")
            guard let name else { throw Problem.bad("files", expected: "objects with a name", found: value) }
            files[name] = bytes
        }
        return .memory(files)
    }

    /// Reads an object with `name` and `text` or `base64`.
    private static func upload(
        _ value: JSONValue,
        _ member: String
    ) throws(Problem) -> (name: String?, bytes: [UInt8]) {
        guard case .object(let members) = value else {
            throw Problem.bad(member, expected: "objects with name and text", found: value)
        }
        let name = try text(members["name"], "name")
        guard let encoded = try text(members["base64"], "base64") else {
            return (name, Array((try text(members["text"], "text") ?? "").utf8))
        }
        guard let decoded = Base64.decode(encoded.utf8) else {
            throw Problem.bad("base64", expected: "Base64", found: String(encoded.prefix(20)))
        }
        return (name, decoded)
    }
}
