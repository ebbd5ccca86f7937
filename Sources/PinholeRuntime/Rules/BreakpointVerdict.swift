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

        /// Creates a line; `nil` where it would be none, or is one that Pinhole writes itself.
        ///
        /// - Parameters:
        ///   - name: A token.
        ///   - value: A text without control characters.
        package init?(_ name: String, _ value: String) {
            // The content is there: nobody has to be asked for it.
            guard let line = FieldLine(name, value), !FieldText.framing.contains(line.lowercased),
                line.lowercased != "expect"
            else { return nil }
            self.name = line.name
            self.value = line.value
        }
    }

    /// Creates a verdict.
    package init(_ way: Way) { self.way = way }

    /// Whether a text can be the path of a request.
    ///
    /// - Parameter path: The path and query.
    /// - Returns: Whether it can.
    package static func isPath(_ path: String) -> Bool { path.hasPrefix("/") && FieldText.isPath(path.utf8) }

    /// Whether a text can be the method of a request.
    ///
    /// - Parameter method: The method.
    /// - Returns: Whether it can; the answers to CONNECT and HEAD have another shape.
    package static func isMethod(_ method: String) -> Bool {
        FieldText.isToken(method) && method != "CONNECT" && method != "HEAD"
    }

    /// Whether a response with a status may have content (RFC 9110 §15.3.5, §15.3.6 and §15.4.5).
    ///
    /// - Parameter status: The status.
    /// - Returns: Whether it may.
    package static func hasContent(_ status: Int) -> Bool {
        RuleResponse.mayHaveContent(status) && status != 205
    }

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
        guard let wanted = self.fields,
            !wanted.elementsEqual(fields.shown, by: { $0.name == $1.name && $0.value == $1.value })
        else { return change }
        var lines = HeaderFields()
        for index in fields.indices where fields.isOwn(at: index) { lines.appendField(of: fields, at: index) }
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
        let status = status ?? 200
        let content = Self.hasContent(status) ? body ?? [] : []
        return Answer(status: status, fields: lines, body: content, reason: reason)
    }
}

extension HeaderFields {
    /// Whether Pinhole writes the field at `index` itself: it frames the message, or belongs to the connection.
    func isOwn(at index: Int) -> Bool {
        isPseudo(at: index)
            || FieldText.framing.contains(String(decoding: name(at: index), as: UTF8.self).lowercased())
    }
}
