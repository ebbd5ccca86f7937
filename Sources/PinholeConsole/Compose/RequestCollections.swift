import PinholeModel

/// The collections of requests, and the sets of values for their variables.
struct RequestCollections: Sendable, Equatable {
    /// A request with its name in a collection.
    struct Entry: Sendable, Equatable {
        var name: String
        var request: WrittenRequest

        private enum CodingKeys: CodingKey {
            case name
        }
    }

    /// Requests under one name, in the order of the user.
    struct Collection: Sendable, Equatable, Codable {
        var name: String
        var entries: [Entry]

        private enum CodingKeys: String, CodingKey {
            case name
            case entries = "requests"
        }
    }

    /// A variable of a set.
    struct Variable: Sendable, Equatable, Codable, DescribedMembers {
        static let described = [
            FieldJSON("isSecret", "Whether exports leave the value out; false if absent.")
        ]

        let name: String
        let value: String
        /// Whether exports leave the value out; `nil` for no.
        let isSecret: Bool?
    }

    /// Values for variables under one name, such as those of a test server.
    struct Environment: Sendable, Equatable, Codable {
        var name: String
        var variables: [Variable]
    }

    /// The numbers that the collections may have: people choose from lists of this length, and the file stays small.
    private static let limits = (collections: 100, entries: 500, environments: 50, variables: 200)

    var collections: [Collection] = []
    var environments: [Environment] = []

    init() {}

    /// Reads the collections from the content of its file.
    ///
    /// - Throws: `DocumentFailure` with the place of the first fault.
    init(_ value: JSONValue) throws(DocumentFailure) {
        var object = try DocumentObject(value, path: "")
        _ = try object.value("version", DocumentValue.integer(in: 1...1))
        collections = try object.value("collections", DocumentValue.list(Self.collection)) ?? []
        environments = try object.value("environments", DocumentValue.list(Self.environment)) ?? []
        try object.finish()
        try Self.refuseRepeated(collections.map(\.name), "collections")
        for (index, collection) in collections.enumerated() {
            try Self.refuseRepeated(collection.entries.map(\.name), "collections[\(index)].requests")
        }
        try Self.refuseRepeated(environments.map(\.name), "environments")
        try check()
    }

    /// Throws if the collections have more than their limits allow.
    func check() throws(DocumentFailure) {
        let limits = Self.limits
        var counts = [
            ("collections", collections.count, limits.collections),
            ("environments", environments.count, limits.environments),
        ]
        counts += collections.map { ("the collection \($0.name)", $0.entries.count, limits.entries) }
        counts += environments.map { ("the variables of \($0.name)", $0.variables.count, limits.variables) }
        for (name, count, limit) in counts where count > limit {
            throw DocumentFailure(path: name, expected: "at most \(limit)", found: "\(count)")
        }
    }

    /// The content of the file.
    var file: JSONValue {
        let collections = collections.map { collection in
            let entries = collection.entries.map { entry in
                JSONValue.object(entry.request.file.merging(["name": .string(entry.name)]) { $1 })
            }
            return JSONValue.object(["name": .string(collection.name), "requests": .array(entries)])
        }
        let environments = environments.map { JSONValue.object(JSONValue.members(of: $0)) }
        return .object([
            "version": .integer(1), "collections": .array(collections), "environments": .array(environments),
        ])
    }

    /// Reads the variables of a set.
    static func variables(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> [Variable] {
        let variables = try DocumentValue.list(variable)(value, path)
        try refuseRepeated(variables.map(\.name), path)
        return variables
    }

    /// Reads the name of a collection, a request or a set.
    static func name(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> String {
        let text = try DocumentValue.word(value, path)
        guard text.count <= 100, !text.unicodeScalars.contains(where: \.isUnseen),
            !text.utf8.contains(where: { $0 < 0x20 })
        else {
            throw DocumentFailure(
                path: path,
                expected: "a name of at most 100 visible characters",
                found: TerminalText.quoted(String(text.prefix(120)))
            )
        }
        return text
    }

    private static func collection(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Collection {
        var object = try DocumentObject(value, path: path)
        let collection = Collection(
            name: try object.value("name", name) ?? "",
            entries: try object.value("requests", DocumentValue.list(entry)) ?? []
        )
        try object.finish()
        return collection
    }

    private static func entry(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Entry {
        var object = try DocumentObject(value, path: path)
        let entry = Entry(name: try object.require("name", name), request: try WrittenRequest(&object))
        try object.finish()
        return entry
    }

    private static func environment(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> Environment {
        var object = try DocumentObject(value, path: path)
        let environment = Environment(
            name: try object.value("name", name) ?? "",
            variables: try object.value("variables", variables) ?? []
        )
        try object.finish()
        return environment
    }

    private static func variable(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Variable {
        var object = try DocumentObject(value, path: path)
        let name = try object.value("name", DocumentValue.string) ?? ""
        guard isVariable(name) else {
            throw DocumentFailure(
                path: "\(path).name",
                expected: "a letter or “_”, then letters, digits, “_”, “-” and “.”, at most 60",
                found: TerminalText.quoted(String(name.prefix(80)))
            )
        }
        let variable = Variable(
            name: name,
            value: try object.value("value", DocumentValue.string) ?? "",
            isSecret: try object.value("isSecret", DocumentValue.boolean).flatMap { $0 ? true : nil }
        )
        try object.finish()
        return variable
    }

    private static func isVariable(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= 60 else { return false }
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) || byte == 0x5f }
        return isLetter(first)
            && name.utf8.allSatisfy {
                isLetter($0) || (0x30...0x39).contains($0) || [0x2d, 0x2e].contains($0)
            }
    }

    private static func refuseRepeated(_ names: [String], _ path: String) throws(DocumentFailure) {
        var seen: Set<String> = []
        guard let name = names.first(where: { !seen.insert($0).inserted }) else { return }
        throw DocumentFailure(
            path: path,
            expected: "different names",
            found: "\(TerminalText.quoted(name)) twice"
        )
    }
}

extension RequestCollections.Entry: Codable {
    init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
        request = try WrittenRequest(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        try request.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
    }
}
