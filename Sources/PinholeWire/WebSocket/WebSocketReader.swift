package import PinholeModel

/// Reads the frames of one side of a WebSocket (RFC 6455 §5): where they begin and end, and whether they are valid.
///
/// The reader consumes nothing. It reports how many of the first bytes are header or payload, and the caller
/// drops them before the next call. The elements depend only on the bytes and not on how they were cut into
/// pieces, except that neighbouring `payload` elements may be split differently.
///
/// ```
///   header ──► payload ──► end        a header is read when all of it is there, a control frame when
///     ▲  └────────────────► │         its payload is there, too: both are short
///     └─────────────────────┘
/// ```
///
/// A failure is final: every later call throws it again.
package struct WebSocketReader: Sendable {
    private enum Phase: Sendable {
        case header
        case payload(Int64)
        case failed(WebSocketFailure)
    }

    /// The largest payload of a control frame (RFC 6455 §5.5).
    package static let controlLimit = 125

    private let sender: Side
    private let agreement: WebSocketAgreement
    private var phase = Phase.header
    /// The bytes so far of the current message; `nil` between two messages.
    private var message: Int64?
    private var wasClosed = false

    /// Creates a reader at the start of the first frame of `sender`.
    package init(from sender: Side, agreement: WebSocketAgreement) {
        self.sender = sender
        self.agreement = agreement
    }

    /// Whether the last frame of the current message is still to come.
    package var isInsideMessage: Bool { message != nil }

    /// Reads the next element.
    ///
    /// - Parameter input: The bytes of the sender, without those of earlier elements.
    /// - Returns: The next element; `nil` if more bytes are needed.
    /// - Throws: ``WebSocketFailure`` when the RFC forbids the bytes.
    package mutating func next(_ input: Span<UInt8>) throws(WebSocketFailure) -> WebSocketElement? {
        switch phase {
        case .failed(let failure): throw failure
        case .payload(0):
            phase = .header
            return .end
        case .payload(let remaining):
            guard !input.isEmpty else { return nil }
            let count = Int(min(remaining, Int64(input.count)))
            phase = .payload(remaining - Int64(count))
            return .payload(count)
        case .header:
            do throws(WebSocketFailure) {
                guard let head = try header(input) else { return nil }
                phase = .payload(head.payloadLength)
                return .head(head)
            } catch {
                phase = .failed(error)
                throw error
            }
        }
    }

    private mutating func header(_ input: Span<UInt8>) throws(WebSocketFailure) -> WebSocketFrameHead? {
        guard !input.isEmpty else { return nil }
        let opcode = try opcode(of: input[0])
        guard input.count >= 2 else { return nil }
        try checkMask(input[1])
        guard let length = try payloadLength(input, opcode) else { return nil }
        let maskStart = length.end
        let isMasked = input[1] & 0x80 != 0
        let headerLength = maskStart + (isMasked ? 4 : 0)
        guard input.count >= headerLength else { return nil }
        var mask: WebSocketMaskKey?
        if isMasked {
            mask = WebSocketMaskKey(
                input[maskStart],
                input[maskStart + 1],
                input[maskStart + 2],
                input[maskStart + 3]
            )
        }
        let head = WebSocketFrameHead(
            opcode: opcode,
            isFinal: input[0] & 0x80 != 0,
            isCompressed: agreement.deflate != nil && input[0] & 0x40 != 0,
            mask: mask,
            payloadLength: length.value,
            headerLength: headerLength
        )
        if opcode.isControl {
            guard input.count - headerLength >= Int(length.value) else { return nil }
            if opcode == .close { try checkClose(input.extracting(droppingFirst: headerLength), head) }
        }
        try follow(head)
        return head
    }

    // MARK: The first byte

    private func opcode(of byte: UInt8) throws(WebSocketFailure) -> WebSocketOpcode {
        guard let opcode = WebSocketOpcode(rawValue: byte & 0x0f) else {
            throw failure(.reservedOpcode, "opcode \(byte & 0x0f), which has no meaning (RFC 6455 §5.2)")
        }
        try checkReserved(byte, opcode)
        if opcode.isControl, byte & 0x80 == 0 {
            throw failure(.fragmentedControl, "a \(opcode) that is fragmented (RFC 6455 §5.5)")
        }
        if wasClosed { throw failure(.frameAfterClose, "a frame after its close (RFC 6455 §5.5.1)") }
        switch (opcode, message) {
        case (.continuation, nil):
            throw failure(.unexpectedContinuation, "a continuation of no message (RFC 6455 §5.4)")
        case (.text, .some), (.binary, .some):
            throw failure(
                .unfinishedMessage,
                "a new message before the last one had ended (RFC 6455 §5.4)"
            )
        case (.continuation, _), (.text, _), (.binary, _), (.close, _), (.ping, _), (.pong, _): break
        }
        return opcode
    }

    private func checkReserved(_ byte: UInt8, _ opcode: WebSocketOpcode) throws(WebSocketFailure) {
        let bits = byte & 0x70
        guard bits != 0, agreement.unknown.isEmpty else { return }
        guard agreement.deflate != nil else {
            throw failure(.reservedBits, "a reserved bit without an extension (RFC 6455 §5.2)")
        }
        guard bits == 0x40 else {
            throw failure(.reservedBits, "RSV2 or RSV3, which no agreed extension uses (RFC 6455 §5.2)")
        }
        guard opcode == .text || opcode == .binary else {
            throw failure(.reservedBits, "RSV1 in a frame that begins no message (RFC 7692 §6.1)")
        }
    }

    // MARK: Mask and length

    private func checkMask(_ byte: UInt8) throws(WebSocketFailure) {
        switch (sender, byte & 0x80 != 0) {
        case (.client, false): throw failure(.unmasked, "a frame without a mask (RFC 6455 §5.1)")
        case (.server, true): throw failure(.masked, "a frame with a mask (RFC 6455 §5.1)")
        case (.client, true), (.server, false): break
        }
    }

    private func payloadLength(
        _ input: Span<UInt8>,
        _ opcode: WebSocketOpcode
    ) throws(WebSocketFailure) -> (value: Int64, end: Int)? {
        let short = input[1] & 0x7f
        guard short > Self.controlLimit else { return (Int64(short), 2) }
        guard !opcode.isControl else {
            throw failure(.longControl, "a \(opcode) of more than 125 bytes (RFC 6455 §5.5)")
        }
        let count = short == 126 ? 2 : 8
        guard input.count >= 2 + count else { return nil }
        var value: UInt64 = 0
        for index in 2..<2 + count { value = value << 8 | UInt64(input[index]) }
        guard let length = Int64(exactly: value) else {
            throw failure(.badLength, "a length with the highest bit set (RFC 6455 §5.2)")
        }
        guard value > (short == 126 ? 125 : 0xffff) else {
            throw failure(.longLength, "a length of \(value) in \(count) bytes (RFC 6455 §5.2)")
        }
        return (length, 2 + count)
    }

    // MARK: The message

    private mutating func follow(_ head: WebSocketFrameHead) throws(WebSocketFailure) {
        switch head.opcode {
        case .close: wasClosed = true
        case .ping, .pong: break
        case .text, .binary, .continuation:
            let (length, overflow) = (message ?? 0).addingReportingOverflow(head.payloadLength)
            guard !overflow else {
                throw failure(.messageTooLong, "fragments of more than 2^63 bytes (RFC 6455 §7.4.1)")
            }
            message = head.isFinal ? nil : length
        }
    }

    private func checkClose(
        _ payload: Span<UInt8>,
        _ head: WebSocketFrameHead
    ) throws(WebSocketFailure) {
        let count = Int(head.payloadLength)
        guard count > 0 else { return }
        var bytes: [UInt8] = []
        for index in 0..<count { bytes.append(payload[index]) }
        head.mask?.apply(to: &bytes, from: 0)
        if let fault = WebSocketClose.fault(in: bytes) { throw failure(fault.code, fault.text) }
    }

    private func failure(_ code: WebSocketFailure.Code, _ text: String) -> WebSocketFailure {
        WebSocketFailure(code, "The \(sender.rawValue) sent \(text).")
    }
}
