package import PinholeModel

/// The head of a response as rules see it, independent of the version of HTTP.
package struct RuleResponse: Sendable, Equatable {
    /// The status code (RFC 9110 §15).
    package var status: Int
    /// The field lines.
    ///
    /// They include the pseudo-fields of HTTP/2, which no rule changes.
    package var fields: HeaderFields
    /// Whether field names are written in lower case, as HTTP/2 requires.
    package var isLowercased: Bool
    /// Whether the response switches to another protocol.
    ///
    /// Its status means the switch, so no rule can change it.
    package var isSwitch: Bool

    /// Creates a response.
    package init(status: Int, fields: HeaderFields, isLowercased: Bool = false, isSwitch: Bool = false) {
        self.status = status
        self.fields = fields
        self.isLowercased = isLowercased
        self.isSwitch = isSwitch
    }

    /// Whether a response of this status may have content (RFC 9110 §6.4.1).
    ///
    /// - Returns: Whether content is permitted. A response to HEAD never has any.
    package static func mayHaveContent(_ status: Int) -> Bool {
        status >= 200 && status != 204 && status != 304
    }
}
