import PinholeModel

/// A request as a user wrote it: its variables have no values yet.
///
/// The file and the API share one form. Only the file has the body as a list of lines, so that a diff shows the line
/// that changed.
struct WrittenRequest: Sendable, Equatable {
    /// A field line, which the user may have switched off.
    struct Field: Sendable, Equatable {
        let name: String
        let value: String
        let isOn: Bool
    }

    /// The way to the server.
    enum Way: String, CaseIterable, Sendable {
        case proxy
        case direct
    }

    /// The meaning of the body's text.
    enum Encoding: String, CaseIterable, Sendable {
        case text
        /// A text whose lines end with CR and LF, as those of multipart bodies do.
        case crlf
        case base64
    }

    /// The limits of one request, so that a library stays a text that people can read.
    private static let limits = (fields: 500, url: 64 << 10)
    private static let members = [
        "method", "url", "fields", "body", "encoding", "bodyOf", "through", "http2", "addsFields",
        "fillsVariables",
    ]

    private let method: String
    private let url: String
    private let fields: [Field]
    private let body: String
    private let encoding: Encoding
    /// The exchange whose captured body is sent instead of ``body``; `nil` for none.
    private let bodyOf: Int64?
    private let through: Way
    private let http2: Bool
    /// Whether User-Agent and Accept are added if they are missing.
    private let addsFields: Bool
    /// Whether `{{name}}` stands for a variable; a captured request may have such a text as it is.
    private let fillsVariables: Bool

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - value: The request as JSON; absent members have their defaults.
    ///   - path: The place of the value in its document, for the message.
    ///   - others: Members that are read elsewhere.
    /// - Throws: `DocumentFailure` with the place of the first fault.
    init(_ value: JSONValue, _ path: String, besides others: [String] = []) throws(DocumentFailure) {
        let reader = try MemberReader(value, path, Self.members + others)
        method = try reader.read("method", DocumentValue.string) ?? "GET"
        url = try reader.read("url", DocumentValue.string) ?? ""
        guard url.utf8.count <= Self.limits.url else {
            throw reader.tooMany("url", "\(Self.limits.url) bytes", url.utf8.count)
        }
        fields = try reader.read("fields", DocumentValue.list(Self.field)) ?? []
        guard fields.count <= Self.limits.fields else {
            throw reader.tooMany("fields", "\(Self.limits.fields) fields", fields.count)
        }
        body = try reader.read("body", Self.lines) ?? ""
        encoding = try reader.read("encoding", DocumentValue.choice(Encoding.self)) ?? .text
        bodyOf = try reader.read("bodyOf", DocumentValue.integer(in: 1...Int64.max))
        through = try reader.read("through", DocumentValue.choice(Way.self)) ?? .proxy
        http2 = try reader.read("http2", DocumentValue.boolean) ?? false
        addsFields = try reader.read("addsFields", DocumentValue.boolean) ?? true
        fillsVariables = try reader.read("fillsVariables", DocumentValue.boolean) ?? true
    }

    /// Returns the members as JSON.
    ///
    /// - Parameter isFile: Whether the body is a list of lines, and members with their defaults are left out.
    /// - Returns: The members; a caller may add more, such as the name.
    func members(isFile: Bool) -> [String: JSONValue] {
        var members: [String: JSONValue] = ["method": .string(method), "url": .string(url)]
        if !fields.isEmpty || !isFile { members["fields"] = .array(fields.map(\.json)) }
        if isFile {
            let lines = body.split(separator: "\n" as Character, omittingEmptySubsequences: false)
            // “\r\n” is one character of Swift and no end of a line here: the text must come back as it was.
            if !body.isEmpty { members["body"] = .array(lines.map { .string(String($0)) }) }
        } else {
            members["body"] = .string(body)
        }
        if encoding != .text || !isFile { members["encoding"] = .string(encoding.rawValue) }
        if let bodyOf { members["bodyOf"] = .integer(bodyOf) }
        if through != .proxy || !isFile { members["through"] = .string(through.rawValue) }
        if http2 || !isFile { members["http2"] = .boolean(http2) }
        if !addsFields || !isFile { members["addsFields"] = .boolean(addsFields) }
        if !fillsVariables || !isFile { members["fillsVariables"] = .boolean(fillsVariables) }
        return members
    }

    private static func field(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Field {
        let reader = try MemberReader(value, path, ["name", "value", "isOn"])
        return Field(
            name: try reader.read("name", DocumentValue.string) ?? "",
            value: try reader.read("value", DocumentValue.string) ?? "",
            isOn: try reader.read("isOn", DocumentValue.boolean) ?? true
        )
    }

    /// Reads a text, or the list of its lines.
    private static func lines(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> String {
        guard case .array = value else { return try DocumentValue.string(value, path) }
        return try DocumentValue.list(DocumentValue.string)(value, path).joined(separator: "\n")
    }
}

extension WrittenRequest.Field {
    /// The field as JSON.
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = ["name": .string(name), "value": .string(value)]
        if !isOn { members["isOn"] = .boolean(false) }
        return .object(members)
    }
}
