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
        return try window.inflate(payload, limit: limit)
    }
}
