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
    }

    /// Different failures that are told one by one.
    private static let told = 10

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
            case .flow:
                state.relayed += 1
            }
        }
    }

    /// The lines to be told.
    var lines: [String] {
        state.withLock { state in
            var first =
                "\(Self.count(state.exchanges, "exchange")) with \(Self.count(state.hosts.count, "host"))"
            if state.troubled > 0 { first += ", \(state.troubled) of them not carried through" }
            if state.relayed > 0 { first += "; \(Self.count(state.relayed, "tunnel")) relayed unread" }
            let failures = state.failures.sorted { $0.key < $1.key }.prefix(Self.told).map { text, count in
                "failed\(count > 1 ? " \(count) times" : ""): \(Plain.printable(text))"
            }
            let rest = state.failures.count - failures.count
            return [first] + failures
                + (rest > 0 ? ["and \(Self.count(rest, "other failure")) (pinhole flows list --failed)"] : [])
        }
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
