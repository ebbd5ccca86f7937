package import PinholeModel
import Synchronization

/// The bounds on what the clients of an origin may use.
package struct OriginBounds: Sendable {
    /// The places for connections.
    package var admission: AdmissionBounds
    /// The largest body of a request, in bytes; a longer one is refused.
    package var bodyBytes: Int64
    /// The largest number of bytes of bodies that all connections together keep.
    package var keptBytes: Int
    /// The time in which a request must arrive, from the first byte of its head.
    package var requestTime: Duration
    /// The time in which a client must read a part of an answer.
    package var stallTime: Duration

    /// The bounds of an origin that the process itself, and programs that it tests, use on loopback.
    ///
    /// Tests send long bodies, and slowly.
    package static let embedded = OriginBounds(
        admission: .embedded,
        bodyBytes: .max,
        keptBytes: 512 << 20,
        requestTime: .seconds(600),
        stallTime: .seconds(600)
    )

    /// The bounds of a lesson's server: no answer of it depends on a body, and a login is the longest.
    package static let lesson = OriginBounds(
        admission: .lesson,
        bodyBytes: 64 << 10,
        keptBytes: 4 << 20,
        requestTime: .seconds(30),
        stallTime: .seconds(60)
    )
}

/// Counts the bytes of bodies that the connections of one origin keep.
final class OriginBodies: Sendable {
    private let kept = Atomic<Int>(0)

    /// Counts more bytes, and returns whether they fit.
    func take(_ count: Int, of limit: Int) -> Bool {
        guard kept.add(count, ordering: .relaxed).newValue > limit else { return true }
        give(back: count)
        return false
    }

    func give(back count: Int) { kept.subtract(count, ordering: .relaxed) }
}
