import PinholeModel
import PinholeSession

/// A request as a user wrote it: its variables have no values yet.
///
/// The file and the API share one form. Only the file has the body as a list of lines, so that a diff shows the line
/// that changed.
struct WrittenRequest: Sendable, Equatable, Codable, DescribedMembers {
    static let described = [
        FieldJSON("body", "The body as a text. A list of lines is read, too."),
        FieldJSON("bodyOf", "The captured exchange whose request's body is sent instead."),
        FieldJSON("fillsVariables", "Whether `{{name}}` stands for a variable."),
    ]
    static let isPartial = true

    /// A field line, which the user may have switched off.
    struct Field: Sendable, Equatable, Codable, DescribedMembers {
        static let described = [FieldJSON("isOn", "Whether the field is sent; true if absent.")]

        let name: String
        let value: String
        let isOn: Bool?
    }

    /// The meaning of the body's text.
    enum Encoding: String, CaseIterable, Sendable, Codable {
        case text
        /// A text whose lines end with CR and LF, as those of multipart bodies do.
        case crlf
        case base64
    }

    /// The limits of one request, so that a library stays a text that people can read.
    private static let limits = (fields: 500, url: 64 << 10)
    private let method: String
    private let url: String
    private let fields: [Field]
    private let body: String
    private let encoding: Encoding
    /// The exchange whose captured body is sent instead of ``body``; `nil` for none.
    private let bodyOf: Int64?
    private let through: RequestOrder.Way
    private let http2: Bool
    /// Whether User-Agent and Accept are added if they are missing.
    private let addsFields: Bool
    /// Whether `{{name}}` stands for a variable; a captured request may have such a text as it is.
    private let fillsVariables: Bool

    /// Reads a request from an object that may have other members.
    ///
    /// - Parameter object: The request as JSON; absent members have their defaults.
    /// - Throws: `DocumentFailure` with the place of the first fault.
    init(_ object: inout DocumentObject) throws(DocumentFailure) {
        method = try object.value("method", DocumentValue.string) ?? "GET"
        url = try object.value("url", Self.url) ?? ""
        fields = try object.value("fields", Self.fields) ?? []
        body = try object.value("body", Self.lines) ?? ""
        encoding = try object.value("encoding", DocumentValue.choice(Encoding.self)) ?? .text
        bodyOf = try object.value("bodyOf", DocumentValue.integer(in: 1...Int64.max))
        through = try object.value("through", DocumentValue.choice(RequestOrder.Way.self)) ?? .proxy
        http2 = try object.value("http2", DocumentValue.boolean) ?? false
        addsFields = try object.value("addsFields", DocumentValue.boolean) ?? true
        fillsVariables = try object.value("fillsVariables", DocumentValue.boolean) ?? true
    }

    /// Reads a request that is a value of its own.
    init(_ value: JSONValue, _ path: String) throws(DocumentFailure) {
        var object = try DocumentObject(value, path: path)
        try self.init(&object)
        try object.finish()
    }

    /// The members for the file: the body is a list of lines, and members with their defaults are left out.
    var file: [String: JSONValue] {
        let usual = (try? WrittenRequest(.object([:]), "")).map { JSONValue.members(of: $0) } ?? [:]
        var members = JSONValue.members(of: self)
            .filter { ["method", "url"].contains($0.key) || $0.value != usual[$0.key] }
        if members["body"] != nil {
            // “\r\n” is one character of Swift and no end of a line here: the text must come back as it was.
            let lines = body.split(separator: "\n" as Character, omittingEmptySubsequences: false)
            members["body"] = .texts(lines.map(String.init))
        }
        return members
    }

    private static func url(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> String {
        let url = try DocumentValue.string(value, path)
        guard url.utf8.count <= limits.url else {
            throw DocumentFailure(
                path: path,
                expected: "at most \(limits.url) bytes",
                found: "\(url.utf8.count)"
            )
        }
        return url
    }

    private static func fields(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> [Field] {
        let fields = try DocumentValue.list(field)(value, path)
        guard fields.count <= limits.fields else {
            throw DocumentFailure(
                path: path,
                expected: "at most \(limits.fields) headers",
                found: "\(fields.count)"
            )
        }
        return fields
    }

    private static func field(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Field {
        var object = try DocumentObject(value, path: path)
        let field = Field(
            name: try object.value("name", DocumentValue.string) ?? "",
            value: try object.value("value", DocumentValue.string) ?? "",
            isOn: try object.value("isOn", DocumentValue.boolean).flatMap { $0 ? nil : false }
        )
        try object.finish()
        return field
    }

    /// Reads a text, or the list of its lines.
    private static func lines(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> String {
        guard case .array = value else { return try DocumentValue.string(value, path) }
        return try DocumentValue.list(DocumentValue.string)(value, path).joined(separator: "\n")
    }
}

extension JSONValue {
    /// Returns the members of an object that encodes itself.
    static func members(of value: some Encodable) -> [String: JSONValue] {
        guard let text = try? JSONText.encoding(value),
            case .object(let members)? = try? JSONValue(parsing: Array(text.utf8))
        else { return [:] }
        return members
    }
}
