import PinholeModel

/// A secret that several servers have seen, as JSON; docs/EXCHANGE.md describes the keys.
package struct LeakJSON: Encodable {
    private struct Server: Encodable {
        let host: String
        let exchange: Int64
        let sentByServer: Bool
        let place: String
        let spelling: String
    }

    private let type = "leak"
    private let kind: String
    private let tag: String
    private let value: String?
    private let servers: [Server]

    /// Takes the facts of a leak, and its value if it may be shown.
    package init(_ leak: LeakSurvey.Leak, showsValue: Bool) {
        kind = leak.secret.kind.rawValue
        tag = leak.tag
        value = showsValue ? String(decoding: leak.secret.value, as: UTF8.self) : nil
        servers = leak.sightings.map { sighting in
            Server(
                host: sighting.host,
                exchange: sighting.exchange.rawValue,
                sentByServer: sighting.isSentByServer,
                place: sighting.place,
                spelling: sighting.spelling.rawValue
            )
        }
    }
}
