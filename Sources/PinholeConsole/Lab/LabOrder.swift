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
    struct Members: Codable, DescribedMembers {
        static let described = [
            FieldJSON("policies", "The names of built-in policies; all of them if absent."),
            FieldJSON("scenarios", "The names of scenarios; all of them if absent."),
            FieldJSON("files", "The files that the documents name."),
            FieldJSON("chain", "Certificates in PEM, the leaf first."),
            FieldJSON("repetitions", "1 to \(mostRepetitions)."),
        ]

        let policies: [String]?
        let scenarios: [String]?
        let documents: [Upload]?
        let files: [Upload]?
        let host: String?
        let chain: String?
        let repetitions: Int64?
    }

    /// A file that comes with an order, as text or in Base64.
    struct Upload: Codable, DescribedMembers {
        static let described = [FieldJSON("base64", format: .base64)]

        let name: String?
        let text: String?
        let base64: String?

        /// The name of the file; `nil` for none.
        fileprivate var wantedName: String? { name.flatMap { $0.isEmpty ? nil : $0 } }

        /// Returns the content.
        fileprivate func bytes() throws(Problem) -> [UInt8] {
            guard let base64, !base64.isEmpty else { return Array((text ?? "").utf8) }
            guard let decoded = Base64.decode(base64.utf8) else {
                throw Problem.bad("base64", expected: "Base64", found: String(base64.prefix(20)))
            }
            return decoded
        }
    }

    /// Reads an order.
    ///
    /// - Throws: ``Problem`` that says what cannot be run.
    init(_ members: Members) throws(Problem) {
        let count = members.repetitions ?? 1
        guard (1...Self.mostRepetitions).contains(count) else {
            throw Problem.bad("repetitions", expected: "1 to \(Self.mostRepetitions)", found: "\(count)")
        }
        repetitions = Int(count)
        scenarios = try Self.chosen(members.scenarios, of: Scenario.catalogue, \.id, "scenarios", "A02")
        var rows = try Self.documents(members)
        rows += try Self.chosen(members.policies, of: LabPolicy.builtIn, \.id, "policies", "SL")
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
        host = hosts.first ?? members.wantedHost ?? LabWorld.standardHost.description
    }

    /// Returns the elements that the order names; all of them if it names none.
    private static func chosen<Element>(
        _ names: [String]?,
        of all: [Element],
        _ id: (Element) -> String,
        _ member: String,
        _ example: String
    ) throws(Problem) -> [Element] {
        guard let names else { return all }
        for name in names where !all.contains(where: { id($0) == name }) {
            throw Problem.bad(member, expected: "a name such as \(example)", found: name)
        }
        return all.filter { names.contains(id($0)) }
    }
}

extension LabOrder.Members {
    /// The host that the order names; `nil` if it names none.
    fileprivate var wantedHost: String? { host.flatMap { $0.isEmpty ? nil : $0 } }
}

// MARK: The user's own policies

extension LabOrder {
    private static func documents(_ members: Members) throws(Problem) -> [LabPolicy] {
        guard let documents = members.documents else { return [] }
        guard documents.count <= mostDocuments else {
            let expected = "a list of at most \(mostDocuments)"
            throw Problem.bad("documents", expected: expected, found: "\(documents.count)")
        }
        let host = try host(members.wantedHost)
        let server = try server(members.chain)
        let files = try files(members.files ?? [])
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

    private static func host(_ text: String?) throws(Problem) -> Host? {
        guard let text else { return nil }
        do throws(AddressFailure) {
            return try Host(text)
        } catch {
            throw Problem.bad("host", expected: error.expected, found: text)
        }
    }

    private static func server(_ text: String?) throws(Problem) -> ServerPath? {
        guard let text, !text.isEmpty else { return nil }
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
        _ document: Upload,
        _ files: FileAccess,
        _ host: Host?,
        _ server: ServerPath?
    ) throws(Problem) -> [LabPolicy] {
        let bytes = try document.bytes()
        do {
            // A document from a page names no file of this machine, but those that came with it.
            let name = document.wantedName ?? "policy"
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
    private static func files(_ uploads: [Upload]) throws(Problem) -> FileAccess {
        guard uploads.count <= mostFiles else {
            throw Problem.bad("files", expected: "a list of at most \(mostFiles)", found: "\(uploads.count)")
        }
        var files: [String: [UInt8]] = [:]
        for upload in uploads {
            guard let name = upload.wantedName else {
                throw Problem.bad("files", expected: "objects with a name", instead: "one without a name")
            }
            files[name] = try upload.bytes()
        }
        return .memory(files)
    }
}
