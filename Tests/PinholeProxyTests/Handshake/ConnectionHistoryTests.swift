import PinholeModel
import Testing

@testable import PinholeProxy

/// Which connections without a request are refusals, and which were not needed.
@Suite("ConnectionHistory")
struct ConnectionHistoryTests {
    private static let start = Timestamp(seconds: 1000)

    /// A flow to a host by a program; it was closed without a request where `cause` says how it looks.
    private static func flow(
        _ id: Int64,
        host: String = "shop.test",
        pid: Int32? = 7,
        address: String = "127.0.0.1",
        user: String? = nil,
        closed: Duration? = nil,
        cause: HandshakeFailure.Cause? = nil,
        alert: Alert? = nil
    ) -> FlowRecord {
        var flow = FlowRecord(
            id: FlowID(rawValue: id),
            opened: start,
            client: "\(address):\(50_000 + id)",
            listener: "127.0.0.1:8080"
        )
        flow.authority = "\(host):443"
        flow.treatment = .intercepted
        flow.proxyUser = user
        flow.clientProcess = pid.map { ClientProcess(pid: $0, name: "browser", path: nil) }
        flow.clientHandshake = HandshakeRecord(peer: .client, started: start, duration: .milliseconds(3))
        flow.closed = closed.map { start + $0 }
        if let cause {
            let failure = HandshakeFailure(
                cause,
                isHint: true,
                endedBy: .client,
                alert: alert,
                detail: "it left"
            )
            flow.clientHandshake?.failure = failure
            flow.outcome = Outcome(.handshakeFailed, fault: .client, detail: failure.detail)
        } else if closed != nil {
            flow.outcome = Outcome(.completed, detail: "the client closed the connection")
        }
        return flow
    }

    /// The records of flows among events, by their numbers.
    private static func flows(_ events: [FlowEvent]) -> [Int64: FlowRecord] {
        var flows: [Int64: FlowRecord] = [:]
        for case .flow(let record) in events { flows[record.id.rawValue] = record }
        return flows
    }

    /// The record of a connection with a request.
    private static func used(_ id: Int64, pid: Int32? = 7, closed: Duration? = nil) -> FlowRecord {
        var flow = flow(id, pid: pid, closed: closed)
        flow.exchanges = 1
        return flow
    }

    @Test(
        "a dropped connection to a host with another connection is spare",
        arguments: [HandshakeFailure.Cause.looksPinned, .closed, .reset, .mirroredFaultRefused]
    )
    func spare(cause: HandshakeFailure.Cause) throws {
        var history = ConnectionHistory()
        #expect(history.noteRequest(of: Self.used(1), at: Self.start).isEmpty)
        let passed = history.take([.flow(Self.flow(2, closed: .seconds(1), cause: cause))])
        let record = try #require(Self.flows(passed)[2])
        #expect(record.outcome?.kind == .spare && record.outcome?.fault == nil)
        #expect(!record.isFailed && record.clientHandshake?.failure == nil)
        #expect(!history.isHolding)
    }

    @Test("a connection that was closed before the used one is judged when the used one has a request")
    func before() throws {
        var history = ConnectionHistory()
        let dropped = Self.flow(1, closed: .seconds(1), cause: .looksPinned)
        #expect(history.take([.flow(dropped)]).isEmpty && history.isHolding)
        let passed = history.noteRequest(of: Self.used(2), at: Self.start + .seconds(2))
        #expect(Self.flows(passed)[1]?.outcome?.kind == .spare)
        #expect(!history.isHolding)
    }

    @Test(
        "a refused connection is reported a few seconds after it closed, unless the same program gets through"
    )
    func refusal() throws {
        var history = ConnectionHistory()
        // Another program, another host, another address and another user say nothing about this one.
        _ = history.noteRequest(of: Self.used(1, pid: 8), at: Self.start)
        for other in [
            Self.flow(2, host: "other.test"), Self.flow(3, pid: nil, address: "10.0.0.9"),
            Self.flow(4, pid: nil, user: "ben"),
        ] { _ = history.noteRequest(of: other, at: Self.start) }
        let pinned = Self.flow(5, closed: .seconds(1), cause: .looksPinned)
        #expect(history.take([.flow(pinned)]).isEmpty)
        #expect(history.settle(before: Self.start + .milliseconds(999)).isEmpty && history.isHolding)
        #expect(history.settle(before: Self.start + .seconds(1)) == [.flow(pinned)])
        #expect(!history.isHolding)
    }

    @Test("an alert that names a reason is believed at once")
    func alert() {
        var history = ConnectionHistory()
        _ = history.noteRequest(of: Self.used(1), at: Self.start)
        for code in [42, 46, 48] as [UInt8] {
            let refused = FlowEvent.flow(
                Self.flow(2, closed: .seconds(1), cause: .looksPinned, alert: Alert(code: code))
            )
            #expect(history.take([refused]) == [refused])
        }
        // close_notify and user_canceled name none.
        for code in [0, 90] as [UInt8] {
            let left = Self.flow(2, closed: .seconds(1), cause: .cancelled, alert: Alert(code: code))
            #expect(Self.flows(history.take([.flow(left)]))[2]?.outcome?.kind == .spare)
        }
    }

    @Test("a connection counts for some minutes after its end, and as long as it is open")
    func memory() {
        var history = ConnectionHistory()
        _ = history.noteRequest(of: Self.used(1), at: Self.start)
        func isSpare(_ id: Int64, after time: Duration) -> Bool {
            let left = Self.flow(id, closed: time, cause: .looksPinned)
            let events = history.take([.flow(left)]) + history.settle(before: nil)
            return Self.flows(events)[id]?.outcome?.kind == .spare
        }
        #expect(isSpare(2, after: .seconds(5000)))
        _ = history.take([.flow(Self.used(1, closed: .seconds(6000)))])
        #expect(isSpare(3, after: .seconds(6300)))
        #expect(!isSpare(4, after: .seconds(6301)))
    }

    @Test("a process that is found out late decides, for both connections")
    func lateProcess() {
        var history = ConnectionHistory()
        let (browser, curl) = (
            ClientProcess(pid: 7, name: "browser", path: nil), ClientProcess(pid: 8, name: "curl", path: nil)
        )
        _ = history.noteRequest(of: Self.used(1, pid: nil), at: Self.start)
        _ = history.take([.flow(Self.flow(2, pid: nil, closed: .seconds(1), cause: .looksPinned))])
        _ = history.take([.flow(Self.flow(3, pid: nil, closed: .seconds(1), cause: .looksPinned))])
        // Nothing is decided by the address as long as the process may be found out.
        #expect(history.isHolding)
        #expect(Self.flows(history.take([.clientProcess(FlowID(rawValue: 1), browser)])).isEmpty)
        let passed = history.take([.clientProcess(FlowID(rawValue: 2), browser)])
        #expect(Self.flows(passed)[2]?.outcome?.kind == .spare)
        #expect(Self.flows(passed)[2]?.clientProcess == browser)
        _ = history.take([.clientProcess(FlowID(rawValue: 3), curl)])
        let settled = Self.flows(history.settle(before: nil))
        #expect(settled[3]?.outcome?.kind == .handshakeFailed && settled[3]?.clientProcess == curl)
    }

    @Test("address and user decide if the process of a connection is unknown")
    func unknownProcess() {
        for (isKnown, user, isSpare) in [
            (false, nil, true), (true, nil, false), (false, "ben", false), (true, "ben", false),
        ] as [(Bool, String?, Bool)] {
            var history = ConnectionHistory()
            _ = history.noteRequest(of: Self.flow(1, pid: nil, user: user), at: Self.start)
            let left = Self.flow(2, pid: isKnown ? 7 : nil, closed: .seconds(1), cause: .looksPinned)
            let events = history.take([.flow(left)]) + history.settle(before: nil)
            #expect((Self.flows(events)[2]?.outcome?.kind == .spare) == isSpare, "\(isKnown) \(user ?? "-")")
        }
    }

    @Test("a quick program is not taken for another one that reaches the host before and after it")
    func quickPrograms() {
        var history = ConnectionHistory()
        func reach(_ id: Int64, from opened: Duration) {
            var used = Self.flow(id, pid: nil, closed: opened + .milliseconds(40))
            used.opened = Self.start + opened
            used.exchanges = 1
            _ = history.noteRequest(of: used, at: used.opened)
            _ = history.take([.flow(used)])
        }
        reach(1, from: .zero)
        var pinned = Self.flow(2, pid: nil, closed: .milliseconds(140), cause: .looksPinned)
        pinned.opened = Self.start + .milliseconds(100)
        #expect(history.take([.flow(pinned)]).isEmpty)
        reach(3, from: .milliseconds(200))
        #expect(history.settle(before: nil) == [.flow(pinned)])
    }

    @Test("an address of loopback counts only for connections that were open at one time")
    func loopback() {
        for (address, isOpen, isSpare) in [
            ("127.0.0.1", true, true), ("127.0.0.1", false, false), ("10.0.0.9", true, true),
            ("10.0.0.9", false, true),
        ] {
            var history = ConnectionHistory()
            let used = Self.flow(1, pid: nil, address: address)
            _ = history.noteRequest(of: used, at: Self.start)
            if !isOpen {
                var ended = used
                ended.exchanges = 1
                ended.closed = Self.start + .seconds(1)
                ended.outcome = Outcome(.completed, detail: "done")
                _ = history.take([.flow(ended)])
            }
            var left = Self.flow(2, pid: nil, address: address, closed: .seconds(3), cause: .looksPinned)
            left.opened = Self.start + .seconds(2)
            let events = history.take([.flow(left)]) + history.settle(before: nil)
            #expect((Self.flows(events)[2]?.outcome?.kind == .spare) == isSpare, "\(address) \(isOpen)")
        }
    }

    @Test("a client that went away before its handshake was over is spare as well")
    func early() {
        var history = ConnectionHistory()
        _ = history.noteRequest(of: Self.used(1), at: Self.start)
        var left = Self.flow(2, closed: .seconds(1))
        left.clientHandshake = nil
        left.outcome = Outcome(.aborted, fault: .client, detail: "the client went away")
        #expect(Self.flows(history.take([.flow(left)]))[2]?.outcome?.kind == .spare)
        // Who asked for no host, and who was relayed, is told as it is.
        for treatment in [nil, Treatment.passedThrough] {
            left.treatment = treatment
            #expect(history.take([.flow(left)]) == [.flow(left)])
        }
    }

    @Test(
        "a connection that was closed late without a request is spare by itself; one with a request never is"
    )
    func unused() {
        var history = ConnectionHistory()
        let late = Self.flows(history.take([.flow(Self.flow(1, closed: .seconds(60)))]))
        #expect(late[1]?.outcome?.kind == .spare && late[1]?.isFailed == false)
        let used = Self.used(2, closed: .seconds(60))
        #expect(history.take([.flow(used)]) == [.flow(used)])
        var server = Self.flow(3, closed: .seconds(1), cause: .closed)
        server.serverHandshake = server.clientHandshake
        #expect(history.take([.flow(server)]) == [.flow(server)], "the server's fault is told")
    }

    @Test("the held connections of one listener are judged alone")
    func listener() {
        var history = ConnectionHistory()
        var other = Self.flow(2, closed: .seconds(1), cause: .looksPinned)
        other.listener = "127.0.0.1:4000"
        let left = Self.flow(1, closed: .seconds(1), cause: .looksPinned)
        #expect(history.take([.flow(left), .flow(other)]).isEmpty)
        #expect(history.settle(before: nil, of: "127.0.0.1:4000") == [.flow(other)])
        #expect(history.settle(before: nil) == [.flow(left)])
    }

    @Test("the remembered and held connections are bounded")
    func bounds() {
        var history = ConnectionHistory()
        let count = Int64(ConnectionHistory.remembered) + 100
        for id in 1...count {
            let other = Self.flow(id, host: "h\(id).test")
            _ = history.noteRequest(of: other, at: Self.start)
        }
        var passed = 0
        for id in 1...count {
            let left = Self.flow(count + id, pid: 9, closed: .seconds(1), cause: .looksPinned)
            passed += history.take([.flow(left)]).count
        }
        #expect(passed > Int(count) - ConnectionHistory.remembered - 1)
        #expect(history.settle(before: nil).count + passed == Int(count))
    }
}
