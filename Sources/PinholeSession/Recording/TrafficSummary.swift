package import PinholeFormats
import PinholeLock
import PinholeModel
import PinholeRules

/// Counts the traffic for a summary at the end.
package final class TrafficSummary: Sendable {
    private struct State {
        var exchanges = 0
        var troubled = 0
        /// The number of exchanges that a rule answered, failed ones included.
        var ruled = 0
        /// The flows without a failure, by their results.
        var flows: [Standing: Int] = [:]
        var hosts: Set<Authority> = []
        var failures: [String: Int] = [:]
        /// The first of the failures, by their texts, in which Pinhole refused the certificate of a server.
        var refusedServer: String?
        /// The number of handshakes that clients ended.
        var refusals = 0
        /// The refusals that look like a pin, of clients that may trust the CA.
        var pins = 0
        /// The refusals by clients that do not trust the CA, as they said or as is likely.
        var distrusts = 0
        /// The refusals by clients that said so themselves, by an alert about the certificate.
        var certainDistrusts = 0
    }

    /// The maximum count of different failures that are listed.
    private static let told = 10

    /// The ways in which a client ends a handshake because it does not trust the certificate.
    private static let causesOfDistrust: Set<HandshakeFailure.Cause> = [
        .authorityNotTrusted, .certificateRefused, .looksPinned, .closed, .reset,
    ]

    /// The results of tunnels that a client used.
    private static let tunnels: [Standing] = [.relayed, .stopped]

    private let state = Lock(State())

    /// Creates an empty summary.
    package init() {}

    /// The number of exchanges.
    package var exchanges: Int { state.withLock { $0.exchanges } }

    /// Counts an event.
    package func note(_ event: TrafficEvent) {
        state.withLock { state in
            switch event {
            case .exchange(let record):
                state.exchanges += 1
                state.hosts.insert(record.authority)
                if record.isFailed { state.troubled += 1 }
                if record.isAnsweredByRule { state.ruled += 1 }
            case .flow(let record) where record.isFailed:
                let place = record.authority ?? record.server ?? "a connection that named no server"
                let text = "\(place): \(record.remark)"
                state.failures[text, default: 0] += 1
                if record.serverHandshake?.failure?.cause == .serverCertificateRefused {
                    state.refusedServer = min(state.refusedServer ?? text, text)
                }
                guard let failure = record.clientHandshake?.failure else { break }
                state.refusals += 1
                if failure.cause == .looksPinned { state.pins += 1 }
                if Self.causesOfDistrust.contains(failure.cause) { state.distrusts += 1 }
                if [.authorityNotTrusted, .certificateRefused].contains(failure.cause), !failure.isHint {
                    state.certainDistrusts += 1
                }
            case .flow(let record):
                if let standing = record.standing { state.flows[standing, default: 0] += 1 }
            }
        }
    }

    /// Returns the lines of the summary.
    ///
    /// - Parameters:
    ///   - connections: How many connections reached the proxy.
    ///   - unreached: The lines in the case that no connection did.
    ///   - isIsolated: Whether the program ran with `--isolate`.
    /// - Returns: The lines.
    package func lines(connections: Int, unreached: [String], isIsolated: Bool = false) -> [String] {
        guard connections > 0 else { return unreached }
        return state.withLock { state in
            var first =
                "\(Plain.count(state.exchanges, "exchange")) with \(Plain.count(state.hosts.count, "host"))"
            if state.troubled > 0 { first += ", \(state.troubled) of them failed" }
            if state.ruled > 0 { first += ", \(state.ruled) of them answered by a rule" }
            for standing in Self.tunnels {
                guard let count = state.flows[standing] else { continue }
                first += "; \(Plain.count(count, "tunnel")) \(standing.rawValue)"
            }
            let failures = state.failures.sorted { $0.key < $1.key }.prefix(Self.told).map { text, count in
                "failed\(count > 1 ? " \(count) times" : ""): \(Plain.printable(text))"
                    + (text == state.refusedServer ? Self.remedyOfRefusal : "")
            }
            let rest = state.failures.count - failures.count
            return [first] + Self.remarks(state, connections, isIsolated) + failures
                + (rest > 0
                    ? ["and \(Plain.count(rest, "other failure")) (pinhole flows list --failed)"] : [])
        }
    }

    private static let remedyOfRefusal = """

          to fix it: --upstream-ca FILE names a CA of your own; --danger-accept HOST accepts one server, whatever it presents
        """

    /// Returns the known reasons why exchanges are missing.
    private static func remarks(_ state: State, _ connections: Int, _ isIsolated: Bool) -> [String] {
        let trust =
            "trust the CA where the program looks for CAs "
            + "(docs/CLIENTS.md#programs-that-need-more-than-variables names the places)"
            + (isIsolated
                ? "" : ", or pinhole run --isolate, which adds it to the system's CAs for this program alone")
        guard state.exchanges == 0, !Self.tunnels.contains(where: { state.flows[$0] != nil }) else {
            guard state.certainDistrusts > 0 else { return [] }
            return [
                """
                \(Plain.count(state.certainDistrusts, "handshake")) failed because the client does not trust Pinhole's CA, or pins
                  to fix it: \(trust)
                """
            ]
        }
        let all = Plain.count(connections, "connection")
        guard state.distrusts > 0, state.distrusts == state.refusals, state.refusals == connections else {
            let them = connections == 1 ? "it" : "them"
            return state.failures.isEmpty ? ["\(all) reached the proxy, and no request came by \(them)"] : []
        }
        if state.pins == state.refusals {
            return [
                """
                \(all) reached the proxy, and the program closed each without a request once it had seen Pinhole's certificate: \
                the program pins the server's certificate, or had nothing to send
                  to fix it: name the host in tls.passthrough, or run a build without pins (docs/TROUBLESHOOTING.md#the-tls-handshake-fails)
                """
            ]
        }
        return [
            """
            \(all) reached the proxy, and the program refused Pinhole's certificate each time: the program does not trust the CA, or pins
              to fix it: \(trust)
            """
        ]
    }
}

extension ExchangeRecord {
    /// Whether a rule answered in the server's place.
    fileprivate var isAnsweredByRule: Bool {
        outcome?.kind == .answeredByProxy && rules.contains { RuleKind(rawValue: $0.kind)?.answers == true }
    }
}
