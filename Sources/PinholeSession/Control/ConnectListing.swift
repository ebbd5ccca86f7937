import PinholeModel
package import PinholeProxy

/// The ways in which clients connect with a proxy, and what came from each kind of client.
package struct ConnectListing: Sendable, Codable {
    /// A step, with a command if there is one for it.
    struct Step: Sendable, Codable {
        /// The action of the user, or what the command does.
        let text: String
        /// The command for a shell.
        let command: String?
    }

    /// The state of a kind of client.
    enum Light: String, Sendable, Codable {
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
    package struct Way: Sendable, Codable {
        let kind: ClientKind
        let title: String
        let steps: [Step]
        let light: Light
        /// The number of connections that carried a request.
        let connections: Int
        /// The time of the newest request.
        let last: String?
        /// The program or the address that sent it.
        let client: String?
        /// The obstacles, the newest last.
        let obstacles: [ClientSightings.Obstacle]

        /// Creates the way of a kind with its traffic.
        package init(_ way: ClientGuide.Way, _ sighting: ClientSightings.Sighting?) {
            let sighting = sighting ?? ClientSightings.Sighting()
            kind = way.kind
            title = way.title
            steps = way.steps.map { Step(text: $0.text, command: $0.command) }
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
    package struct Network: Sendable, Codable {
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
