/// The reason why bytes are no HTTP/1 message, or why a message must not be written.
package struct HTTP1Failure: Error, Equatable, Sendable {
    /// The side that caused a failure.
    package enum Fault: Sendable, Equatable {
        /// The peer sent something that is refused.
        case peer
        /// This side tried to write something that must not be sent.
        case misuse
    }

    /// The rule that was broken; one case per rule.
    package enum Code: String, Sendable, Equatable, CaseIterable {
        /// A CR that no LF follows (RFC 9112 §2.2).
        case bareCarriageReturn
        /// An LF without a CR before it.
        case bareLineFeed
        /// A NUL byte in a head.
        case nul
        /// A line that begins with white space (obsolete line folding, RFC 9112 §5.2).
        case obsFold
        /// White space between a field name and its colon (RFC 9112 §5.1).
        case whitespaceBeforeColon
        /// A field name that is no token, or a line without a colon.
        case badFieldName
        /// A control character in a field value.
        case badFieldValue
        /// A request line that is not `method SP target SP HTTP/1.x`.
        case badRequestLine
        /// A status line that is not `HTTP/1.x SP status SP reason`.
        case badStatusLine
        /// A method that is no token.
        case badMethod
        /// A request target in none of the four forms (RFC 9112 §3.2).
        case badTarget
        /// More than one Host field.
        case twoHosts
        /// A request of HTTP/1.1 without a Host field.
        case missingHost
        /// A Host that is no authority.
        case badHost
        /// Transfer-Encoding and Content-Length in one message (RFC 9112 §6.3).
        case transferEncodingWithContentLength
        /// A Transfer-Encoding that is malformed, or that must not be there.
        case badTransferEncoding
        /// A well-formed Transfer-Encoding other than `chunked`.
        case unsupportedTransferEncoding
        /// Transfer-Encoding in a message of HTTP/1.0.
        case transferEncodingInHTTP10
        /// Content-Lengths that contradict each other.
        case contentLengthsDiffer
        /// A Content-Length that is no plain decimal number, or that must not be there.
        case badContentLength
        /// A request line beyond the limit.
        case targetTooLong
        /// A head beyond the limit.
        case headTooLong
        /// More field lines than the limit.
        case tooManyFields
        /// A chunk-size line beyond the limit.
        case chunkLineTooLong
        /// A chunk whose framing is malformed.
        case badChunk
        /// A trailer section beyond the limit.
        case trailersTooLong
        /// A trailer field that must not be one (RFC 9110 §6.5.1).
        case forbiddenTrailer
        /// A major version other than 1.
        case unsupportedVersion
        /// The peer closed the connection inside a message.
        case truncated
        /// A CONNECT request with a body.
        case connectWithBody
        /// A response without a request.
        case unexpectedResponse
        /// A head, a chunk-size line or a trailer section that took too long to arrive.
        case tooSlow
        /// A head whose fields and framing contradict each other.
        case inconsistentFraming
    }

    /// The direction of the message, which decides the status.
    package enum Kind: Sendable, Equatable {
        /// A request, which the client sent.
        case request
        /// A response, which the server sent.
        case response
    }

    /// The side that caused the failure.
    package let fault: Fault
    /// The rule that was broken.
    package let code: Code
    /// The kind of message that failed.
    package let kind: Kind
    /// A sentence with what was expected, what came, and what to do; safe to print.
    package let detail: String

    /// Creates a failure.
    package init(_ fault: Fault, _ code: Code, in kind: Kind, _ detail: String) {
        self.fault = fault
        self.code = code
        self.kind = kind
        self.detail = detail
    }

    /// The status of the proxy's answer to the client; 502 if the response was at fault.
    package var status: Int {
        guard kind == .request else { return 502 }
        return switch code {
        case .tooSlow: 408
        case .targetTooLong: 414
        case .headTooLong, .tooManyFields, .trailersTooLong: 431
        case .unsupportedTransferEncoding: 501
        case .unsupportedVersion: 505
        case .bareCarriageReturn, .bareLineFeed, .nul, .obsFold, .whitespaceBeforeColon, .badFieldName,
            .badFieldValue, .badRequestLine, .badStatusLine, .badMethod, .badTarget, .twoHosts, .missingHost,
            .badHost, .transferEncodingWithContentLength, .badTransferEncoding,
            .transferEncodingInHTTP10, .contentLengthsDiffer, .badContentLength, .chunkLineTooLong, .badChunk,
            .forbiddenTrailer, .truncated, .connectWithBody, .unexpectedResponse, .inconsistentFraming:
            400
        }
    }

    /// Quotes bytes in a message: at most 60 bytes, with everything except printable ASCII escaped.
    ///
    /// Messages are recorded, so a user name and a password before an `@` are left out.
    package static func excerpt(_ bytes: some Collection<UInt8>) -> String {
        let bytes = withoutUserInfo(Array(bytes))
        var text = "“"
        for byte in bytes.prefix(60) {
            switch byte {
            case 0x0d: text += "\\r"
            case 0x0a: text += "\\n"
            case 0x09: text += "\\t"
            case 0x5c: text += "\\\\"
            case 0x20...0x7e: text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return text + (bytes.count > 60 ? "…”" : "”")
    }

    /// The bytes with three dots in place of the text before the last `@`, back to `://` or the beginning.
    private static func withoutUserInfo(_ bytes: [UInt8]) -> [UInt8] {
        guard let sign = bytes.lastIndex(of: 0x40) else { return bytes }
        let start = bytes[..<sign].indices.first { bytes[$0...].starts(with: [0x3a, 0x2f, 0x2f]) }.map {
            $0 + 3
        }
        return bytes[..<(start ?? 0)] + [0x2e, 0x2e, 0x2e] + bytes[sign...]
    }
}

extension HTTP1Failure: CustomStringConvertible {
    /// The detail.
    package var description: String { detail }
}
