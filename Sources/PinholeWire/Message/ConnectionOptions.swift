import PinholeModel

/// The options that a Connection field lists (RFC 9110 §7.6.1).
struct ConnectionOptions {
    /// Whether the sender closes the connection after the message.
    private(set) var closes = false
    /// Whether the sender keeps the connection open.
    private(set) var keepsAlive = false
    /// The other options but Upgrade and TE, in lower case: names of fields that are only for this connection.
    private(set) var others: [String] = []

    /// Reads all Connection fields of a message.
    init(of fields: HeaderFields) {
        for index in fields.indices where fields.role(at: index) == .connection { read(fields, at: index) }
    }

    /// Reads the Connection field at `index`.
    init(_ fields: HeaderFields, at index: Int) { read(fields, at: index) }

    private mutating func read(_ fields: HeaderFields, at index: Int) {
        let value = fields.valueRange(at: index)
        // Nearly every field has one of these options alone. A list costs an array for each other option.
        if CaseFolding.isSpelled("keep-alive", fields.storage, value) {
            keepsAlive = true
        } else if CaseFolding.isSpelled("close", fields.storage, value) {
            closes = true
        } else {
            for member in fields.members(at: index) { add(member) }
        }
    }

    private mutating func add(_ member: ArraySlice<UInt8>) {
        if Grammar.matches(member, "close") {
            closes = true
        } else if Grammar.matches(member, "keep-alive") {
            keepsAlive = true
        } else if !Grammar.matches(member, "upgrade"), !Grammar.matches(member, "te") {
            others.append(String(decoding: member, as: UTF8.self).lowercased())
        }
    }
}
