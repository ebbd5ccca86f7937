package import PinholeModel

/// The head of a response as rules see it, whichever version of HTTP carries it.
package struct RuleResponse: Sendable, Equatable {
    /// The status.
    package var status: Int
    /// The field lines; pseudo-fields of HTTP/2 among them, which no rule touches.
    package var fields: HeaderFields
    /// Whether names of fields are written in lower case, as HTTP/2 wants it.
    package var isLowercased: Bool
    /// Whether it opens another protocol: it does so by its status, which no rule can change.
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
    /// - Parameter status: The status.
    /// - Returns: Whether it may; to HEAD none has any.
    package static func mayHaveContent(_ status: Int) -> Bool {
        status >= 200 && status != 204 && status != 304
    }
}
