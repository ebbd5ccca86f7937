import PinholeModel

/// The operations of a GraphQL request, as bodies, URLs and messages of WebSockets carry them.
///
/// Source: GraphQL, October 2021, §2.3; “GraphQL over HTTP”; the protocol `graphql-transport-ws`.
struct GraphQLRequest: Equatable {
    /// An operation of a document.
    struct Operation: Equatable {
        /// `query`, `mutation` or `subscription`; `nil` if the request has no document.
        var type: String?
        /// The name; `nil` for an operation without one.
        var name: String?
    }

    /// The longest text that is read; nobody writes a longer one.
    private static let longest = 1 << 20
    private static let types: Set = ["query", "mutation", "subscription"]

    /// The operations: the one that the request chooses, or all of its document.
    private(set) var operations: [Operation] = []

    /// Reads a body or a message; a text that is no GraphQL has no operations.
    init(body: [UInt8]) {
        guard body.count <= Self.longest, let first = body.first(where: { $0 > 0x20 }) else { return }
        if first == 0x7b || first == 0x5b, let value = try? JSONValue(parsing: body) {
            add(value)
        } else if let text = String(validating: body, as: UTF8.self), Self.isDocument(text) {
            operations = Self.operations(of: text)
        }
    }

    /// Reads the target of a request.
    init(path: String) {
        guard let mark = path.utf8.firstIndex(of: 0x3f) else { return }
        var members: [String: JSONValue] = [:]
        for pair in path[path.utf8.index(after: mark)...].split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0] == "query" || parts[0] == "operationName" else { continue }
            let value = PercentCoding.decode(parts[1].utf8, plusIsSpace: true)
            members[String(parts[0])] = .string(String(decoding: value, as: UTF8.self))
        }
        // Many URLs have a query that is no document.
        guard case .string(let text)? = members["query"], Self.isDocument(text) else { return }
        add(.object(members))
    }

    private mutating func add(_ value: JSONValue) {
        switch value {
        case .array(let requests): for request in requests { add(request) }
        case .object(let members):
            // A message of a WebSocket has the request as its payload.
            if case .object(let payload)? = members["payload"] { return add(.object(payload)) }
            var name: String?
            if case .string(let text)? = members["operationName"], !text.isEmpty { name = text }
            guard case .string(let document)? = members["query"], Self.isDocument(document) else {
                if let name, members["extensions"] != nil { operations.append(Operation(name: name)) }
                return
            }
            let all = Self.operations(of: document)
            let chosen = name.map { name in all.filter { $0.name == name } } ?? all
            operations += chosen.isEmpty ? all : chosen
        default: return
        }
    }

    /// Whether a text begins as a document does.
    private static func isDocument(_ text: String) -> Bool {
        var scanner = Scanner(text)
        switch scanner.next() {
        case .open:
            // Behind the brace of JSON stands a text.
            if case .word? = scanner.peek() { return true }
            return scanner.peek() == .other(0x2e)
        case .word(let word): return types.contains(word) || word == "fragment"
        case .other, nil: return false
        }
    }

    private static func operations(of document: String) -> [Operation] {
        var scanner = Scanner(document)
        var operations: [Operation] = []
        while let token = scanner.next() {
            switch token {
            case .open:
                operations.append(Operation(type: "query"))
                scanner.skipSelection()
            case .word(let type) where types.contains(type):
                var operation = Operation(type: type)
                if case .word(let name)? = scanner.peek() { operation.name = name }
                operations.append(operation)
                scanner.skipToSelection()
            case .word: scanner.skipToSelection()
            case .other: break
            }
        }
        return operations
    }
}

/// The tokens of a document, as far as its operations need them.
private struct Scanner {
    enum Token: Equatable {
        case word(String)
        /// An opening brace.
        case open
        case other(UInt8)
    }

    private let text: [UInt8]
    private var place = 0

    init(_ text: String) { self.text = Array(text.utf8) }

    func peek() -> Token? {
        var copy = self
        return copy.next()
    }

    mutating func next() -> Token? {
        skipIgnored()
        guard place < text.count else { return nil }
        let byte = text[place]
        guard Self.isOfName(byte) else {
            if byte == 0x22 { skipString() } else { place += 1 }
            return byte == 0x7b ? .open : .other(byte)
        }
        let start = place
        while place < text.count, Self.isOfName(text[place]) { place += 1 }
        return .word(String(decoding: text[start..<place], as: UTF8.self))
    }

    /// Skips to the brace that begins the selection, over variables and directives, and over the selection.
    mutating func skipToSelection() {
        var depth = 0
        while let token = next() {
            switch token {
            case .other(0x28), .other(0x5b): depth += 1
            case .other(0x29), .other(0x5d): depth -= 1
            case .open where depth <= 0: return skipSelection()
            case .open, .word, .other: break
            }
        }
    }

    /// Skips the rest of a selection, whose brace was read.
    mutating func skipSelection() {
        var depth = 1
        while depth > 0, let token = next() {
            if token == .open { depth += 1 }
            if token == .other(0x7d) { depth -= 1 }
        }
    }

    private mutating func skipIgnored() {
        while place < text.count {
            switch text[place] {
            case 0x00...0x20, 0x2c, 0xef, 0xbb, 0xbf: place += 1
            case 0x23: place = text[place...].firstIndex(of: 0x0a) ?? text.count
            default: return
            }
        }
    }

    private mutating func skipString() {
        let isBlock = text[place...].starts(with: [0x22, 0x22, 0x22])
        place += isBlock ? 3 : 1
        while place < text.count {
            if text[place] == 0x5c {
                place += 2
            } else if isBlock ? text[place...].starts(with: [0x22, 0x22, 0x22]) : text[place] == 0x22 {
                place += isBlock ? 3 : 1
                return
            } else {
                place += 1
            }
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == 0x5f
    }
}

extension TextField.GraphQLFact {
    /// Returns the facts about a request.
    ///
    /// - Parameters:
    ///   - path: The target of the request.
    ///   - body: The decoded body of the request, and the messages of the client.
    /// - Returns: The types or the names of its operations.
    package func texts(_ path: String, _ body: TextFacts) -> TextFacts {
        let requests = [GraphQLRequest(path: path)] + body.values.map(GraphQLRequest.init(body:))
        let values = requests.flatMap(\.operations).compactMap { self == .type ? $0.type : $0.name }
        var facts = TextFacts(values.map { Array($0.utf8) })
        facts.isComplete = body.isComplete
        return facts
    }
}
