import PinholeLock
import PinholeModel

/// How often rules have acted, by their names.
final class RuleTally: Sendable {
    private let counts = Lock<[String: Int]>([:])

    /// Counts the exchanges that are over.
    func take(_ events: [FlowEvent]) {
        for event in events {
            guard case .exchange(let record) = event, record.outcome != nil, !record.rules.isEmpty else {
                continue
            }
            let names = Set(record.rules.map(\.rule))
            counts.withLock { counts in for name in names { counts[name, default: 0] += 1 } }
        }
    }

    /// Exchanges on which the rule of this name acted.
    subscript(_ name: String) -> Int { counts.withLock { $0[name] ?? 0 } }
}
