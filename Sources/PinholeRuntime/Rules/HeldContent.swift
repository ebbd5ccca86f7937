import PinholeContent
import PinholeModel
import PinholeRules

/// The content of a message, which is decoded when it is first needed.
struct HeldContent: Sendable {
    /// The reason why the body cannot be decoded; `nil` if it can, or if nothing has asked for it yet.
    private(set) var trouble: String?
    private let coded: [UInt8]
    private let codings: [String]
    private var content: [UInt8]?

    init(_ message: HeldMessage) {
        coded = message.body
        codings = message.fields.list("content-encoding").map { $0.lowercased() }
        if codings.isEmpty { content = coded }
    }

    /// Returns the decoded content, or `substitute` if it cannot be decoded.
    mutating func decoded(orElse substitute: [UInt8]?) -> [UInt8]? {
        if let content { return content }
        do throws(ContentDecoder.Failure) {
            content = try ContentDecoder.decode(coded, codings: codings, limit: BodyEdit.limit)
        } catch {
            trouble = error.description
        }
        return content ?? substitute
    }

    mutating func replace(with content: [UInt8]) { self.content = content }
}
