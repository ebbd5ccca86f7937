package import PinholeModel

/// The ways in which clients connect with a proxy, and what came from each kind of client.
package struct ConnectListing: Sendable, Encodable {
    /// A step, with a command if there is one for it.
    package struct Step: Sendable, Encodable {
        private enum CodingKeys: CodingKey { case text, command }

        /// The action of the user, or what the command does.
        let text: String
        /// The command for a shell.
        let command: String?

        /// Creates a step.
        package init(text: String, command: String?) {
            self.text = text
            self.command = command
        }
    }

    /// An obstacle that the traffic of a client met.
    package struct Obstacle: Sendable, Encodable {
        private enum CodingKeys: CodingKey { case id, authority, cause, peer, isHint, detail, client }

        /// The number of the flow.
        let id: Int64
        /// The server, `host:port`.
        let authority: String
        /// The cause of a failed handshake, or `http3`.
        let cause: String
        /// The side that refused.
        let peer: Side
        /// Whether the cause is inferred from circumstances.
        let isHint: Bool
        /// The explanation for users.
        let detail: String
        /// The program or the address that met it.
        let client: String

        /// Creates an obstacle; without a cause, the server offers HTTP/3.
        package init(
            id: FlowID,
            authority: String,
            cause: HandshakeFailure.Cause?,
            peer: Side,
            isHint: Bool,
            detail: String,
            client: String
        ) {
            self.id = id.rawValue
            self.authority = authority
            self.cause = cause?.rawValue ?? "http3"
            self.peer = peer
            self.isHint = isHint
            self.detail = detail
            self.client = client
        }
    }

    /// The state of a kind of client.
    package enum Light: String, Sendable, Encodable {
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
    package struct Way: Sendable, Encodable {
        private enum CodingKeys: CodingKey {
            case kind, title, steps, light, connections, last, client, obstacles
        }

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
        let obstacles: [Obstacle]

        /// Creates the way of a kind from which nothing came.
        package init(kind: ClientKind, title: String, steps: [Step]) {
            self.init(
                kind: kind,
                title: title,
                steps: steps,
                isRead: false,
                connections: 0,
                last: nil,
                client: "",
                obstacles: []
            )
        }

        /// Creates the way of a kind.
        ///
        /// - Parameters:
        ///   - kind: The kind of client.
        ///   - title: Its name.
        ///   - steps: The steps that connect it.
        ///   - isRead: Whether a request over TLS was read.
        ///   - connections: The number of connections that carried a request.
        ///   - last: The time of the newest request.
        ///   - client: The program or the address that sent it.
        ///   - obstacles: The obstacles that it met.
        package init(
            kind: ClientKind,
            title: String,
            steps: [Step],
            isRead: Bool,
            connections: Int,
            last: Timestamp?,
            client: String,
            obstacles: [Obstacle]
        ) {
            self.kind = kind
            self.title = title
            self.steps = steps
            self.connections = connections
            self.last = last?.iso8601
            self.client = client.isEmpty ? nil : client
            self.obstacles = obstacles
            // An HTTP/3 offer is no refusal.
            let isRefused = obstacles.contains { $0.peer == .client && $0.cause != "http3" }
            light = isRefused ? .refused : isRead ? .read : last == nil ? .none : .plain
        }
    }

    /// The addresses at which other machines reach the proxy.
    package struct Network: Sendable, Encodable {
        private enum CodingKeys: CodingKey { case isOpen, places, command, network }

        /// Whether the proxy listens beyond loopback.
        let isOpen: Bool
        /// The addresses, `host:port`; those that the command would open if the proxy listens on loopback only.
        package let places: [String]
        /// The command that starts the proxy for the network; `nil` if it is open.
        let command: String?
        /// The network that the command admits; `nil` if this machine is in none.
        let network: String?

        /// Creates the description of a network.
        package init(isOpen: Bool, places: [String], command: String?, network: String?) {
            self.isOpen = isOpen
            self.places = places
            self.command = command
            self.network = network
        }
    }

    private enum CodingKeys: CodingKey { case ways, network, asksForPassword }

    /// The ways, one for each kind of client.
    let ways: [Way]
    let network: Network
    /// Whether the proxy requires a user name and a password.
    let asksForPassword: Bool

    /// Creates a listing.
    package init(ways: [Way], network: Network, asksForPassword: Bool) {
        self.ways = ways
        self.network = network
        self.asksForPassword = asksForPassword
    }
}
