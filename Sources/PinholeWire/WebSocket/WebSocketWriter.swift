package import PinholeModel

/// Writes WebSocket frames that the proxy itself sends.
///
/// The mask key is a parameter: it has to be unpredictable (RFC 6455 §5.3), and this target has no randomness.
package enum WebSocketWriter {
    /// Encodes a frame.
    ///
    /// - Parameters:
    ///   - opcode: The kind of frame.
    ///   - payload: The payload, not masked.
    ///   - isFinal: Whether the frame is the last of its message.
    ///   - isCompressed: Whether the payload is compressed by permessage-deflate.
    ///   - mask: The key; it is required toward a server and refused toward a client.
    ///   - sender: The side in whose name the frame is sent.
    /// - Returns: The bytes.
    /// - Throws: ``WebSocketFailure`` when the RFC forbids such a frame.
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

    /// Encodes the payload of a close frame.
    ///
    /// - Parameters:
    ///   - code: The reason as a code (RFC 6455 §7.4.1).
    ///   - reason: The reason as text; at most 123 bytes of it are used.
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

    /// RFC 6455 §5.2: the length uses as few bytes as possible.
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
