package import PinholeModel

/// The reason why a handshake failed.
package struct HandshakeFailureJSON: Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("peer", "The peer of the proxy.", values: Side.allCases.map(\.rawValue)),
        FieldJSON("summary", "The cause in a few words."),
        FieldJSON("isHint", "Whether the cause is only probable."),
    ]

    let peer: String
    let cause: String
    let summary: String
    let isHint: Bool
    let endedBy: String?
    let alert: String?
    let alertCode: UInt8?
    let bytesAfterHandshake: Int64
    let milliseconds: Double
    let detail: String

    /// Takes the facts of a failed handshake; `nil` if the handshake did not fail.
    package init?(_ record: HandshakeRecord) {
        guard let failure = record.failure else { return nil }
        peer = record.peer.rawValue
        cause = failure.cause.rawValue
        summary = failure.cause.summary
        isHint = failure.isHint
        endedBy = failure.endedBy?.rawValue
        alert = failure.alert?.name
        alertCode = failure.alert?.code
        bytesAfterHandshake = failure.bytesAfterHandshake
        milliseconds = Double(record.duration.microseconds) / 1000
        detail = failure.detail
    }
}
