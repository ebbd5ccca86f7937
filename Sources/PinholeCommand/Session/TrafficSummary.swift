import PinholeConsole
import PinholeLock
import PinholeModel

/// Counts what passed, to be told at the end.
final class TrafficSummary: Sendable {
    private struct State {
        var exchanges = 0
        var troubled = 0
        var relayed = 0
        var hosts: Set<Authority> = []
        var failures: [String: Int] = [:]
        /// Handshakes that clients ended.
        var refusals = 0
        /// The refusals by clients that do not trust the CA, as they said or as is likely.
        var distrusts = 0
    }

    /// Different failures that are told one by one.
    private static let told = 10

    /// The ways in which a client ends a handshake because it does not trust the certificate.
    private static let causesOfDistrust: Set<HandshakeFailure.Cause> = [
        .authorityNotTrusted, .certificateRefused, .looksPinned, .closed, .reset,
    ]

    private let state = Lock(State())

    /// Counts an event.
    func note(_ event: TrafficEvent) {
        state.withLock { state in
            switch event {
            case .exchange(let record):
                state.exchanges += 1
                state.hosts.insert(record.authority)
                if record.trouble != nil { state.troubled += 1 }
            case .flow(let record) where record.isFailed:
                state.failures["\(record.authority ?? record.client): \(record.cause)", default: 0] += 1
                guard let failure = record.clientHandshake?.failure else { break }
                state.refusals += 1
                if Self.causesOfDistrust.contains(failure.cause) { state.distrusts += 1 }
            case .flow:
                state.relayed += 1
            }
        }
    }

    /// The lines of the summary.
    ///
    /// - Parameters:
    ///   - connections: How many connections reached the proxy.
    ///   - unreached: The lines in the case that no connection did.
    /// - Returns: The lines.
    func lines(connections: Int, unreached: [String]) -> [String] {
        guard connections > 0 else { return unreached }
        return state.withLock { state in
            var first =
                "\(Self.count(state.exchanges, "exchange")) with \(Self.count(state.hosts.count, "host"))"
            if state.troubled > 0 { first += ", \(state.troubled) of them not carried through" }
            if state.relayed > 0 { first += "; \(Self.count(state.relayed, "tunnel")) relayed unread" }
            let failures = state.failures.sorted { $0.key < $1.key }.prefix(Self.told).map { text, count in
                "failed\(count > 1 ? " \(count) times" : ""): \(Plain.printable(text))"
            }
            let rest = state.failures.count - failures.count
            return [first] + Self.remarks(state, connections) + failures
                + (rest > 0 ? ["and \(Self.count(rest, "other failure")) (pinhole flows list --failed)"] : [])
        }
    }

    /// The reasons why no exchange was seen, as far as they are known.
    private static func remarks(_ state: State, _ connections: Int) -> [String] {
        guard state.exchanges == 0, state.relayed == 0 else { return [] }
        let all = count(connections, "connection")
        guard state.distrusts > 0, state.distrusts == state.refusals, state.refusals == connections else {
            return state.failures.isEmpty ? ["\(all) reached the proxy, and no request came by them"] : []
        }
        return [
            """
            \(all) reached the proxy, and the program refused Pinhole's certificate each time: it does not trust the CA, or it pins
              to mend it: trust the CA where the program looks for CAs (docs/TROUBLESHOOTING.md names the places), or \
            pinhole run --isolate, which adds it to the system's CAs for this program alone
            """
        ]
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
