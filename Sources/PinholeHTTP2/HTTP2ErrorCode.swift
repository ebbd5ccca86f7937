/// An error code: the reason why a stream or a connection ended (RFC 9113 §7).
///
/// A code that no RFC defines is kept as the peer sent it.
package struct HTTP2ErrorCode: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    package let rawValue: UInt32

    /// Creates the code with that number.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// No error: a graceful end.
    package static let noError = Self(rawValue: 0x0)
    /// A breach of the protocol for which there is no more specific code.
    package static let protocolError = Self(rawValue: 0x1)
    /// An internal fault of the endpoint that sends the code.
    package static let internalError = Self(rawValue: 0x2)
    /// The peer sent more than its window allowed.
    package static let flowControlError = Self(rawValue: 0x3)
    /// SETTINGS were not acknowledged in time.
    package static let settingsTimeout = Self(rawValue: 0x4)
    /// A frame arrived on a stream that was half-closed or closed.
    package static let streamClosed = Self(rawValue: 0x5)
    /// A frame had the wrong size.
    package static let frameSizeError = Self(rawValue: 0x6)
    /// The stream was not processed at all; the request may be sent again.
    package static let refusedStream = Self(rawValue: 0x7)
    /// The sender of the code no longer wants the stream.
    package static let cancel = Self(rawValue: 0x8)
    /// The compression state (HPACK) of the connection can no longer be maintained.
    package static let compressionError = Self(rawValue: 0x9)
    /// The connection behind a CONNECT was reset.
    package static let connectError = Self(rawValue: 0xa)
    /// The peer causes too much work.
    package static let enhanceYourCalm = Self(rawValue: 0xb)
    /// The TLS connection does not meet the minimum requirements.
    package static let inadequateSecurity = Self(rawValue: 0xc)
    /// The request must be sent over HTTP/1.1.
    package static let http11Required = Self(rawValue: 0xd)

    /// Whether the code says that something is wrong, and not only that the sender wants no more.
    ///
    /// Programs leave a stream with CANCEL, with STREAM_CLOSED (curl), or with a number that no RFC defines: curl 8.14
    /// sends -902, an error number of its library, if nobody reads its output.
    package var isComplaint: Bool {
        switch self {
        case .protocolError, .internalError, .flowControlError, .settingsTimeout, .frameSizeError,
            .compressionError, .enhanceYourCalm, .inadequateSecurity:
            true
        default: false
        }
    }

    private static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
        "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
        "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]
}

extension HTTP2ErrorCode: CustomStringConvertible {
    /// The name and the number, as in `CANCEL (0x8)`; only the number if the code is unknown.
    package var description: String {
        let number = "0x" + String(rawValue, radix: 16)
        guard rawValue < Self.names.count else { return number }
        return "\(Self.names[Int(rawValue)]) (\(number))"
    }
}
