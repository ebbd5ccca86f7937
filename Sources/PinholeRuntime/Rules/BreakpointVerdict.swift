import PinholeModel
import PinholeProxy
import PinholeRules

/// What somebody decided about a message that is held at a breakpoint.
package struct BreakpointVerdict: Sendable, Equatable {
    /// What becomes of it.
    package enum Way: Sendable, Equatable {
        /// It goes on.
        case proceed
        /// The client gets the message that is made of status, fields and body, in the server's place.
        case respond
        /// The exchange ends without an answer.
        case drop(isReset: Bool)
    }

    /// What becomes of it.
    package let way: Way
    /// The method; `nil` leaves it.
    package var method: String?
    /// The path and query; `nil` leaves them.
    package var path: String?
    /// The status; `nil` leaves it.
    package var status: Int?
    /// The field lines; `nil` leaves them.
    package var fields: [Field]?
    /// The content; `nil` leaves it.
    package var body: [UInt8]?

    /// A field line.
    package struct Field: Sendable, Equatable {
        /// Its name.
        package let name: String
        /// Its value.
        package let value: String

        /// Creates a line, which ``MessageJudge`` has yet to judge.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        /// Whether it is a line, and none that Pinhole writes itself.
        var canBeSent: Bool { FieldLine(name, value).map { !HeaderFields.isOwn($0.lowercased) } ?? false }
    }

    /// Creates a verdict.
    package init(_ way: Way) { self.way = way }

    /// What the message becomes.
    ///
    /// - Parameters:
    ///   - fields: Its field lines as they are, those among them that Pinhole writes itself.
    ///   - isLowercased: Whether names are written in lower case, as HTTP/2 wants it.
    /// - Returns: The change.
    func change(of fields: HeaderFields, isLowercased: Bool) -> MessageChange {
        var change = MessageChange()
        change.method = method
        change.path = path
        change.status = status
        change.body = body
        guard let wanted = self.fields else { return change }
        // How the body is coded is said of the body that stays; where another one takes its place, that goes.
        let keepsCoding = !wanted.contains { $0.name.lowercased() == "content-encoding" }
        func stays(_ index: Int) -> Bool {
            fields.isOwn(at: index) || keepsCoding && fields.isNamed("content-encoding", at: index)
        }
        let others = fields.indices.filter { !stays($0) }.map(fields.shown(at:))
        if wanted.elementsEqual(others, by: { $0.name == $1.name && $0.value == $1.value }) { return change }
        var lines = HeaderFields()
        for index in fields.indices where stays(index) { lines.appendField(of: fields, at: index) }
        for field in wanted {
            // What was shown need not be all bytes of it.
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

    /// The answer that takes the server's place.
    func answer(reason: String) -> Answer {
        let lines = (fields ?? []).map { Answer.Field($0.name, $0.value) }
        return Answer(status: status ?? 200, fields: lines, body: body ?? [], reason: reason)
    }
}

extension HeaderFields {
    /// Whether Pinhole writes fields of this name itself: they frame the message, or belong to the connection.
    ///
    /// What a client expects belongs to its body, which is there, or passes as it comes.
    static func isOwn(_ lowercased: String) -> Bool {
        FieldText.framing.contains(lowercased) || lowercased == "expect"
    }

    /// Whether Pinhole writes the field at `index` itself.
    func isOwn(at index: Int) -> Bool {
        isPseudo(at: index) || Self.isOwn(String(decoding: name(at: index), as: UTF8.self).lowercased())
    }
}
