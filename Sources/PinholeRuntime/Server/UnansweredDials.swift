import PinholeLock
import PinholeModel

/// The number of connections that wait for the answer of a SOCKS proxy, by the server that they are to reach.
///
/// SOCKS has no field by which a proxy could recognise its own request. So a SOCKS proxy that leads back here
/// is detected by many unanswered connections to the same server.
final class UnansweredDials: Sendable {
    private struct Place {
        var count = 0
        /// Whether there were too many waiting connections, or nearly.
        ///
        /// Until the last one ends, refusals count as a loop.
        var isCircle = false
    }

    private let limit: Int
    private let places = Lock<[Authority: Place]>([:])

    /// Creates an empty count.
    ///
    /// - Parameter limit: The largest number of connections that may wait for one server.
    init(limit: Int) { self.limit = limit }

    /// Counts one more connection that waits for `server`.
    ///
    /// - Returns: Whether it may wait. If so, ``end(_:)`` has to be called later.
    func begin(_ server: Authority) -> Bool {
        places.withLock { places in
            guard places[server, default: Place()].count < limit else {
                places[server]?.isCircle = true
                return false
            }
            places[server, default: Place()].count += 1
            return true
        }
    }

    /// Notes that the proxy refused a connection to `server`.
    ///
    /// - Returns: Whether the reason is a loop. With two proxies, the other one may have noticed the loop first.
    func isCircle(_ server: Authority) -> Bool {
        places.withLock { places in
            guard let place = places[server] else { return false }
            let isCircle = place.isCircle || place.count > limit * 3 / 4
            places[server]?.isCircle = isCircle
            return isCircle
        }
    }

    /// Counts one connection less that waits for `server`.
    func end(_ server: Authority) {
        places.withLock { places in
            places[server]?.count -= 1
            if places[server]?.count == 0 { places[server] = nil }
        }
    }
}
