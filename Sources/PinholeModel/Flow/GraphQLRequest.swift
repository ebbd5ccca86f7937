/// The operations of a GraphQL request, as bodies, URLs and messages of WebSockets carry them.
///
/// Source: GraphQL, October 2021, §2.3; “GraphQL over HTTP”; the protocol `graphql-transport-ws`.
package struct GraphQLRequest: Equatable {
    /// An operation of a document.
    package struct Operation: Equatable, Sendable {
        /// `query`, `mutation` or `subscription`; `nil` if the request has no document.
        package var type: String?
        /// The name; `nil` for an operation without one.
        package var name: String?

        /// Creates an operation.
        package init(type: String? = nil, name: String? = nil) {
            self.type = type
            self.name = name
        }
    }

    /// The number of bytes of the longest text that is read; the variables of a request may contain whole files.
    private static let longest = 8 << 20
    /// The names of the members, and the escape by which JSON may write their letters.
    private static let members = [#""query""#, #""operationName""#, #"\u00"#]
        .compactMap { SequenceSearch(Array($0.utf8)) }
    /// The kinds of media that hold no operations.
    private static let media = [
        "audio/", "font/", "image/", "video/", "application/gzip", "application/pdf", "application/zip",
    ]
    /// The types of operations.
    package static let types = ["query", "mutation", "subscription"]

    /// The operations: the one that the request chooses, or all of its document.
    package private(set) var operations: [Operation] = []
    /// Whether all bodies could be read; otherwise there may be more operations.
    package private(set) var isComplete = true

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - path: The path and query.
    ///   - bodies: The decoded body, or the messages of the client; one that is no GraphQL has no operations.
    package init(path: String, bodies: [[UInt8]] = []) {
        read(path: path)
        for body in bodies { read(body: body) }
    }

    /// Whether the body of a request may contain operations, as far as its head tells.
    ///
    /// - Parameter fields: The field lines of the request.
    /// - Returns: Whether its media type is not one of pictures, sounds, fonts and archives. A server may read a body of
    ///   another type than the one that the request names.
    package static func isPossible(in fields: HeaderFields) -> Bool {
        guard let type = fields.first("content-type")?.lowercased() else { return true }
        return !media.contains { type.hasPrefix($0) }
    }

    /// The operations in one line: types and names; `nil` if there is none.
    package var summary: String? {
        let parts = operations.map { [$0.type, $0.name].compactMap(\.self).joined(separator: " ") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private mutating func read(body: [UInt8]) {
        guard body.count <= Self.longest else {
            isComplete = false
            return
        }
        // A byte order mark may precede JSON (RFC 8259 §8.1).
        let body = body.starts(with: [0xef, 0xbb, 0xbf]) ? Array(body.dropFirst(3)) : body
        if Self.isJSON(body) {
            read(json: body)
        } else if body.starts(with: [0x2d, 0x2d]), let operations = Self.part("operations", ofForm: body) {
            read(json: operations)
        } else if let form = Self.form(body[...]) {
            add(.object(form))
        } else if let text = String(validating: body, as: UTF8.self), Self.isDocument(text) {
            operations += Self.operations(of: text)
        }
    }

    private mutating func read(json: [UInt8]) {
        // Most bodies of JSON are no GraphQL, and a search for the members costs less than to read them.
        guard Self.members.contains(where: { $0.isFound(in: json) }) else { return }
        guard let value = try? JSONValue(parsing: json) else {
            isComplete = false
            return
        }
        add(value)
    }

    /// Returns the content of a part of `multipart/form-data` (RFC 7578), in which files are sent beside operations.
    private static func part(_ name: String, ofForm body: [UInt8]) -> [UInt8]? {
        guard let line = body.firstRange(of: [0x0d, 0x0a]),
            let mark = body.firstRange(of: Array("name=\"\(name)\"".utf8)),
            let start = body[mark.upperBound...].firstRange(of: [0x0d, 0x0a, 0x0d, 0x0a]),
            let end = body[start.upperBound...].firstRange(of: [0x0d, 0x0a] + body[..<line.lowerBound])
        else { return nil }
        return Array(body[start.upperBound..<end.lowerBound])
    }

    /// Returns the members of a form or of a query that GraphQL defines; `nil` if they hold no document.
    private static func form(_ text: ArraySlice<UInt8>) -> [String: JSONValue]? {
        var members: [String: JSONValue] = [:]
        var rest = text
        while !rest.isEmpty {
            let pair = rest.prefix { $0 != 0x26 }
            rest = rest[pair.endIndex...].dropFirst()
            // The two names begin so, or with a percent sign; most pairs need no decoding.
            guard let first = pair.first, [0x71, 0x6f, 0x25].contains(first),
                let equals = pair.prefix(51).firstIndex(of: 0x3d)
            else { continue }
            let decoded = PercentCoding.decode(pair[..<equals], plusIsSpace: true)
            let name = String(decoding: decoded, as: UTF8.self)
            guard name == "query" || name == "operationName" else { continue }
            let value = PercentCoding.decode(pair[(equals + 1)...], plusIsSpace: true)
            members[name] = .string(String(decoding: value, as: UTF8.self))
        }
        // Many forms have a query that is no document.
        guard case .string(let document)? = members["query"], isDocument(document) else { return nil }
        return members
    }

    /// Whether a body begins as JSON does: with a list, or with an object whose first member has a name in quotes.
    private static func isJSON(_ body: [UInt8]) -> Bool {
        var marks = body.lazy.filter { $0 > 0x20 }.makeIterator()
        let first = marks.next()
        return first == 0x5b || first == 0x7b && marks.next() == 0x22
    }

    private mutating func read(path: String) {
        guard Self.mayHaveDocument(path: path.utf8.span) else { return }
        let bytes = Array(path.utf8)
        guard let mark = bytes.firstIndex(of: 0x3f), let members = Self.form(bytes[(mark + 1)...]) else {
            return
        }
        add(.object(members))
    }

    /// Whether a pair of the query may be named `query`; no other request has operations in its path.
    private static func mayHaveDocument(path: Span<UInt8>) -> Bool {
        var place = 0
        while place < path.count, path[place] != 0x3f { place += 1 }
        // The place is that of a question mark or an ampersand.
        while place + 1 < path.count {
            place += 1
            if path[place] == 0x71 || path[place] == 0x25 { return true }
            while place < path.count, path[place] != 0x26 { place += 1 }
        }
        return false
    }

    private mutating func add(_ value: JSONValue) {
        switch value {
        case .array(let requests): for request in requests { add(request) }
        case .object(let members):
            // A message of a WebSocket has the request as its payload.
            if case .object(let payload)? = members["payload"] { add(.object(payload)) }
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
        case .word(let word):
            guard types.contains(word) || word == "fragment" else { return false }
            // A name, variables, a directive or the selection follows; a form may begin with the same word.
            switch scanner.peek() {
            case .word, .open, .other(0x28), .other(0x40): return true
            case .other, nil: return false
            }
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
                if scanner.skipToSelection() { operations.append(operation) }
            case .word: _ = scanner.skipToSelection()
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
    ///
    /// - Returns: Whether there is a selection.
    mutating func skipToSelection() -> Bool {
        var depth = 0
        while let token = next() {
            switch token {
            case .other(0x28), .other(0x5b): depth += 1
            case .other(0x29), .other(0x5d): depth -= 1
            case .open where depth <= 0:
                skipSelection()
                return true
            case .open, .word, .other: break
            }
        }
        return false
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

extension ExchangeRecord {
    /// The operations of GraphQL in the request, in one line, as far as the record itself has the body.
    ///
    /// It is `nil` if there is none, if the body is compressed, or if parts of it stand beside the record.
    package var operations: String? {
        let isWhole = Int64(request.body.inline.count) == request.body.length
        guard isWhole, !request.body.inline.isEmpty else { return GraphQLRequest(path: path).summary }
        return GraphQLRequest(path: path, bodies: [request.body.inline]).summary
    }
}
