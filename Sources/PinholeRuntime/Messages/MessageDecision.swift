package import PinholeModel
import PinholeProxy
import PinholeRules

/// The decision about a message: of a person at a breakpoint, a program, or code that embeds the proxy.
package struct MessageDecision: Sendable, Equatable {
    /// The kinds of decision.
    package enum Way: Sendable, Equatable {
        /// The message is forwarded, with changes if there are any.
        case proceed
        /// The client gets an answer with status, fields and body, in place of the server's.
        case respond
        /// The exchange ends without a response.
        case drop(isReset: Bool)
    }

    /// The kind of decision.
    package let way: Way
    /// The new method; `nil` keeps it.
    package var method: String?
    /// The new path and query; `nil` keeps them.
    package var path: String?
    /// The new status; `nil` keeps it.
    package var status: Int?
    /// The new field lines; `nil` keeps them.
    package var fields: [HeaderLine]?
    /// The new content; `nil` keeps it.
    package var body: [UInt8]?
    /// A note for the record; `nil` if there is none.
    package internal(set) var note: String?

    /// Creates a verdict.
    package init(_ way: Way) { self.way = way }

    /// Computes the change to a message.
    ///
    /// - Parameters:
    ///   - fields: The current field lines, including the ones that Pinhole writes itself.
    ///   - isLowercased: Whether names are written in lower case, as HTTP/2 requires.
    /// - Returns: The change.
    func change(of fields: HeaderFields, isLowercased: Bool) -> MessageChange {
        var change = MessageChange()
        change.method = method
        change.path = path
        change.status = status
        change.body = body
        guard let wanted = self.fields else { return change }
        // Content-Encoding describes the current body. It stays unless the verdict sets another one.
        let keepsCoding = !wanted.contains { $0.name.lowercased() == "content-encoding" }
        func stays(_ index: Int) -> Bool {
            fields.isOwn(at: index) || keepsCoding && fields.isNamed("content-encoding", at: index)
        }
        let others = fields.indices.filter { !stays($0) }.map(fields.shown(at:))
        if wanted.elementsEqual(others, by: { $0.name == $1.name && $0.value == $1.value }) { return change }
        var lines = HeaderFields()
        for index in fields.indices where stays(index) { lines.appendField(of: fields, at: index) }
        for field in wanted {
            // The text that was shown may not represent all bytes of a value, so an unchanged line keeps its bytes.
            let old = fields.indices.first { fields.shown(at: $0) == (field.name, field.value) }
            if let old {
                lines.appendField(of: fields, at: old)
            } else {
                lines.append(isLowercased ? field.name.lowercased() : field.name, field.value)
            }
        }
        change.fields = lines
        return change
    }

    /// The answer in place of the server's.
    func answer(reason: String) -> Answer {
        Answer(status: status ?? 200, fields: fields ?? [], body: body ?? [], reason: reason)
    }
}

extension HeaderLine {
    /// Whether the line is valid and not one of the fields that Pinhole writes itself.
    var canBeSent: Bool { FieldLine(name, value).map { !HeaderFields.isOwn($0.lowercased) } ?? false }
}

extension HeaderFields {
    /// Whether Pinhole writes fields of this name itself: they frame the message or belong to the connection.
    ///
    /// Expect belongs to the client's body, which Pinhole already has or passes on unchanged.
    static func isOwn(_ lowercased: String) -> Bool {
        FieldText.framing.contains(lowercased) || lowercased == "expect"
    }

    /// Whether Pinhole writes the field at `index` itself.
    func isOwn(at index: Int) -> Bool {
        isPseudo(at: index) || Self.isOwn(String(decoding: name(at: index), as: UTF8.self).lowercased())
    }
}
