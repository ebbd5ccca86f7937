import PinholeCrypto
import PinholeModel

/// What one visit of a program shows: the wire, and how the program ended.
struct WireStory {
    /// What the man in the middle saw of the program's connections to the lab.
    private let meant: WireObservation
    /// What it saw of the others.
    private let strays: WireObservation
    private let visit: AuditVisit
    private let host: Host
    private let attempts: [String]

    /// Tells the connections to the lab from others.
    ///
    /// - Parameters:
    ///   - wire: What the man in the middle saw.
    ///   - visit: How the program ended.
    ///   - host: The honest server.
    ///   - ports: The ports of the lab's server.
    ///   - attempts: What somebody on the way noted of each attempt.
    init(
        _ wire: WireObservation,
        _ visit: AuditVisit,
        host: Host,
        ports: [UInt16],
        attempts: [String] = []
    ) {
        self.visit = visit
        self.attempts = attempts
        self.host = host
        // A program may speak with others, too; a listener's port is another one in its requests than here.
        let requested = Set(wire.exchanges.filter { ports.contains($0.authority.port) }.map(\.flow))
        let isMeant: (FlowRecord) -> Bool = { flow in
            !Self.isMistaken(flow, wire)
                && (requested.contains(flow.id)
                    || ports.contains { flow.authority?.hasSuffix(":\($0)") == true })
        }
        meant = wire.filtered(isMeant)
        strays = wire.filtered { !isMeant($0) }
    }

    /// Whether a program took the proxy for its server: it shook hands with it, and asked as one asks a server.
    private static func isMistaken(_ flow: FlowRecord, _ wire: WireObservation) -> Bool {
        guard flow.inbound?.version != nil, flow.treatment == .plain else { return false }
        return wire.exchanges.contains { exchange in
            guard exchange.flow == flow.id else { return false }
            let target = exchange.request.head.drop { $0 != 0x20 }.dropFirst()
            return exchange.scheme == .https || target.first == 0x2f
        }
    }

    /// What the program decided.
    ///
    /// - Parameter reading: How signals are read.
    /// - Returns: The decision, and what it rests on.
    func observation(by reading: AuditReading) -> Observation {
        var observation: Observation
        let signals = reading.signals(of: meant, host: host, attempts: attempts)
        if let (decision, decisive) = WireClassifier.decision(of: signals, by: reading) {
            var summary = decisive.sentence
            if decision == .undecided, signals.contains(where: { reading.decision(of: $0) == .rejected }) {
                summary = "Of \(signals.count) connections some were refused, and one was not: \(summary)"
            }
            // What a program says of its refusal shows whether it had the reason that is looked for.
            if decision != .accepted, visit.end != .done { summary += " \(visit.phrase.asSentence)" }
            observation = Observation(decision, summary)
            observation.signal = decisive
        } else {
            observation = Observation(.undecided, nobodyCame)
        }
        let chain = meant.flows.lazy.compactMap(\.clientHandshake?.presentedChain).first ?? []
        observation.presented = chain.compactMap { try? Certificate(der: $0).facts }
        observation.wire = meant
        return observation
    }

    /// Why nothing is said of a program that did not come.
    private var nobodyCame: String {
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
    /// What concerns some of the connections alone.
    fileprivate func filtered(_ isIncluded: (FlowRecord) -> Bool) -> WireObservation {
        var part = WireObservation()
        part.flows = flows.filter(isIncluded)
        let ids = Set(part.flows.map(\.id))
        part.exchanges = exchanges.filter { ids.contains($0.flow) }
        return part
    }
}
