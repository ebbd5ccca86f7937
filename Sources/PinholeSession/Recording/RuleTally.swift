import PinholeLock
import PinholeModel

/// The number of exchanges on which each rule has acted, by the rule's name.
final class RuleTally: Sendable {
    private let counts = Lock<[String: Int]>([:])

    /// Counts the exchanges that are over.
    func take(_ events: [FlowEvent]) {
        for event in events {
            let hits: [RuleHit]
            switch event {
            case .exchange(let record) where record.outcome != nil: hits = record.rules
            case .leftOut(_, let rules): hits = rules
            default: continue
            }
            guard !hits.isEmpty else { continue }
            let names = Set(hits.map(\.rule))
            counts.withLock { counts in for name in names { counts[name, default: 0] += 1 } }
        }
    }

    /// Returns the number of exchanges on which the rule of this name has acted.
    subscript(_ name: String) -> Int { counts.withLock { $0[name] ?? 0 } }
}
