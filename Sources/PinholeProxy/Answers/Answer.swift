import PinholeModel

/// A response that the proxy gives itself.
package struct Answer: Sendable, Equatable {
    /// The status.
    package var status: Int
    /// Fields beside Content-Length, Date and Connection.
    package var fields: [Field]
    /// The body.
    package var body: [UInt8]
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
        var text = "HTTP/1.1 \(status) \(Self.reasonPhrase(status))\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        text += "Content-Length: \(body.count)\r\n"
        if closing { text += "Connection: close\r\n" }
        return Array((text + "\r\n").utf8)
    }

    private static func reasonPhrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 407: "Proxy Authentication Required"
        case 408: "Request Timeout"
        case 414: "URI Too Long"
        case 431: "Request Header Fields Too Large"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case 508: "Loop Detected"
        default: "Error"
        }
    }
}
