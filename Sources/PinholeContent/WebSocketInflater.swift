package import PinholeModel

/// Removes permessage-deflate (RFC 7692) from the messages of a WebSocket, so that they can be read.
///
/// A message may refer to earlier messages of its sender, so the caller passes in every message of the WebSocket, in
/// order. If a message cannot be decoded, later messages of the same sender that may refer to it cannot be decoded
/// either.
package final class WebSocketInflater {
    /// The reason why a message cannot be decoded.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// The bytes are not valid deflate data.
        case malformed
        /// The decoded message would be longer than the limit: a mistake, or a decompression bomb.
        case tooLong(limit: Int)
        /// Only a part of the message was captured.
        case cutOff
        /// The message may refer to an earlier message that could not be decoded.
        case contextLost
        /// The message has RSV1 set, but no extension was agreed upon that gives it a meaning.
        case notAgreed

        /// The reason in one sentence, without a full stop.
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
    ///   - agreement: The extensions that were agreed upon when the WebSocket was opened.
    ///   - limit: The largest number of bytes of a decoded message.
    package init(_ agreement: WebSocketAgreement, limit: Int = ContentDecoder.limit) {
        deflate = agreement.deflate
        self.limit = limit
    }

    /// Notes that messages are missing, to which later messages of either side may refer.
    package func loseContext() {
        fromClient.isLost = true
        fromServer.isLost = true
    }

    /// Decodes the next message.
    ///
    /// - Parameters:
    ///   - payload: All captured bytes of the message's payload.
    ///   - message: The record of the message; the payload of an uncompressed message is returned unchanged.
    /// - Returns: The decoded message.
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
