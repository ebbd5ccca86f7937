import CZlib
package import PinholeModel

/// Removes permessage-deflate (RFC 7692) from the messages of a WebSocket, for reading.
///
/// A message may refer to earlier ones of its sender, so it is given every message of the WebSocket, in
/// order. Where one cannot be decoded, those of the same sender that may refer to it cannot either.
package final class WebSocketInflater {
    /// Why a message cannot be decoded.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// The bytes are no deflate.
        case malformed
        /// It would be longer than the limit: a mistake or a bomb.
        case tooLong(limit: Int)
        /// Not all of it was captured.
        case cutOff
        /// It may refer to an earlier message that could not be decoded.
        case contextLost
        /// RSV1 was set and nothing was agreed upon that says what it means.
        case notAgreed

        /// One sentence.
        package var description: String {
            switch self {
            case .malformed: "the message is not valid permessage-deflate"
            case .tooLong(let limit): "the decoded message would be longer than \(limit) bytes"
            case .cutOff: "not all of the message was captured"
            case .contextLost: "it may refer to an earlier message that could not be decoded"
            case .notAgreed: "permessage-deflate was not agreed upon"
            }
        }
    }

    private let deflate: PermessageDeflate?
    private let limit: Int
    private let fromClient = InflateWindow()
    private let fromServer = InflateWindow()

    /// Creates an inflater.
    ///
    /// - Parameters:
    ///   - agreement: What was agreed upon when the WebSocket was opened.
    ///   - limit: Bytes that a message may have when decoded.
    package init(_ agreement: WebSocketAgreement, limit: Int = ContentDecoder.limit) {
        deflate = agreement.deflate
        self.limit = limit
    }

    /// Notes that messages are missing.
    package func loseContext() {
        fromClient.isLost = true
        fromServer.isLost = true
    }

    /// Decodes the next message.
    ///
    /// - Parameters:
    ///   - payload: All of its captured payload.
    ///   - message: Its record; one that is not compressed is returned as it is.
    /// - Returns: The content.
    /// - Throws: ``Failure``.
    package func content(_ payload: [UInt8], of message: WebSocketMessage) throws(Failure) -> [UInt8] {
        guard message.isCompressed else { return payload }
        guard let deflate else { throw .notAgreed }
        let window = message.sender == .client ? fromClient : fromServer
        if !deflate.takesOverContext(from: message.sender) { window.reset() }
        guard message.isComplete, !message.isTruncated else {
            window.isLost = true
            throw .cutOff
        }
        return try window.inflate(payload, limit)
    }
}

/// The decoder of one sender, which keeps its window from message to message.
private final class InflateWindow {
    private var stream = z_stream()
    private let isOpen: Bool
    var isLost = false

    /// RFC 7692 §7.2.2: what the sender removed from the end.
    private static let tail: [UInt8] = [0x00, 0x00, 0xff, 0xff]
    private static let pieceBytes = 64 << 10
    private static let windowBytes = 32 << 10

    init() {
        // The largest window reads what any smaller one wrote.
        isOpen = pinhole_inflateInit2(&stream, Inflate.Wrapping.raw.rawValue) == Z_OK
    }

    deinit { if isOpen { inflateEnd(&stream) } }

    func reset() {
        inflateReset(&stream)
        isLost = false
    }

    func inflate(_ payload: [UInt8], _ limit: Int) throws(WebSocketInflater.Failure) -> [UInt8] {
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
                // RFC 7692 §7.2.3.4: a message may end its deflate stream; the window stays.
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
        // Z_BUF_ERROR: nothing was left to do.
        guard code == Z_OK || code == Z_BUF_ERROR else { throw .malformed }
    }

    /// Begins a new deflate stream that may refer to what came before.
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
