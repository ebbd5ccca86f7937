package import PinholeModel
package import PinholeProxy

/// The ways in which clients connect with a proxy, and what came from each kind of client.
package struct ConnectListing: Sendable, Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("asksForPassword", "Whether the proxy asks its clients for a user name and a password.")
    ]

    /// The state of a kind of client.
    enum Light: String, Sendable, Codable, CaseIterable {
        /// Nothing came.
        case none
        /// Connections came, and the client refused Pinhole's certificates.
        case refused
        /// Requests came, none of them over TLS.
        case plain
        /// Requests over TLS were read.
        case read
    }

    /// The way of one kind of client.
    package struct Way: Sendable, Codable, DescribedMembers {
        /// The members whose meaning the description of the API tells.
        package static let described: [FieldJSON] = [
            FieldJSON(
                "light",
                "Nothing came; connections came, and the client refused Pinhole's certificates; requests came, none over TLS; requests over TLS were read."
            ),
            FieldJSON(
                "connections",
                "The number of connections that carried a request, or were passed through, since the proxy began."
            ),
            FieldJSON("last", "The time of the newest request.", format: .time),
            FieldJSON("client", "The program or the address that sent it."),
            FieldJSON("obstacles", "The faults that were not fixed since, the newest last."),
        ]

        let kind: ClientKind
        let title: String
        let steps: [ClientGuide.Step]
        let light: Light
        /// The number of connections that carried a request.
        let connections: Int
        /// The time of the newest request.
        let last: String?
        /// The program or the address that sent it.
        let client: String?
        /// The obstacles, the newest last.
        let obstacles: [ClientActivity.Obstacle]

        /// Creates the way of a kind with its traffic.
        package init(_ way: ClientGuide.Way, _ sighting: ClientActivity.Sighting?) {
            let sighting = sighting ?? ClientActivity.Sighting()
            kind = way.kind
            title = way.title
            steps = way.steps
            connections = sighting.connections
            last = sighting.last?.iso8601
            client = sighting.client.isEmpty ? nil : sighting.client
            obstacles = sighting.obstacles
            // A server that offers HTTP/3 refuses nothing.
            let isRefused = obstacles.contains { $0.peer == .client && $0.failure != nil }
            light = isRefused ? .refused : sighting.isRead ? .read : last == nil ? .none : .plain
        }
    }

    /// The addresses at which other machines reach the proxy.
    package struct Network: Sendable, Codable, DescribedMembers {
        /// The members whose meaning the description of the API tells.
        package static let described: [FieldJSON] = [
            FieldJSON("isOpen", "Whether the proxy listens beyond loopback."),
            FieldJSON(
                "places",
                "The addresses at which other machines reach the proxy, or would reach it after the command."
            ),
            FieldJSON("command", "The command that starts the proxy for the network; missing if it is open."),
            FieldJSON("network", "The network that the command admits."),
        ]

        /// Whether the proxy listens beyond loopback.
        let isOpen: Bool
        /// The addresses, `host:port`; those that the command would open if the proxy listens on loopback only.
        package let places: [String]
        /// The command that starts the proxy for the network; `nil` if it is open.
        let command: String?
        /// The network that the command admits; `nil` if this machine is in none.
        let network: String?
    }

    /// The ways, one for each kind of client.
    let ways: [Way]
    let network: Network
    /// Whether the proxy requires a user name and a password.
    let asksForPassword: Bool
}
