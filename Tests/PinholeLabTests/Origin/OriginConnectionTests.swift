import PinholeModel
import PinholeRuntime
import PinholeTestKit
import Testing

@testable import PinholeLab

/// The connection without a socket, in plain HTTP and with a time that the tests make.
@Suite("OriginConnection")
struct OriginConnectionTests {
    private let start = Timestamp(seconds: 1_000_000)

    private func connection(
        _ routes: OriginRoutes = .standard,
        _ bounds: OriginBounds = .embedded
    ) throws -> OriginConnection {
        let authority = try OriginAuthority(now: start)
        let site = try OriginSite(
            [VirtualHost(.name("a.test"))],
            routes: routes,
            authority: authority,
            bounds: bounds,
            now: start
        )
        return OriginConnection(site: site, now: start, isSecure: false)
    }

    private func take(_ connection: inout OriginConnection) -> String {
        let text = String(decoding: connection.outbox.prefix(), as: UTF8.self)
        connection.outbox.removeAll()
        return text
    }

    @Test("However the requests are cut, the answers are the same")
    func chunking() throws {
        let requests = Array(
            """
            POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello\
            GET /json HTTP/1.1\r\nHost: a\r\n\r\n\
            POST /status/201 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n\
            GET /status/204 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n
            """.utf8
        )
        var whole = try connection()
        whole.inbox.append(requests)
        whole.advance(at: start)
        let expected = take(&whole)
        #expect(expected.components("HTTP/1.1 ") == ["200", "200", "201", "204"])
        #expect(whole.ending == .close)

        for size in [1, 2, 7] {
            var connection = try connection()
            var text = ""
            for piece in Chunking.chunks(of: requests, size: size) {
                connection.inbox.append(piece)
                connection.advance(at: start)
                text += take(&connection)
            }
            #expect(text == expected)
            #expect(connection.ending == .close)
        }
    }

    @Test("A pause lasts until its time has come")
    func pause() throws {
        var routes = OriginRoutes()
        routes.set("/wait") { _ in [.text("one"), .pause(.milliseconds(50)), .text("two"), .hang] }
        var connection = try connection(routes)
        connection.inbox.append("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.advance(at: start)
        #expect(take(&connection) == "one")
        #expect(connection.wake == start + .milliseconds(50))
        connection.advance(at: start + .milliseconds(49))
        #expect(take(&connection) == "")
        connection.advance(at: start + .milliseconds(50))
        #expect(take(&connection) == "two")
        #expect(connection.wake == nil)
        #expect(connection.ending == nil)
    }

    @Test("A long answer waits for room")
    func room() throws {
        var connection = try connection()
        connection.inbox.append("GET /bytes/1000000 HTTP/1.1\r\nHost: a\r\n\r\n")
        var length = 0
        var rounds = 0
        repeat {
            connection.advance(at: start)
            #expect(connection.outbox.count < 400_000)
            length += connection.outbox.count
            connection.outbox.removeAll()
            rounds += 1
        } while connection.hasMoreToSay
        #expect(length > 1_000_000)
        #expect(rounds > 2)
    }

    @Test("an answer that never comes ends when its client closes")
    func gone() throws {
        var connection = try connection()
        connection.inbox.append("GET /never HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.advance(at: start)
        #expect(connection.ending == nil)
        connection.ended(at: start)
        #expect(connection.ending == .close)
    }

    @Test("A client that sends nothing more still gets the answer that is on its way")
    func halfClosed() throws {
        var connection = try connection()
        connection.inbox.append("GET /slow/2 HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.ended(at: start)
        #expect(connection.ending == nil)
        connection.advance(at: start + .milliseconds(50))
        #expect(take(&connection).hasSuffix("line 2\n\r\n0\r\n\r\n"))
        #expect(connection.ending == .close)
    }

    @Test("A connection is a stranger until its first request, and idle between two requests")
    func standing() throws {
        var connection = try connection()
        connection.inbox.append("GET /json HT")
        connection.advance(at: start)
        #expect(connection.standing == .stranger)
        connection.inbox.append("TP/1.1\r\nHost: a\r\n\r\n")
        connection.advance(at: start)
        #expect(connection.standing == .busy(nil))
        _ = take(&connection)
        #expect(connection.standing == .idle(nil))
        connection.inbox.append("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nh")
        connection.advance(at: start)
        #expect(connection.standing == .busy(nil))
    }

    @Test(
        "A body that is too long is refused, said in its head or not",
        arguments: ["Content-Length: 65537", "Transfer-Encoding: chunked"]
    )
    func longBody(framing: String) throws {
        var connection = try connection(.standard, .lesson)
        connection.inbox.append("POST /echo HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n")
        let chunked = framing.hasPrefix("Transfer")
        for _ in 0..<17 {
            let piece = String(repeating: "x", count: 4096)
            connection.inbox.append(chunked ? "1000\r\n\(piece)\r\n" : piece)
            connection.advance(at: start)
        }
        #expect(take(&connection).hasPrefix("HTTP/1.1 413 "))
        #expect(connection.ending == .close && connection.inbox.isEmpty)
    }

    @Test("All connections of an origin together keep a bounded number of bytes of bodies")
    func keptBodies() throws {
        var bounds = OriginBounds.embedded
        bounds.keptBytes = 10
        let authority = try OriginAuthority(now: start)
        let site = try OriginSite(
            [VirtualHost(.name("a.test"))],
            routes: .standard,
            authority: authority,
            bounds: bounds,
            now: start
        )
        var first = OriginConnection(site: site, now: start, isSecure: false)
        let request = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"
        first.inbox.append(request + "12345")
        first.advance(at: start)
        var second = OriginConnection(site: site, now: start, isSecure: false)
        second.inbox.append(request + "123456789")
        second.advance(at: start)
        #expect(take(&second).hasPrefix("HTTP/1.1 413 "))
        first.inbox.append("6789")
        first.advance(at: start)
        #expect(take(&first).hasPrefix("HTTP/1.1 200 "))
        var third = OriginConnection(site: site, now: start, isSecure: false)
        third.inbox.append(request + "123456789")
        third.advance(at: start)
        #expect(take(&third).hasPrefix("HTTP/1.1 200 "))
    }

    @Test("A request that does not arrive in time ends the connection, however it trickles")
    func trickle() throws {
        var connection = try connection(.standard, .lesson)
        connection.inbox.append("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n")
        for second in 0..<30 {
            connection.inbox.append("x")
            connection.advance(at: start + .seconds(second))
            #expect(connection.ending == nil)
        }
        #expect(connection.wake == start + .seconds(30))
        connection.advance(at: start + .seconds(30))
        #expect(connection.ending == .reset)
    }

    @Test("An answer that is not read ends the connection")
    func unreadAnswer() throws {
        var connection = try connection(.standard, .lesson)
        connection.inbox.append("GET /json HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.advance(at: start)
        #expect(connection.wake == start + .seconds(60))
        connection.advance(at: start + .seconds(60))
        #expect(connection.ending == .reset && connection.outbox.isEmpty)
    }
}

extension String {
    /// The words that follow each occurrence of `mark`.
    fileprivate func components(_ mark: String) -> [String] {
        ranges(of: mark).map { String(self[$0.upperBound...].prefix(3)) }
    }
}
