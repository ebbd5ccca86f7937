package import PinholeModel

/// Writes frames of a WebSocket, for what the proxy sends itself.
///
/// The key of a mask is a parameter, since it has to be one that nobody can foresee (RFC 6455 §5.3)
/// and there is no randomness here.
package enum WebSocketWriter {
    /// One frame.
    ///
    /// - Parameters:
    ///   - opcode: What it is.
    ///   - payload: The payload, not masked.
    ///   - isFinal: Whether the message ends with it.
    ///   - isCompressed: Whether the payload is compressed by permessage-deflate.
    ///   - mask: The key; needed toward a server, refused toward a client.
    ///   - sender: In whose place it is sent.
    /// - Returns: The bytes.
    /// - Throws: ``WebSocketFailure`` where the RFC forbids such a frame.
    package static func frame(
        _ opcode: WebSocketOpcode,
        _ payload: [UInt8],
        isFinal: Bool = true,
        isCompressed: Bool = false,
        mask: WebSocketMaskKey?,
        from sender: Side
    ) throws(WebSocketFailure) -> [UInt8] {
        try check(opcode, payload, isFinal: isFinal, isCompressed: isCompressed)
        switch (sender, mask) {
        case (.client, nil):
            throw WebSocketFailure(.unmasked, "A frame to a server needs a mask (RFC 6455 §5.1).")
        case (.server, .some):
            throw WebSocketFailure(.masked, "A frame to a client must have no mask (RFC 6455 §5.1).")
        case (.client, .some), (.server, nil): break
        }
        var frame = [(isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue]
        frame.reserveCapacity(14 + payload.count)
        append(length: payload.count, isMasked: mask != nil, to: &frame)
        guard let mask else { return frame + payload }
        frame += mask.bytes
        var masked = payload
        mask.apply(to: &masked, from: 0)
        return frame + masked
    }

    /// The payload of a close.
    ///
    /// - Parameters:
    ///   - code: Why (RFC 6455 §7.4.1).
    ///   - reason: For people; at most 123 bytes of it are taken.
    /// - Returns: The bytes for ``frame(_:_:isFinal:isCompressed:mask:from:)``.
    /// - Throws: ``WebSocketFailure`` for a code that must not be sent.
    package static func closePayload(_ code: UInt16, _ reason: String) throws(WebSocketFailure) -> [UInt8] {
        guard WebSocketClose.mayBeSent(code) else {
            throw WebSocketFailure(.badCloseCode, "The close code \(code) must not be sent (RFC 6455 §7.4).")
        }
        var payload = [UInt8(code >> 8), UInt8(code & 0xff)]
        for character in reason {
            let bytes = Array(String(character).utf8)
            guard payload.count + bytes.count <= WebSocketReader.controlLimit else { break }
            payload += bytes
        }
        return payload
    }

    private static func check(
        _ opcode: WebSocketOpcode,
        _ payload: [UInt8],
        isFinal: Bool,
        isCompressed: Bool
    ) throws(WebSocketFailure) {
        if isCompressed, opcode != .text, opcode != .binary {
            throw WebSocketFailure(.reservedBits, "RSV1 belongs to a message's first frame (RFC 7692 §6.1).")
        }
        guard opcode.isControl else { return }
        guard payload.count <= WebSocketReader.controlLimit else {
            throw WebSocketFailure(
                .longControl,
                "A \(opcode) holds 125 bytes, not \(payload.count) (RFC 6455 §5.5)."
            )
        }
        guard isFinal else {
            throw WebSocketFailure(.fragmentedControl, "A \(opcode) is one frame (RFC 6455 §5.5).")
        }
        if opcode == .close, let fault = WebSocketClose.fault(in: payload) {
            throw WebSocketFailure(fault.code, "Must not be sent: \(fault.text).")
        }
    }

    /// RFC 6455 §5.2: in as few bytes as the length needs.
    private static func append(length: Int, isMasked: Bool, to frame: inout [UInt8]) {
        let flag: UInt8 = isMasked ? 0x80 : 0
        let (first, count): (UInt8, Int) =
            switch length {
            case ...125: (UInt8(length), 0)
            case ...0xffff: (126, 2)
            default: (127, 8)
            }
        frame.append(flag | first)
        for index in (0..<count).reversed() {
            frame.append(UInt8(truncatingIfNeeded: length >> (8 * index)))
        }
    }
}
