import PinholeLock
import PinholeModel

/// How many connections wait for the answer of a proxy of SOCKS, by the server that they are to reach.
///
/// SOCKS has no field in which a proxy could say that a request was there before, so that one which leads back is told
/// by the many that nobody answers.
final class UnansweredDials: Sendable {
    private struct Place {
        var count = 0
        /// Whether there were too many, or nearly: what is refused until the last has ended goes round in a circle.
        var isCircle = false
    }

    private let limit: Int
    private let places = Lock<[Authority: Place]>([:])

    /// Nothing waits yet.
    ///
    /// - Parameter limit: How many may wait for one server.
    init(limit: Int) { self.limit = limit }

    /// One more is to wait for `server`.
    ///
    /// - Returns: Whether it may; one that may has to be ended.
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

    /// One of those that wait for `server` was refused.
    ///
    /// - Returns: Whether that is since it went round in a circle: of two proxies the other one may have noticed first.
    func isCircle(_ server: Authority) -> Bool {
        places.withLock { places in
            guard let place = places[server] else { return false }
            let isCircle = place.isCircle || place.count > limit * 3 / 4
            places[server]?.isCircle = isCircle
            return isCircle
        }
    }

    /// One of those that waited for `server` waits no longer.
    func end(_ server: Authority) {
        places.withLock { places in
            places[server]?.count -= 1
            if places[server]?.count == 0 { places[server] = nil }
        }
    }
}
