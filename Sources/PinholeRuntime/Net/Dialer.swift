import Glibc
package import PinholeModel
package import PinholeProxy

/// Requests a connection and receives the result.
package protocol DialerOwner: AnyObject {
    /// Whether an address may be dialed; `false` for Pinhole's own listeners.
    func mayConnect(to address: SocketAddress) -> Bool
    /// Receives the result, once.
    func dialed(_ end: Dialer.End, on loop: isolated EventLoop)
}

/// Connects to one authority.
///
/// The dialer tries the resolved addresses in parallel with a delay between them (Happy Eyeballs, RFC 8305),
/// and keeps the first connection that succeeds.
///
/// A dialer belongs to its loop and ends exactly once: with a socket, with a failure, or by ``cancel(on:)``.
package final class Dialer: ReadinessHandler, TimerHandler {
    /// The result of a dialer.
    package enum End: Sendable {
        /// A connection is open.
        case connected(socket: Int32, address: SocketAddress, report: Report)
        /// All addresses failed, or there was none.
        case failed(DialFailure, report: Report)
    }

    /// The attempts and their times.
    package struct Report: Sendable, Equatable {
        /// The time of the look-up; `nil` if there was none.
        package var resolve: Duration?
        /// The time from the look-up to the connection.
        package var connect: Duration?
        /// The attempts, one for each address.
        package var dials: [DialRecord] = []
        /// The proxy that the connection leads through; `nil` if there is none.
        package var hop: String?

        /// The facts about a connection to `address`.
        func facts(of address: SocketAddress) -> DialedServer {
            var facts = DialedServer(address: address.description)
            facts.dials = dials
            facts.resolve = resolve
            facts.connect = connect
            facts.hop = hop
            return facts
        }
    }

    private struct Attempt {
        let address: SocketAddress
        let started: Timestamp
        let token: EventLoop.Token
        let descriptor: Int32
    }

    private static let staggerTag = 0
    private static let deadlineTag = 1

    private let authority: Authority
    private let limits: Limits
    private let outgoing: OutgoingConnections
    private weak var owner: (any DialerOwner)?
    private var started: Timestamp
    private var connectStarted: Timestamp?
    private var waiting: [SocketAddress] = []
    private var attempts: [Int: Attempt] = [:]
    private var nextAttempt = 0
    private var report = Report()
    private var timers: [TimerID] = []
    private var lastFailure = DialFailure(.unreachable, "no address was tried")

    /// Creates a dialer.
    ///
    /// - Parameters:
    ///   - authority: The server to reach.
    ///   - limits: The deadline and the delay between attempts.
    ///   - now: The time.
    ///   - outgoing: Makes the connections.
    ///   - owner: Receives the result.
    package init(
        _ authority: Authority,
        limits: Limits,
        now: Timestamp,
        outgoing: OutgoingConnections = OutgoingConnections(),
        owner: any DialerOwner
    ) {
        self.authority = authority
        self.limits = limits
        self.outgoing = outgoing
        self.owner = owner
        started = now
    }

    /// Begins to connect with the answer of the resolver.
    package func begin(_ answer: Resolver.Answer, on loop: isolated EventLoop) {
        guard owner != nil else { return }
        report.resolve = authority.host.name == nil ? nil : loop.now - started
        switch answer {
        case .failure(let failure):
            end(.failed(DialFailure(.unresolvable, failure.description), report: report), on: loop)
        case .success(let addresses):
            let sources = outgoing.sources
            waiting = addresses.filter(sources.reaches).map { SocketAddress($0, port: authority.port) }
            if waiting.isEmpty, !addresses.isEmpty {
                lastFailure = DialFailure(
                    .unreachable,
                    """
                    \(authority.host) has no address of the family of \(sources), from which servers are reached \
                    (upstream.addresses)
                    """
                )
            }
            connectStarted = loop.now
            timers.append(loop.schedule(at: loop.now + limits.connectTimeout, self, tag: Self.deadlineTag))
            tryNext(on: loop)
        }
    }

    /// Ends all attempts without calling the owner.
    package func cancel(on loop: isolated EventLoop) {
        owner = nil
        cleanUp(on: loop)
    }

    /// Handles the end of an attempt.
    package func ready(_ readiness: Readiness, tag: Int, on loop: isolated EventLoop) {
        guard let attempt = attempts[tag] else { return }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(attempt.descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        if code == 0, readiness.contains(.writable), !readiness.contains(.hungUp) {
            attempts[tag] = nil
            loop.unregister(attempt.token, descriptor: attempt.descriptor)
            note(attempt.address, attempt.started, failure: nil, on: loop)
            report.connect = connectStarted.map { loop.now - $0 }
            end(.connected(socket: attempt.descriptor, address: attempt.address, report: report), on: loop)
        } else if code != 0 || readiness.contains(.hungUp) {
            attempts[tag] = nil
            loop.unregister(attempt.token, descriptor: attempt.descriptor)
            close(attempt.descriptor)
            failed(attempt.address, attempt.started, code == 0 ? ECONNREFUSED : code, on: loop)
            tryNext(on: loop)
        }
    }

    /// Tries the next address, or ends at the deadline.
    package func timerFired(tag: Int, on loop: isolated EventLoop) {
        guard owner != nil else { return }
        if tag == Self.staggerTag { return tryNext(on: loop) }
        for attempt in attempts.values {
            note(attempt.address, attempt.started, failure: "no answer in time", on: loop)
        }
        let failure = DialFailure(
            .timedOut,
            "\(authority) did not answer within \(limits.connectTimeout.secondsText)"
        )
        end(.failed(failure, report: report), on: loop)
    }

    private func tryNext(on loop: isolated EventLoop) {
        while !waiting.isEmpty {
            let address = waiting.removeFirst()
            guard owner?.mayConnect(to: address) == true else {
                lastFailure = DialFailure(
                    .loop,
                    "\(address) is this proxy itself: the request would go round in circles"
                )
                continue
            }
            do throws(SystemFailure) {
                try begin(address, on: loop)
                if !waiting.isEmpty {
                    timers.append(
                        loop.schedule(
                            at: loop.now + limits.connectionAttemptDelay,
                            self,
                            tag: Self.staggerTag
                        )
                    )
                }
                return
            } catch {
                failed(address, loop.now, error.code, on: loop)
            }
        }
        if attempts.isEmpty { end(.failed(lastFailure, report: report), on: loop) }
    }

    private func begin(_ address: SocketAddress, on loop: isolated EventLoop) throws(SystemFailure) {
        let descriptor = try outgoing.connect(to: address)
        nextAttempt += 1
        do throws(SystemFailure) {
            let token = try loop.register(descriptor, self, tag: nextAttempt)
            attempts[nextAttempt] = Attempt(
                address: address,
                started: loop.now,
                token: token,
                descriptor: descriptor
            )
        } catch {
            close(descriptor)
            throw error
        }
    }

    private func failed(
        _ address: SocketAddress,
        _ started: Timestamp,
        _ code: Int32,
        on loop: isolated EventLoop
    ) {
        let reason = String(cString: strerror(code))
        note(address, started, failure: reason, on: loop)
        // An address of the proxy itself is a better explanation than a later refusal by another address.
        guard lastFailure.kind != .loop else { return }
        let source = outgoing.sources.source(for: address.address)
        let way = source.map { " from \($0) (upstream.addresses)" } ?? ""
        lastFailure = DialFailure(
            code == ECONNREFUSED ? .refused : .unreachable,
            "\(authority.host) (\(address)) cannot be reached\(way): \(reason)"
        )
    }

    private func note(
        _ address: SocketAddress,
        _ started: Timestamp,
        failure: String?,
        on loop: isolated EventLoop
    ) {
        report.dials.append(
            DialRecord(
                address: address.description,
                started: started,
                duration: loop.now - started,
                failure: failure
            )
        )
    }

    private func end(_ end: End, on loop: isolated EventLoop) {
        let owner = owner
        self.owner = nil
        cleanUp(on: loop)
        owner?.dialed(end, on: loop)
    }

    private func cleanUp(on loop: isolated EventLoop) {
        for attempt in attempts.values {
            loop.unregister(attempt.token, descriptor: attempt.descriptor)
            close(attempt.descriptor)
        }
        attempts = [:]
        for timer in timers { loop.cancel(timer) }
        timers = []
    }
}
