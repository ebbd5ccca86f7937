import PinholeLock
package import PinholeModel
package import PinholeRuntime

/// The traffic of each kind of client since the proxy began, and the obstacles that it met.
///
/// The console shows by it whether a client that the user has just configured reaches the proxy.
package final class ClientActivity: Sendable {
    /// A reason why the traffic of a client was not read or did not reach its server.
    package struct Obstacle: Sendable, Codable, DescribedMembers, Equatable {
        /// The members whose meaning the description of the API tells.
        package static let described: [FieldJSON] = [
            FieldJSON("id", "The number of the flow."),
            FieldJSON(
                "cause",
                "The cause of a failed handshake, or http3: the server offers HTTP/3, which passes the proxy by."
            ),
            FieldJSON("summary", "The cause in a few words."),
            FieldJSON("peer", "The side that refused."),
            FieldJSON("isHint", "Whether the cause is inferred."),
            FieldJSON("remedy", "What to do."),
        ]

        /// The cause of a server that offers HTTP/3, by which a client may pass the proxy by.
        static let http3 = "http3"

        /// The number of the flow that met the obstacle.
        let id: Int64
        /// The server, `host:port`.
        let authority: String
        /// The side that refused.
        let peer: Side
        /// The cause of a failed handshake, or ``http3``.
        let cause: String
        /// The cause in a few words.
        let summary: String
        /// Whether the cause is inferred from circumstances.
        let isHint: Bool
        /// The explanation for users.
        let detail: String
        /// The advice; `nil` if there is none.
        let remedy: String?
        /// The program or the address that met it.
        let client: String

        /// The cause of a failed handshake; `nil` for a server that offers HTTP/3.
        var failure: HandshakeFailure.Cause? { HandshakeFailure.Cause(rawValue: cause) }
    }

    /// The traffic of one kind of client.
    package struct Sighting: Sendable, Equatable {
        /// The number of connections that carried a request, or that were passed through.
        var connections = 0
        /// The time of the newest request.
        var last: Timestamp?
        /// The program or the address that sent it.
        var client = ""
        /// Whether a request over TLS was read, so that the client trusts the CA.
        var isRead = false
        /// The obstacles, the newest last.
        var obstacles: [Obstacle] = []
    }

    private struct Client {
        let origin: ClientOrigin
        let address: String
        var program: String?
        var agent: String?
        /// The kinds, once the first request has come.
        var kinds: [ClientKind] = []

        /// The program if it is known, else the address.
        var name: String { program ?? address }

        init(_ record: FlowRecord, _ origin: ClientOrigin) {
            self.origin = origin
            address = Self.host(of: record.client)
            program = record.clientProcess?.name
        }

        static func host(of client: String) -> String {
            client.lastIndex(of: ":").map { String(client[..<$0]) } ?? client
        }
    }

    private struct State {
        var open: [FlowID: Client] = [:]
        var sightings: [ClientKind: Sighting] = [:]
        /// The kinds of clients at an address of another machine, by their requests.
        var devices: [String: [ClientKind]] = [:]
        /// The listeners that serve a program in a container each.
        var containers: Set<String> = []
    }

    /// The most obstacles of a kind that are kept.
    private static let most = 5
    /// The most other machines that are remembered.
    private static let mostDevices = 256
    /// The failures that prove that a client does not trust the CA.
    private static let distrust: Set<HandshakeFailure.Cause> = [.authorityNotTrusted, .certificateRefused]

    private let state = Lock(State())
    private let origin: @Sendable (_ client: String) -> ClientOrigin

    /// Creates an empty record.
    ///
    /// - Parameter origin: Returns the place of a client by its address, `host:port`.
    package init(origin: @escaping @Sendable (_ client: String) -> ClientOrigin = LocalInterfaces.origin(of:))
    {
        self.origin = origin
    }

    /// The traffic by kinds; a kind is missing if nothing came from it.
    package var sightings: [ClientKind: Sighting] { state.withLock(\.sightings) }

    /// Takes the traffic of a listener for that of a container from now on.
    package func expectContainer(at listener: String) {
        state.withLock { _ = $0.containers.insert(listener) }
    }

    /// Forgets a listener that was closed.
    package func forget(_ listener: String) { state.withLock { _ = $0.containers.remove(listener) } }

    /// Notes events.
    package func take(_ events: [FlowEvent]) {
        state.withLock { state in
            for event in events { take(event, &state) }
        }
    }

    private func take(_ event: FlowEvent, _ state: inout State) {
        switch event {
        case .flow(let record): take(record, &state)
        case .clientProcess(let flow, let process): state.open[flow]?.program = process.name
        case .exchange(let record): Self.take(record, &state)
        case .bodyPart, .bodyPiece, .webSocketMessage, .webSocketPart, .leftOut, .packet, .secret: break
        }
    }

    private func take(_ record: FlowRecord, _ state: inout State) {
        var client =
            state.open[record.id]
            ?? Client(record, state.containers.contains(record.listener) ? .container : origin(record.client))
        if let program = record.clientProcess?.name { client.program = program }
        guard record.closed != nil else {
            state.open[record.id] = client
            return
        }
        state.open[record.id] = nil
        for handshake in [record.clientHandshake, record.serverHandshake].compactMap(\.self) {
            guard let failure = handshake.failure else { continue }
            let obstacle = Obstacle(
                id: record.id.rawValue,
                authority: record.authority ?? handshake.serverName ?? "",
                peer: handshake.peer,
                cause: failure.cause.rawValue,
                summary: failure.cause.summary,
                isHint: failure.isHint,
                detail: failure.detail,
                remedy: failure.cause.remedy(of: handshake.peer),
                client: client.name
            )
            Self.note(obstacle, of: Self.kinds(of: client, state), &state)
        }
        if client.kinds.isEmpty, record.treatment == .passedThrough, record.bytesFromServer > 0 {
            Self.note(client, Self.kinds(of: client, state), at: record.opened, &state)
        }
    }

    private static func take(_ record: ExchangeRecord, _ state: inout State) {
        guard var client = state.open[record.flow] else { return }
        if client.kinds.isEmpty {
            let agent = record.request.fields.first("user-agent")
            client.agent = agent.map { String($0.prefix(400)) } ?? ""
            client.kinds = kinds(of: client, state)
            state.open[record.flow] = client
            if client.origin == .elsewhere { learn(client, &state) }
            note(client, client.kinds, at: record.timings.started, &state)
        }
        for kind in client.kinds {
            state.sightings[kind, default: Sighting()].note(record, client.name, distrust)
        }
        guard record.outcome != nil else { return }
        let obstacle = { (cause: HandshakeFailure.Cause?, peer: Side, detail: String) in
            Obstacle(
                id: record.flow.rawValue,
                authority: record.authority.description,
                peer: peer,
                cause: cause?.rawValue ?? Obstacle.http3,
                summary: cause?.summary ?? "HTTP/3 is offered",
                isHint: true,
                detail: detail,
                remedy: cause?.remedy(of: peer),
                client: client.name
            )
        }
        if record.notes.contains(.clientCertificateMissing) {
            let detail = "The server asked for a client certificate, got none and refused the request."
            note(obstacle(.clientCertificateRequired, .server, detail), of: client.kinds, &state)
        }
        if record.notes.contains(.altSvcRemoved) {
            let detail =
                "The server offers HTTP/3, which passes a proxy by. Pinhole removed the offer. If requests are "
                + "missing, the client knows the offer from before: switch QUIC off in it."
            note(obstacle(nil, .client, detail), of: client.kinds, &state)
        }
    }

    /// Remembers of which kinds the clients at an address are, and takes back what was noted of other kinds.
    private static func learn(_ client: Client, _ state: inout State) {
        if state.devices.count < mostDevices { state.devices[client.address] = client.kinds }
        for kind in ClientKind.allCases where !client.kinds.contains(kind) {
            state.sightings[kind]?.obstacles.removeAll { $0.client == client.address }
        }
    }

    private static func kinds(of client: Client, _ state: State) -> [ClientKind] {
        if !client.kinds.isEmpty { return client.kinds }
        // A refused handshake names no program, but the device may have sent a request before.
        if client.agent == nil, let known = state.devices[client.address] { return known }
        return ClientKind.kinds(agent: client.agent, program: client.program, from: client.origin)
    }

    private static func note(
        _ client: Client,
        _ kinds: [ClientKind],
        at time: Timestamp,
        _ state: inout State
    ) {
        for kind in kinds {
            state.sightings[kind, default: Sighting()].connections += 1
            state.sightings[kind, default: Sighting()].last = time
            state.sightings[kind, default: Sighting()].client = client.name
        }
    }

    private static func note(_ obstacle: Obstacle, of kinds: [ClientKind], _ state: inout State) {
        for kind in kinds {
            var obstacles = state.sightings[kind]?.obstacles ?? []
            obstacles.removeAll { old in
                old.authority == obstacle.authority && old.cause == obstacle.cause
                    && old.client == obstacle.client
            }
            obstacles.append(obstacle)
            state.sightings[kind, default: Sighting()].obstacles = obstacles.suffix(most)
        }
    }
}

extension ClientActivity.Sighting {
    /// Notes a request, which removes the obstacles that it proves to be gone.
    fileprivate mutating func note(
        _ record: ExchangeRecord,
        _ client: String,
        _ distrust: Set<HandshakeFailure.Cause>
    ) {
        last = max(last ?? record.timings.started, record.timings.started)
        self.client = client
        if record.scheme == .https { isRead = true }
        guard !obstacles.isEmpty else { return }
        let host = record.authority.description
        let isAnswered =
            record.outcome?.kind == .completed && !record.notes.contains(.clientCertificateMissing)
        obstacles.removeAll { obstacle in
            guard let cause = obstacle.failure else { return false }
            switch obstacle.peer {
            case .client:
                return record.scheme == .https
                    && (obstacle.authority == host || obstacle.client == client && distrust.contains(cause))
            case .server: return isAnswered && obstacle.authority == host
            }
        }
    }
}

extension LocalInterfaces {
    /// Returns the place of a client by its address, `host:port`.
    package static func origin(of client: String) -> ClientOrigin {
        let host = client.lastIndex(of: ":").map { client[..<$0] } ?? client[...]
        guard let address = IPAddress(host.filter { $0 != "[" && $0 != "]" })?.unmapped else {
            return .elsewhere
        }
        if address.isLoopback { return .machine }
        let networks = networks()
        if networks.contains(where: { $0.address == address }) { return .machine }
        return networks.contains { $0.isOfContainers && $0.contains(address) } ? .container : .elsewhere
    }
}
