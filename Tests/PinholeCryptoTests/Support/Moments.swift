import Foundation
import PinholeModel

extension Timestamp {
    /// The clock of the machine, for verifiers that read it too.
    static var present: Timestamp { Timestamp(seconds: Int64(Date().timeIntervalSince1970)) }

    /// 2026-11-21T12:00:00Z.
    static let noon = Timestamp(seconds: 1_795_262_400)
}

extension Duration {
    static func days(_ count: Int64) -> Duration { .seconds(count * 86_400) }
}
