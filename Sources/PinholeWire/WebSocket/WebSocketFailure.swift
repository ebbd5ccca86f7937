/// Why bytes are no frame of a WebSocket, or why a frame must not be written.
package struct WebSocketFailure: Error, Equatable, Sendable {
    /// What is wrong; one case per rule.
    package enum Code: String, Sendable, Equatable, CaseIterable {
        /// RSV1, RSV2 or RSV3 without an extension that gives it a meaning.
        case reservedBits
        /// An opcode that no specification has given a meaning.
        case reservedOpcode
        /// A control frame that is not the last of its message.
        case fragmentedControl
        /// A control frame with more than 125 bytes.
        case longControl
        /// A frame from the client without a mask.
        case unmasked
        /// A frame from the server with a mask.
        case masked
        /// A continuation where no message has begun.
        case unexpectedContinuation
        /// A new message before the last one has ended.
        case unfinishedMessage
        /// A 64-bit length with the highest bit set.
        case badLength
        /// A length in more bytes than it needs.
        case longLength
        /// A close with a single byte, which cannot be a code.
        case badClosePayload
        /// A close code that must not be sent.
        case badCloseCode
        /// A close reason that is no UTF-8.
        case badCloseReason
        /// A frame after the close.
        case frameAfterClose
        /// Fragments that are longer together than a length can say.
        case messageTooLong
    }

    /// What is wrong.
    package let code: Code
    /// What was expected and what came, in a sentence, with the section of the RFC; safe to print.
    package let detail: String

    /// Creates a failure.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The code with which an endpoint closes for it (RFC 6455 §7.4.1).
    package var closeCode: UInt16 {
        switch code {
        case .badCloseReason: 1007
        case .messageTooLong: 1009
        case .reservedBits, .reservedOpcode, .fragmentedControl, .longControl, .unmasked, .masked,
            .unexpectedContinuation, .unfinishedMessage, .badLength, .longLength, .badClosePayload,
            .badCloseCode, .frameAfterClose:
            1002
        }
    }
}
