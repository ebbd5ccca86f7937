import PinholeLock
import PinholeModel

/// How often rules have acted, by their names.
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

    /// Exchanges on which the rule of this name acted.
    subscript(_ name: String) -> Int { counts.withLock { $0[name] ?? 0 } }
}
