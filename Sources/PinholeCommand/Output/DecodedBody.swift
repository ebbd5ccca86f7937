import PinholeContent
import PinholeModel

/// A recorded body without its content codings.
struct DecodedBody {
    /// The bytes; a body that cannot be decoded at all is as it was sent.
    let bytes: [UInt8]
    /// The reason why not everything was decoded; `nil` if everything was.
    let failure: ContentDecoder.Failure?

    /// Decodes a body.
    ///
    /// - Parameters:
    ///   - message: The message of the body.
    ///   - body: The recorded bytes.
    init(_ message: MessageRecord, _ body: [UInt8]) {
        let content = ContentStream(codings: message.fields.list("content-encoding").map { $0.lowercased() })
        content.append(body)
        if message.body.isComplete, !message.body.isTruncated { content.finish() }
        failure = content.failure
        bytes = content.failure != nil && content.content.isEmpty ? body : content.content
    }
}
