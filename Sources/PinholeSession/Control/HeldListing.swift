package import PinholeModel
import PinholeRules
package import PinholeRuntime

/// A message that is held at a breakpoint, as the control API describes it.
package struct HeldListing: Sendable, Codable, DescribedMembers, Equatable {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("since", format: .time),
        FieldJSON("until", format: .time),
        FieldJSON("bodyBase64", format: .base64),
    ]

    /// The messages that are held, without fields and content.
    package struct List: Codable {
        /// The messages.
        package let held: [HeldListing]

        /// Creates the list.
        package init(held: [HeldListing]) { self.held = held }
    }

    /// The number of the held message.
    package let id: Int64
    /// The number of the exchange in the capture; `nil` if the exchange is not recorded.
    package let exchange: Int64?
    /// The kind of message.
    package let at: BodyOwner
    /// The name of the rule that holds the message.
    package let rule: String
    /// The method of the request.
    package let method: String
    /// The URL of the request.
    package let url: String
    /// The path and query of the request.
    package let path: String
    /// The status of a response.
    package let status: Int?
    /// The number of bytes of the content.
    let length: Int
    let since: String
    let until: String
    /// The seconds until the deadline, since the client's clock may differ from the proxy's.
    package let secondsLeft: Double
    /// The names and values of the field lines; `nil` in a list.
    package let fields: [[String]]?
    /// The content, decoded if possible; `nil` in a list.
    package let bodyBase64: String?
    /// The reason why the content could not be decoded.
    package let trouble: String?

    /// Describes a held message.
    ///
    /// - Parameters:
    ///   - held: The message.
    ///   - isWhole: Whether its fields and its content are included.
    ///   - now: The current time.
    package init(_ held: MessageQuestion, isWhole: Bool, now: Timestamp) {
        id = held.id
        exchange = held.message.exchange?.rawValue
        at = held.status == nil ? .request : .response
        rule = held.rule
        method = held.message.request.method
        url = held.message.request.url
        path = held.message.request.path
        status = held.status
        length = held.body?.count ?? 0
        since = held.since.iso8601
        until = held.until.iso8601
        secondsLeft = max(0, (Double((held.until - now).milliseconds) / 1000))
        fields = isWhole ? held.fields.map { [$0.name, $0.value] } : nil
        bodyBase64 = isWhole ? Base64.encode(held.body ?? []) : nil
        trouble = isWhole ? held.trouble : nil
    }

    /// The content; empty in a list.
    package var body: [UInt8] { bodyBase64.flatMap { Base64.decode($0.utf8) } ?? [] }
}
