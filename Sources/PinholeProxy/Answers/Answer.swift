package import PinholeModel
import PinholeWire

/// A response that the proxy itself gives.
package struct Answer: Sendable, Equatable {
    /// The status code.
    package var status: Int
    /// The fields, without Content-Length, Date and Connection.
    package var fields: [HeaderLine]
    /// The body of an answer without `content`.
    package var body: [UInt8]
    /// The content that is read while it is sent, instead of `body`; `nil` if the answer has a `body`.
    package var content: AnswerContent?
    /// Whether the answer has no Content-Length although its status allows one.
    ///
    /// The length of the content that an answer to HEAD is about may be unknown.
    package var omitsLength = false
    /// The reason for the answer, for the record.
    package var reason: String

    /// Creates an answer.
    package init(status: Int, fields: [HeaderLine] = [], body: [UInt8], reason: String) {
        self.status = status
        self.fields = fields
        self.body = body
        self.reason = reason
    }

    /// Returns the head in the form in which HTTP/1.1 sends it.
    ///
    /// - Parameter closing: Whether the connection is closed after the answer.
    /// - Returns: The status line, the field lines and the empty line.
    package func head(closing: Bool) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(ReasonPhrase.of(status))\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        if statesLength { text += "Content-Length: \(length)\r\n" }
        if closing { text += "Connection: close\r\n" }
        return Array((text + "\r\n").utf8)
    }

    /// The length of the content in bytes.
    var length: Int { content?.length ?? body.count }

    /// Whether the head has a Content-Length.
    ///
    /// A 204 must not have one (RFC 9110 §8.6), and in a 304 it would be the length of another response.
    var statesLength: Bool { status != 204 && status != 304 && !omitsLength }
}
