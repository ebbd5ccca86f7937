import PinholeCrypto
import PinholeModel

/// The facts of one visit of a program: its connections, and how the program ended.
struct WireTranscript {
    /// The connections of the program to the lab, as the man in the middle saw them.
    private let meant: WireObservation
    /// The connections of the program to other servers.
    private let strays: WireObservation
    private let visit: AuditVisit
    private let host: Host
    private let attempts: [String]
    private let before: [WireSignal]

    /// Separates the connections to the lab from the others.
    ///
    /// - Parameters:
    ///   - wire: The records of the man in the middle.
    ///   - visit: The end of the program.
    ///   - host: The honest server.
    ///   - ports: The ports of the lab's server.
    ///   - attempts: The notes of a tampering relay about each attempt.
    ///   - before: The signals of the connections before TLS began.
    init(
        _ wire: WireObservation,
        _ visit: AuditVisit,
        host: Host,
        ports: [UInt16],
        attempts: [String] = [],
        before: [WireSignal] = []
    ) {
        self.before = before
        self.visit = visit
        self.attempts = attempts
        self.host = host
        // A program may also speak with other servers. A listener's port differs between the program's requests and
        // here.
        let requested = Set(wire.exchanges.filter { ports.contains($0.authority.port) }.map(\.flow))
        let isMeant: (FlowRecord) -> Bool = { flow in
            !Self.isMistaken(flow, wire)
                && (requested.contains(flow.id)
                    || ports.contains { flow.authority?.hasSuffix(":\($0)") == true })
        }
        meant = wire.filtered(isMeant)
        strays = wire.filtered { !isMeant($0) }
    }

    /// Whether a program took the proxy for its server: it shook hands with it, and sent a request as to a server.
    private static func isMistaken(_ flow: FlowRecord, _ wire: WireObservation) -> Bool {
        guard flow.inbound?.version != nil, flow.treatment == .plain else { return false }
        return wire.exchanges.contains { exchange in
            guard exchange.flow == flow.id else { return false }
            let target = exchange.request.head.drop { $0 != 0x20 }.dropFirst()
            return exchange.scheme == .https || target.first == 0x2f
        }
    }

    /// Decides whether the program accepted its peer.
    ///
    /// - Parameter reading: The rule by which signals are read.
    /// - Returns: The decision, and the signal that it rests on.
    func observation(by reading: AuditReading) -> Observation {
        var observation: Observation
        // A connection that came to TLS shows there what the client decided.
        let earlier = before.filter { meant.flows.isEmpty || $0 != .aborted(nil) }
        let signals = earlier + reading.signals(of: meant, host: host, attempts: attempts)
        if let (decision, decisive) = WireClassifier.decision(of: signals, by: reading) {
            var summary = decisive.sentence
            if decision == .undecided, signals.contains(where: { reading.decision(of: $0) == .rejected }) {
                summary = "Of \(signals.count) connections some were refused, and one was not: \(summary)"
            }
            // The message of a program about its refusal shows whether it refused for the expected reason.
            if decision != .accepted, visit.end != .done { summary += " \(visit.phrase.asSentence)" }
            observation = Observation(decision, summary)
            observation.signal = decisive
        } else {
            observation = Observation(.undecided, noConnectionReason)
        }
        let chain = meant.flows.lazy.compactMap(\.clientHandshake?.presentedChain).first ?? []
        observation.presented = chain.compactMap { try? Certificate(der: $0).facts }
        observation.wire = meant
        return observation
    }

    /// The reason why a program that made no connection is undecided.
    private var noConnectionReason: String {
        let end = visit.phrase
        if strays.flows.contains(where: { Self.isMistaken($0, strays) }) {
            return """
                The program connected to the proxy, took it for its server and asked it for no tunnel; programs that use no \
                proxy need --listen; \(end).
                """
        }
        if let request = strays.exchanges.first(where: { $0.scheme == .http }) {
            return """
                The program made no TLS connection: it sent \(request.method) \(request.url) in the clear, through the \
                proxy; \(end).
                """
        }
        let elsewhere = Set(strays.flows.compactMap(\.authority)).sorted()
        if !elsewhere.isEmpty {
            let places = elsewhere.prefix(3).joined(separator: ", ")
            return "The program made no connection to the lab but to \(places); \(end)."
        }
        if let flow = strays.flows.first {
            let detail = flow.outcome?.detail ?? "the connection was left open"
            let why = detail.hasSuffix(".") ? String(detail.dropLast()) : detail
            return """
                The program connected to the proxy and asked it for no tunnel (\(why)); programs that use no proxy need \
                --listen; \(end).
                """
        }
        return "The program made no connection to the lab: it went past it, or did not get that far; \(end)."
    }
}

extension WireObservation {
    /// Returns the connections that a predicate includes, with what belongs to them.
    fileprivate func filtered(_ isIncluded: (FlowRecord) -> Bool) -> WireObservation {
        var part = WireObservation()
        part.pace = pace
        part.flows = flows.filter(isIncluded)
        let ids = Set(part.flows.map(\.id))
        part.exchanges = exchanges.filter { ids.contains($0.flow) }
        return part
    }
}
