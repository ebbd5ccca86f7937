import PinholeModel
import PinholeProxy

/// Idle connections to servers, kept for reuse by the tunnels of one loop.
///
/// The key of a connection is its authority, the name that its certificate had to have, the upstream proxy,
/// and the proxy user it was made for: no user gets a connection that served another one. The pool watches
/// idle connections, and closes a connection that ends or receives anything but messages of TLS itself.
final class ServerPool: ReadinessHandler, TimerHandler {
    /// An idle connection.
    struct Entry: ~Copyable {
        let socket: Socket
        let token: EventLoop.Token
        let stack: Boxed<HTTPPeer>
        /// The target of the connection.
        let target: DialTarget
        let secured: SecuredServer?
        let address: String

        consuming func dismantle() -> Parts {
            Parts(socket: socket, token: token, stack: stack)
        }
    }

    /// The parts of an entry for its next owner.
    struct Parts: ~Copyable {
        let socket: Socket
        let token: EventLoop.Token
        let stack: Boxed<HTTPPeer>
    }

    /// The key that distinguishes connections.
    fileprivate struct Key: Hashable {
        let authority: Authority
        /// The host that the certificate had to name; `nil` for a plain connection.
        let host: Host?
        /// The proxy that the connection leads through; `nil` if it is direct.
        let hop: NextHop?
        let isForwarded: Bool
        /// The original address, if the clients' connections had one.
        let address: Authority?
        /// The proxy user the connection was made for; `nil` if there was no login.
        let user: String?

        init(_ target: DialTarget, host: Host?) {
            authority = target.place
            self.host = host
            hop = target.hop
            isForwarded = target.isForwarded
            address = target.address
            user = target.user
        }

        var guess: Guess { Guess(authority: authority, user: user) }
    }

    /// The facts about a client before its ClientHello names the host.
    fileprivate struct Guess: Hashable {
        let authority: Authority
        let user: String?
    }

    fileprivate final class Place {
        var entry: Entry?
        let number: Int
        let key: Key
        let expires: Timestamp

        init(_ entry: consuming Entry, number: Int, key: Key, expires: Timestamp) {
            self.entry = consume entry
            self.number = number
            self.key = key
            self.expires = expires
        }
    }

    private let limits: Limits
    private var places: [Int: Place] = [:]
    private var byKey: [Key: [Int]] = [:]
    /// The keys of the TLS connections that were added last.
    ///
    /// The next client is likely to need the same.
    private var guesses: [Guess: Key] = [:]
    private var nextNumber = 0
    private var hasTimer = false

    init(limits: Limits) {
        self.limits = limits
    }

    /// Keeps a connection.
    ///
    /// If there are too many, the oldest one is closed.
    func put(_ entry: consuming Entry, on loop: isolated EventLoop) {
        guard limits.pooledConnections > 0 else {
            return loop.unregister(entry.token, descriptor: entry.socket.descriptor)
        }
        if places.count >= limits.pooledConnections, let oldest = places.keys.min() { drop(oldest, on: loop) }
        nextNumber += 1
        loop.transfer(entry.token, to: self, tag: nextNumber)
        let authority = entry.target.place
        let key = Key(entry.target, host: entry.secured?.host(at: authority))
        places[nextNumber] = Place(
            entry,
            number: nextNumber,
            key: key,
            expires: loop.now + limits.pooledIdle
        )
        byKey[key, default: []].append(nextNumber)
        if key.host != nil { guesses[key.guess] = key }
        schedule(on: loop)
    }

    /// Takes the connection that was used last, since its server is least likely to close it.
    ///
    /// A client that resolves names itself asks for an address and names the host only in its ClientHello.
    /// Until then the name is a guess, and the connection comes from the name that was used last at this authority.
    func take(_ target: DialTarget, on loop: isolated EventLoop) -> Entry? {
        let key = Key(target, host: target.serverName?.host)
        let guess = target.isNameGuessed ? guesses[key.guess] : nil
        let isSameWay = guess?.hop == key.hop && guess?.address == key.address
        guard let number = byKey[isSameWay ? guess ?? key : key]?.last, let place = remove(number) else {
            return nil
        }
        return place.entry.take()
    }

    /// Closes every connection.
    func removeAll(on loop: isolated EventLoop) {
        for number in Array(places.keys) { drop(number, on: loop) }
    }

    func ready(_ readiness: Readiness, tag: Int, on loop: isolated EventLoop) {
        guard readiness.contains(.readable), let place = places[tag] else { return }
        guard !readiness.contains(.ended), place.isStillIdle(limits.readSize) else {
            return drop(tag, on: loop)
        }
    }

    func timerFired(tag: Int, on loop: isolated EventLoop) {
        hasTimer = false
        for place in places.values where place.expires <= loop.now { drop(place.number, on: loop) }
        schedule(on: loop)
    }

    private func schedule(on loop: isolated EventLoop) {
        guard !hasTimer, !places.isEmpty else { return }
        hasTimer = true
        loop.schedule(at: loop.now + limits.pooledIdle, self)
    }

    private func remove(_ number: Int) -> Place? {
        guard let place = places.removeValue(forKey: number) else { return nil }
        byKey[place.key]?.removeAll { $0 == number }
        if byKey[place.key]?.isEmpty == true {
            byKey[place.key] = nil
            if guesses[place.key.guess] == place.key { guesses[place.key.guess] = nil }
        }
        return place
    }

    private func drop(_ number: Int, on loop: isolated EventLoop) {
        guard let place = remove(number), let entry = place.entry.take() else { return }
        loop.unregister(entry.token, descriptor: entry.socket.descriptor)
    }
}

extension ServerPool.Place {
    /// Reads available data.
    ///
    /// Session tickets are accepted; any other data means that the connection is not idle.
    fileprivate func isStillIdle(_ limit: Int) -> Bool {
        guard let entry = entry.take() else { return false }
        var isIdle = true
        reading: while true {
            switch entry.socket.read(into: &entry.stack.value.inbox, limit: limit) {
            case .bytes: isIdle = entry.stack.value.isStillIdle(limit: limit) && isIdle
            case .wouldBlock: break reading
            case .end, .failed:
                isIdle = false
                break reading
            }
        }
        entry.stack.value.inbox.releaseIfEmpty()
        self.entry = consume entry
        return isIdle
    }
}
