/// The reason why bytes are no WebSocket frame, or why a frame must not be written.
package struct WebSocketFailure: Error, Equatable, Sendable {
    /// The rule that was broken; one case per rule.
    package enum Code: String, Sendable, Equatable, CaseIterable {
        /// RSV1, RSV2 or RSV3 is set without an extension that uses it.
        case reservedBits
        /// The opcode has no meaning in any specification.
        case reservedOpcode
        /// A control frame is not the last of its message.
        case fragmentedControl
        /// A control frame has more than 125 bytes.
        case longControl
        /// A frame of the client has no mask.
        case unmasked
        /// A frame of the server has a mask.
        case masked
        /// A continuation comes without a message to continue.
        case unexpectedContinuation
        /// A new message begins before the last one has ended.
        case unfinishedMessage
        /// A 64-bit length has the highest bit set.
        case badLength
        /// A length uses more bytes than it needs.
        case longLength
        /// A close has a single byte, which cannot be a code.
        case badClosePayload
        /// A close code must not be sent.
        case badCloseCode
        /// A close reason is not UTF-8.
        case badCloseReason
        /// A frame comes after the close.
        case frameAfterClose
        /// The fragments of a message exceed the largest length.
        case messageTooLong
    }

    /// The rule that was broken.
    package let code: Code
    /// A sentence with what was expected, what came, and the section of the RFC; safe to print.
    package let detail: String

    /// Creates a failure.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}
