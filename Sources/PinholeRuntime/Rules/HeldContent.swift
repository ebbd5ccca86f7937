import PinholeContent
import PinholeModel
import PinholeRules

/// The content of a message, which is decoded when somebody wants it.
struct HeldContent: Sendable {
    /// Why it cannot be decoded; `nil` where it can, or nobody wanted it yet.
    private(set) var trouble: String?
    private let coded: [UInt8]
    private let codings: [String]
    private var content: [UInt8]?

    init(_ message: HeldMessage) {
        coded = message.body
        codings = message.fields.list("content-encoding").map { $0.lowercased() }
        if codings.isEmpty { content = coded }
    }

    /// The content; `substitute` where it cannot be decoded.
    mutating func decoded(orElse substitute: [UInt8]?) -> [UInt8]? {
        if let content { return content }
        do throws(ContentDecoder.Failure) {
            content = try ContentDecoder.decode(coded, codings: codings, limit: BodyEdit.limit)
        } catch {
            trouble = error.description
        }
        return content ?? substitute
    }

    /// Lets it be other content.
    mutating func replace(with content: [UInt8]) { self.content = content }
}
