import PinholeModel
import PinholeWire

/// A response that the proxy gives itself.
package struct Answer: Sendable, Equatable {
    /// The status.
    package var status: Int
    /// Fields beside Content-Length, Date and Connection.
    package var fields: [Field]
    /// The body.
    package var body: [UInt8]
    /// The content that is read while it is sent, in place of `body`; `nil` for an answer with a `body`.
    package var content: AnswerContent?
    /// Whether nothing is said of the length: that of an answer to HEAD is not known where there is no content.
    package var omitsLength = false
    /// Why the proxy answered, for the record.
    package var reason: String

    /// A field of the answer.
    package struct Field: Sendable, Equatable {
        /// Its name.
        package var name: String
        /// Its value.
        package var value: String

        /// Creates a field.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Creates an answer.
    package init(status: Int, fields: [Field] = [], body: [UInt8], reason: String) {
        self.status = status
        self.fields = fields
        self.body = body
        self.reason = reason
    }

    /// The head as it is sent.
    ///
    /// - Parameter closing: Whether the connection is closed afterwards.
    /// - Returns: The status line, the field lines and the empty line.
    package func head(closing: Bool) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(ReasonPhrase.of(status))\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        if statesLength { text += "Content-Length: \(length)\r\n" }
        if closing { text += "Connection: close\r\n" }
        return Array((text + "\r\n").utf8)
    }

    /// The length of the content.
    var length: Int { content?.length ?? body.count }

    /// Whether the length is written: never with 204 (RFC 9110 §8.6), and with 304 it would be that of another response.
    var statesLength: Bool { status != 204 && status != 304 && !omitsLength }
}
