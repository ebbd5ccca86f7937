import CZlib

/// Inflates the messages of one sender of a WebSocket (RFC 7692 §7.2.2), and keeps the window between messages.
package final class InflateWindow {
    private var stream = z_stream()
    private let isOpen: Bool
    /// Whether a message is missing to which later messages may refer.
    var isLost = false

    /// The bytes that the sender removes from the end of each message (RFC 7692 §7.2.2).
    private static let tail: [UInt8] = [0x00, 0x00, 0xff, 0xff]
    private static let pieceBytes = 64 << 10
    private static let windowBytes = 32 << 10

    /// Creates a decoder that has seen no message.
    package init() {
        // The largest window can decode data that were written with any smaller one.
        isOpen = pinhole_inflateInit2(&stream, Inflate.Wrapping.raw.rawValue) == Z_OK
    }

    deinit { if isOpen { inflateEnd(&stream) } }

    /// Forgets earlier messages, because the next message does not refer to them.
    package func reset() {
        inflateReset(&stream)
        isLost = false
    }

    /// Decodes the next message.
    ///
    /// - Parameters:
    ///   - payload: The payload of the message, unmasked.
    ///   - limit: The largest number of decoded bytes.
    /// - Returns: The decoded message.
    /// - Throws: ``WebSocketInflater/Failure``; after it, no message can be decoded until ``reset()``.
    package func inflate(_ payload: [UInt8], limit: Int) throws(WebSocketInflater.Failure) -> [UInt8] {
        guard isOpen else { throw .malformed }
        guard !isLost else { throw .contextLost }
        isLost = true
        var content: [UInt8] = []
        try append(payload, to: &content, limit)
        try append(Self.tail, to: &content, limit)
        isLost = false
        return content
    }

    private func append(
        _ bytes: [UInt8],
        to content: inout [UInt8],
        _ limit: Int
    ) throws(WebSocketInflater.Failure) {
        var bytes = bytes
        var code = Z_OK
        let count = bytes.count
        bytes.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: count)
            var isFull = false
            repeat {
                // RFC 7692 §7.2.3.4: a message may end its deflate stream, and the window is kept.
                if code == Z_STREAM_END { code = resume() }
                guard code == Z_OK else { break }
                let before = content.count
                code = Self.piece(from: &stream, to: &content)
                isFull = content.count - before == Self.pieceBytes
            } while content.count <= limit && (code == Z_OK || code == Z_STREAM_END)
                && (stream.avail_in > 0 || isFull)
            if code == Z_STREAM_END { code = resume() }
            stream.next_in = nil
        }
        guard content.count <= limit else { throw .tooLong(limit: limit) }
        // Z_BUF_ERROR is no failure: there was nothing left to do.
        guard code == Z_OK || code == Z_BUF_ERROR else { throw .malformed }
    }

    /// Starts a new deflate stream that may refer to the data before it.
    private func resume() -> Int32 {
        var window = [UInt8](repeating: 0, count: Self.windowBytes)
        var count: UInt32 = 0
        let code = window.withUnsafeMutableBufferPointer { room in
            let code = inflateGetDictionary(&stream, room.baseAddress, &count)
            guard code == Z_OK else { return code }
            let reset = inflateReset(&stream)
            guard reset == Z_OK, count > 0 else { return reset }
            return inflateSetDictionary(&stream, room.baseAddress, count)
        }
        return code
    }

    private static func piece(from stream: inout z_stream, to content: inout [UInt8]) -> Int32 {
        var code = Z_OK
        let piece = [UInt8](unsafeUninitializedCapacity: pieceBytes) { room, count in
            stream.next_out = room.baseAddress
            stream.avail_out = UInt32(pieceBytes)
            code = CZlib.inflate(&stream, Z_SYNC_FLUSH)
            count = pieceBytes - Int(stream.avail_out)
        }
        content.append(contentsOf: piece)
        return code
    }
}
