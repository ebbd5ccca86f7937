import PinholeModel
import PinholeStore

/// A recorded request without the header fields that its next client writes itself.
struct CopiedRequest {
    /// A header field; a value may have any bytes but line breaks and NUL.
    struct Field {
        let name: String
        let value: [UInt8]

        /// The value as text; `nil` if it is not UTF-8.
        var text: String? { String(validating: value, as: UTF8.self) }

        /// Whether the value has only characters of ASCII.
        var isASCII: Bool { value.allSatisfy { $0 < 0x80 } }

        func isNamed(_ name: String) -> Bool { self.name.lowercased() == name }
    }

    /// The way in which a program gets the body.
    enum Body {
        case none
        /// Text without NUL.
        case text(String)
        case bytes([UInt8])
    }

    let method: String
    let url: String
    private(set) var fields: [Field] = []
    let body: Body
    /// The parts of the request that the program does not send as they were recorded.
    private(set) var remarks: [String] = []

    /// Fields that the next client computes by itself, or that belong to the recorded connection.
    private static let own: Set<String> = [
        "connection", "content-length", "expect", "keep-alive", "proxy-connection", "te", "transfer-encoding",
    ]

    /// Creates the request of an exchange whose recorded request body is `body`.
    init(_ record: ExchangeRecord, body: [UInt8]) {
        method = record.method
        let target = record.pathBytes
        url =
            target.first == 0x2f
            ? record.scheme.url(
                of: PercentCoding.encode(target, isPlain: PercentCoding.isOfURL),
                at: record.authority
            ) : record.url
        if body.isEmpty {
            self.body = .none
        } else if let text = String(validating: body, as: UTF8.self), !body.contains(0) {
            self.body = .text(text)
        } else {
            self.body = .bytes(body)
        }
        let host = record.authority.text(defaultPort: record.scheme.defaultPort).lowercased()
        let all = record.request.fields
        for index in all.indices where !all.isPseudo(at: index) {
            let field = Field(
                name: String(decoding: all.name(at: index), as: UTF8.self),
                value: Array(all.value(at: index))
            )
            // An invalid field could become another part of a program.
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(ByteSet.token.contains),
                !field.value.contains(where: { [0, 0x0a, 0x0d].contains($0) })
            else {
                remark("a malformed header is left out")
                continue
            }
            let name = field.name.lowercased()
            if Self.own.contains(name) || (name == "host" && field.text?.lowercased() == host) { continue }
            if IntegrityFields.contain(name), !body.isEmpty {
                remark(IntegrityFields.remark(field.name))
                continue
            }
            fields.append(field)
        }
        if record.request.body.isTruncated || !record.request.body.isComplete {
            remark("the recorded body is not whole")
        }
        if !record.request.trailers.isEmpty { remark("the trailers are left out") }
    }

    mutating func remark(_ text: String) {
        if !remarks.contains(text) { remarks.append(text) }
    }

    /// Removes a field, and says why.
    mutating func remove(_ name: String, because reason: String) {
        guard fields.contains(where: { $0.isNamed(name) }) else { return }
        fields.removeAll { $0.isNamed(name) }
        remark(reason)
    }

    /// Removes fields that a client cannot send, and says so.
    mutating func keepFields(for tool: String, _ what: String, where isSent: (Field) -> Bool) {
        for field in fields where !isSent(field) {
            remark("\(tool) cannot send \(what), so the header \(field.name) is left out")
        }
        fields.removeAll { !isSent($0) }
    }

    /// Joins fields of one name, for clients that hold one value for each name (RFC 9110 §5.3, RFC 6265 §5.4).
    mutating func joinFields(for tool: String) {
        var joined: [Field] = []
        for field in fields {
            guard let index = joined.firstIndex(where: { $0.isNamed(field.name.lowercased()) }) else {
                joined.append(field)
                continue
            }
            let mark = field.isNamed("cookie") ? "; " : ", "
            joined[index] = Field(
                name: joined[index].name,
                value: joined[index].value + Array(mark.utf8) + field.value
            )
            remark("\(tool) makes one header of those that are named \(field.name)")
        }
        fields = joined
    }

    func comments(_ mark: String) -> String { remarks.map { "\(mark) \($0)\n" }.joined() }
}
