package import PinholeModel

/// A group of exchanges as JSON; docs/COMMANDS.md describes the keys.
package struct ExchangeGroupJSON: Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("type", values: ["statistics"]),
        FieldJSON("by", "The fact; absent for all exchanges together."),
        FieldJSON("failed", "The number of failed exchanges, such as those with a status of 400 or more."),
        FieldJSON("messageBytes", "The bytes of the messages of WebSockets; absent without any."),
        FieldJSON(
            "p50",
            "Milliseconds from the first byte of the request to the end; absent if none has ended."
        ),
        FieldJSON("p90", "As p50."),
        FieldJSON("most", "As p50."),
    ]

    private let type: String
    private let by: String?
    private let name: String
    private let count: Int
    private let failed: Int
    private let sentBytes: Int64
    private let receivedBytes: Int64
    private let messageBytes: Int64?
    private let p50: Double?
    private let p90: Double?
    private let most: Double?

    /// Takes the facts of a group.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - key: The fact by which exchanges are grouped; `nil` for all exchanges together.
    package init(_ group: ExchangeGroups.Group, by key: ExchangeGroups.Key?) {
        type = "statistics"
        by = key?.rawValue
        name = group.name
        count = group.count
        failed = group.failed
        sentBytes = group.sent
        receivedBytes = group.received
        messageBytes = group.messages > 0 ? group.messages : nil
        let milliseconds = { (duration: Duration) in Double(duration.microseconds) / 1000 }
        let times = group.times
        p50 = times.map { milliseconds($0.p50) }
        p90 = times.map { milliseconds($0.p90) }
        most = times.map { milliseconds($0.most) }
    }
}
