package import PinholeModel

/// Distinguishes spare connections from refusals, by the other connections of the same client.
///
/// A client that closes a connection before its first request may have refused the certificate, or may not have needed
/// the connection: a browser opens several, and drops the others when one of them speaks HTTP/2. It counts as a
/// refusal only if the same program did not send a request to the same host over another connection, some minutes
/// before it or a few seconds after it. So the record of such a connection is held for these seconds. An alert that
/// names a reason is believed at once.
///
/// A program is identified by the number of its process or, if the number is unknown, by its address and its user. All
/// programs of this machine share the addresses of loopback. There both connections must have been open at the same
/// time.
package struct ConnectionHistory: Sendable {
    /// A client and the host that it connected to.
    private struct Party: Hashable {
        var address: String
        var user: String?
        var pid: Int32?
        var host: String

        /// Whether both have the same address, user and host; their processes may be unknown.
        func isAlike(_ other: Party) -> Bool {
            host == other.host && address == other.address && user == other.user
        }
    }

    /// A connection that has sent requests.
    private struct Connection {
        var party: Party
        var opened: Timestamp
    }

    /// The connections of a party that have sent requests.
    fileprivate struct Use {
        var open = 0
        /// The time at which the last of these connections had its first request, or was closed.
        var last: Timestamp
    }

    /// The time for which a connection without a request is held.
    ///
    /// Within this time browsers send a request, and the process of a connection is identified.
    package static let patience = Duration.seconds(3)
    /// The time for which a connection with requests counts after its end.
    static let memory = Duration.seconds(300)
    /// The largest number of parties that are remembered, and of connections that are held.
    static let remembered = 4096
    /// The smallest number of connections with requests that are remembered after their end.
    private static let recent = 256

    private var uses: [Party: Use] = [:]
    private var users: [FlowID: Connection] = [:]
    /// The connections with requests that were closed lately, in the order of their ends.
    private var ended: [(connection: Connection, closed: Timestamp)] = []
    private var held: [FlowID: FlowRecord] = [:]

    /// Creates an empty history.
    package init() {}

    /// Whether records of connections are held.
    package var isHolding: Bool { !held.isEmpty }

    /// Notes the first request of a connection over TLS.
    ///
    /// - Returns: The records of held connections that this request proves to be spare.
    package mutating func noteRequest(of flow: FlowRecord, at now: Timestamp) -> [FlowEvent] {
        guard let party = Self.party(of: flow) else { return [] }
        forget(before: now - Self.memory)
        if users[flow.id] == nil {
            users[flow.id] = Connection(party: party, opened: flow.opened)
            uses[party, default: Use(last: now)].open += 1
        }
        return release()
    }

    /// Holds back the records of connections that are not judged yet.
    ///
    /// - Parameter events: The new events, of which only those of connections are looked at.
    /// - Returns: The events that can be passed on.
    package mutating func take(_ events: [FlowEvent]) -> [FlowEvent] {
        var passed: [FlowEvent] = []
        passed.reserveCapacity(events.count)
        for event in events {
            switch event {
            case .flow(let record):
                guard let closed = record.closed else {
                    passed.append(event)
                    continue
                }
                endUse(of: record.id, at: closed)
                if let judged = judge(record) {
                    passed.append(.flow(judged))
                } else {
                    held[record.id] = record
                }
                if held.count > Self.remembered { passed += settle(before: closed) }
            case .clientProcess(let id, let process):
                identify(id, process)
                passed.append(event)
                passed += release()
            case .exchange, .bodyPart, .bodyPiece, .webSocketMessage, .webSocketPart, .leftOut, .packet,
                .secret:
                passed.append(event)
            }
        }
        return passed
    }

    /// Judges the connections that were closed by `moment` and are still held.
    ///
    /// - Parameters:
    ///   - moment: The time, or `nil` for all connections.
    ///   - listener: The address that the clients connected to, or `nil` for every address.
    /// - Returns: The records of the connections.
    package mutating func settle(before moment: Timestamp?, of listener: String? = nil) -> [FlowEvent] {
        var events: [FlowEvent] = []
        for id in held.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            guard let record = held[id], let closed = record.closed else { continue }
            if let moment, closed > moment { continue }
            if let listener, record.listener != listener { continue }
            held[id] = nil
            let isSpare =
                Self.party(of: record).map { reached($0, by: record, isSettled: true, at: closed) } ?? false
            events.append(.flow(isSpare ? record.spare : record))
        }
        return events
    }

    /// Returns the final record of a closed connection; `nil` if it must be held.
    private func judge(_ record: FlowRecord) -> FlowRecord? {
        if record.isUnused { return record.unused }
        guard record.mayBeSpare, let party = Self.party(of: record), let closed = record.closed else {
            return record
        }
        return reached(party, by: record, isSettled: false, at: closed) ? record.spare : nil
    }

    /// Whether the party of a closed connection has sent a request on another connection.
    ///
    /// If the process of the connection is unknown, the answer is `false` until the waiting time has passed.
    private func reached(_ party: Party, by record: FlowRecord, isSettled: Bool, at moment: Timestamp) -> Bool
    {
        if party.pid != nil { return uses[party]?.counts(at: moment) ?? false }
        guard isSettled else { return false }
        guard IPAddress(party.address)?.isLoopback ?? false else {
            return uses.contains { $0.key.isAlike(party) && $0.value.counts(at: moment) }
        }
        // A fast program has ended before its process is identified. So a connection that may belong to another
        // program counts only if both were open at the same time, as with a browser.
        return users.values.contains { $0.party.isAlike(party) && $0.opened <= moment }
            || ended.contains {
                $0.connection.party.isAlike(party) && $0.connection.opened <= moment
                    && $0.closed >= record.opened
            }
    }

    /// Releases the held connections that have proved to be spare, and returns their records.
    private mutating func release() -> [FlowEvent] {
        guard !held.isEmpty else { return [] }
        var events: [FlowEvent] = []
        for id in held.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            guard let record = held[id], let judged = judge(record) else { continue }
            held[id] = nil
            events.append(.flow(judged))
        }
        return events
    }

    /// Notes the process of a connection, which is identified while the connection is in use, or later.
    private mutating func identify(_ id: FlowID, _ process: ClientProcess) {
        held[id]?.clientProcess = process
        guard let party = users[id]?.party, party.pid != process.pid else { return }
        var known = party
        known.pid = process.pid
        users[id]?.party = known
        guard let use = uses[party] else { return }
        uses[party]?.open -= 1
        if use.open <= 1 { uses[party] = nil }
        uses[known, default: Use(last: use.last)].open += 1
    }

    private mutating func endUse(of id: FlowID, at now: Timestamp) {
        guard let connection = users.removeValue(forKey: id) else { return }
        uses[connection.party]?.open -= 1
        uses[connection.party]?.last = now
        ended.append((connection, now))
        // Only connections that ended lately can explain a held connection, which is held only for `patience`.
        if ended.count > 2 * Self.recent { ended.removeFirst(Self.recent) }
    }

    /// Forgets the parties whose time has passed; if too many remain, forgets everything.
    private mutating func forget(before moment: Timestamp) {
        guard uses.count >= Self.remembered else { return }
        uses = uses.filter { $0.value.open > 0 || $0.value.last >= moment }
        guard uses.count >= Self.remembered else { return }
        uses = [:]
        users = [:]
        ended = []
    }

    private static func party(of flow: FlowRecord) -> Party? {
        let asked = flow.authority.map { text in
            (try? Authority(text, defaultPort: 443))?.host.description ?? text
        }
        guard let host = flow.clientHello?.serverName ?? asked else { return nil }
        let peer = flow.client.lastIndex(of: ":").map { flow.client[..<$0] } ?? flow.client[...]
        let address = peer.hasPrefix("[") ? peer.dropFirst().dropLast() : peer
        return Party(
            address: String(address),
            user: flow.proxyUser,
            pid: flow.clientProcess?.pid,
            host: host.lowercased()
        )
    }
}

extension ConnectionHistory.Use {
    /// Whether a connection was in use at `moment`, at most some minutes before it, or later.
    fileprivate func counts(at moment: Timestamp) -> Bool {
        open > 0 || last >= moment - ConnectionHistory.memory
    }
}

extension FlowEvent {
    /// Whether the event is the end of a connection, or names the process of one.
    package var isOfConnection: Bool {
        switch self {
        case .flow(let record): record.closed != nil
        case .clientProcess: true
        case .exchange, .bodyPart, .bodyPiece, .webSocketMessage, .webSocketPart, .leftOut, .packet, .secret:
            false
        }
    }
}

extension FlowRecord {
    /// Whether the connection succeeded, and no request came over it.
    fileprivate var isUnused: Bool {
        treatment == .intercepted && exchanges == 0 && outcome?.kind == .completed && clientHandshake != nil
            && !isFailed
    }

    /// Whether the client closed the connection before its first request, and gave no reason.
    fileprivate var mayBeSpare: Bool {
        guard exchanges == 0, serverHandshake?.failure == nil, let outcome else { return false }
        guard let failure = clientHandshake?.failure else {
            return outcome.kind == .aborted && outcome.fault == .client && treatment == .intercepted
        }
        // close_notify and user_canceled state no reason.
        let isSilent = failure.alert.map { [0, 90].contains($0.code) } ?? true
        return failure.isHint && failure.endedBy == .client && isSilent
    }

    /// The record of a connection that the client did not need.
    fileprivate var spare: FlowRecord {
        var record = self
        record.clientHandshake?.failure = nil
        record.outcome = Outcome(
            .spare,
            detail: "the client closed a spare connection: it sent its requests to this host over another one"
        )
        return record
    }

    /// The record of a connection without requests.
    fileprivate var unused: FlowRecord {
        var record = self
        let detail = outcome?.detail ?? ""
        record.outcome = Outcome(.spare, detail: "no request came over this connection: \(detail)")
        return record
    }
}
