import Foundation
import PinholeLock
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeStore
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeConsole

/// The connection without a socket, with a time that the tests make.
@Suite("ConsoleConnection")
struct ConsoleConnectionTests {
    /// Answers each path as a test wants it.
    private struct Responder: ConsoleResponder {
        var directory: TemporaryDirectory?
        let signal: ChangeSignal

        func reception(of head: RequestHead) throws(CaptureFailure) -> ImportFile? {
            guard head.target.path == "/file" else { return nil }
            return try ImportFile(beside: directory?.file("capture") ?? "/nowhere/at/all")
        }

        func admission(of head: RequestHead) -> ConsoleAdmission {
            switch head.target.path {
            case "/no": .refused(Problem(401, "no", "not you").answer)
            case "/open": .open
            case "/other": .account(2)
            default: .account(1)
            }
        }

        func answer(_ request: ConsoleRequest, _ reply: @escaping @Sendable (ConsoleAnswer) -> Void) {
            switch request.path.first {
            case "late": break
            case "stream": reply(ConsoleAnswer(200, body: .source(Pieces(), length: nil)))
            case "news": reply(ConsoleAnswer(200, body: .source(News(signal: signal), length: nil)))
            case "broken": reply(ConsoleAnswer(200, body: .source(Pieces(breaks: true), length: nil)))
            case "empty": reply(ConsoleAnswer(204))
            case "file":
                reply(ConsoleAnswer(200, body: .bytes(Array("\(request.file?.size ?? -1) bytes".utf8))))
            default:
                reply(ConsoleAnswer(200, body: .bytes(Array("\(request.head.method):".utf8) + request.body)))
            }
        }
    }

    /// `one`, a pause, `two`, the end or a failure.
    private final class Pieces: BodySource {
        private let count = Lock(0)
        private let breaks: Bool

        init(breaks: Bool = false) { self.breaks = breaks }

        func next(_ done: @escaping @Sendable (BodyPiece) -> Void) {
            let number = count.withLock { count in
                count += 1
                return count
            }
            switch number {
            case 1: done(BodyPiece(Array("one".utf8), then: .pause(.seconds(1))))
            case 2: done(BodyPiece(Array("two".utf8), then: .next))
            default: done(BodyPiece([], then: breaks ? .failure : .end))
            }
        }
    }

    /// The number of changes, after each change.
    private final class News: BodySource {
        private let signal: ChangeSignal
        private let seen = Lock(-1)

        init(signal: ChangeSignal) { self.signal = signal }

        func next(_ done: @escaping @Sendable (BodyPiece) -> Void) {
            let (old, new) = seen.withLock { seen in
                defer { seen = signal.count }
                return (seen, signal.count)
            }
            let piece =
                old == new
                ? BodyPiece([], then: .wait(atMost: .seconds(9)))
                : BodyPiece(Array("\(new)".utf8), then: .next)
            done(piece)
        }

        func wake(_ action: @escaping @Sendable () -> Void) {
            signal.tell(self, after: seen.withLock { $0 }, action)
        }

        func cancel() { signal.remove(self) }
    }

    private let signal = ChangeSignal()
    private let start = Timestamp(seconds: 1_000_000)
    private let letters = Lock<[PostedResult]>([])

    private func connection(
        _ limits: ConsoleLimits = ConsoleLimits(),
        in directory: TemporaryDirectory? = nil
    ) -> ConsoleConnection {
        ConsoleConnection(
            responder: Responder(directory: directory, signal: signal),
            limits: limits,
            now: start
        ) {
            [letters] letter in
            letters.withLock { $0.append(letter) }
        }
    }

    /// Goes on until no letter is left; returns what is to be sent.
    private func settle(_ connection: inout ConsoleConnection, at now: Timestamp) -> String {
        var text = ""
        connection.advance(at: now)
        while true {
            text += String(decoding: connection.outbox.prefix(), as: UTF8.self)
            connection.outbox.removeAll()
            let waiting = letters.withLock { letters in
                defer { letters = [] }
                return letters
            }
            for letter in waiting { connection.deliver(letter, at: now) }
            connection.advance(at: now)
            if waiting.isEmpty, connection.outbox.isEmpty { return text }
        }
    }

    private func send(
        _ text: String,
        to connection: inout ConsoleConnection,
        at now: Timestamp? = nil
    ) -> String {
        connection.inbox.append(text)
        return settle(&connection, at: now ?? start)
    }

    private func statuses(_ text: String) -> [String] {
        text.split(separator: "HTTP/1.1 ").dropFirst(text.hasPrefix("HTTP/1.1 ") ? 0 : 1).map {
            String($0.prefix(3))
        }
    }

    @Test("the next request waits while the answers before it are not read, also to a client without a token")
    func unread() {
        var connection = connection()
        let count = 5000
        let request = "GET /no HTTP/1.1\r\nHost: a\r\n\r\n"
        connection.inbox.append(String(repeating: request, count: count))
        connection.advance(at: start)
        #expect(connection.outbox.count < ConsoleLimits().outputHighWater + (4 << 10))
        #expect(!connection.inbox.isEmpty && !connection.wantsRead && connection.hasMoreToSay)
        let rest = settle(&connection, at: start)
        #expect(statuses(rest) == [String](repeating: "401", count: count))
        #expect(connection.inbox.isEmpty && connection.wantsRead && !connection.hasMoreToSay)
    }

    @Test(
        "a connection is a stranger until a request is accepted, and idle between two requests of an account"
    )
    func standing() {
        var connection = connection()
        #expect(connection.standing == .stranger)
        _ = send("GET /no HTTP/1.1\r\nHost: a\r\n\r\nGET /x HT", to: &connection)
        #expect(connection.standing == .stranger)
        _ = send("TP/1.1\r\nHost: a\r\n\r\n", to: &connection)
        #expect(connection.standing == .idle(.account(1)))
        _ = send("GET /late HT", to: &connection)
        #expect(connection.standing == .busy(.account(1)))
        _ = send("TP/1.1\r\nHost: a\r\n\r\n", to: &connection)
        #expect(connection.standing == .busy(.account(1)))
    }

    @Test("a request has its account before its body is read, and one without an account stays a stranger")
    func unfinished() {
        func standing(of path: String) -> Admission.Standing {
            var connection = connection()
            _ = send("POST /\(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1", to: &connection)
            return connection.standing
        }
        #expect(standing(of: "x") == .busy(.account(1)))
        #expect(standing(of: "other") == .busy(.account(2)))
        #expect(standing(of: "open") == .stranger)
        #expect(standing(of: "no") == .stranger)
    }

    @Test("a connection is a stranger again as soon as a request is not accepted", arguments: ["no", "open"])
    func demoted(path: String) {
        var connection = connection()
        _ = send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n", to: &connection)
        #expect(connection.standing == .idle(.account(1)))
        _ = send("GET /\(path) HTTP/1.1\r\nHost: a\r\n\r\n", to: &connection)
        #expect(connection.standing == .stranger)
    }

    @Test("a request that gets no place is refused, and a later answer to it is dropped")
    func turnedAway() {
        var connection = connection()
        _ = send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n", to: &connection)
        connection.turnAway(at: start)
        #expect(statuses(settle(&connection, at: start)) == ["503"])
        #expect(connection.ending == .close && connection.standing == .stranger)
    }

    @Test("a stranger whose connection ends stays a stranger")
    func endedStranger() {
        var connection = connection()
        connection.inbox.append("GET /no HTTP/1.0\r\nHost: a\r\n\r\n")
        connection.advance(at: start)
        #expect(connection.ending == .close && !connection.outbox.isEmpty)
        #expect(connection.standing == .stranger)
    }

    @Test(
        "a body without a login is bounded by some kilobytes",
        arguments: ["Content-Length: 4097", "Transfer-Encoding: chunked"]
    )
    func smallBody(framing: String) {
        let content = String(repeating: "x", count: 4097)
        let body = framing.hasPrefix("Transfer") ? "1001\r\n\(content)\r\n0\r\n\r\n" : content
        func answer(_ path: String) -> [String] {
            var connection = connection()
            return statuses(
                send("POST /\(path) HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n\(body)", to: &connection)
            )
        }
        #expect(answer("open") == ["413"])
        #expect(answer("x") == ["200"])
    }

    @Test("a file goes to the disk as it comes, however long that takes, and is bounded")
    func file() throws {
        let directory = try TemporaryDirectory()
        var limits = ConsoleLimits()
        limits.bodyBytes = 10
        limits.fileBytes = 1000
        var connection = connection(limits, in: directory)
        let head = "POST /file HTTP/1.1\r\nHost: a\r\nContent-Length: "
        #expect(send(head + "900\r\n\r\n", to: &connection).isEmpty)
        var answer = ""
        for number in 1...9 {
            // Each piece comes in time, all of them together would not.
            let now = start + .seconds(20 * number)
            answer += send(String(repeating: "x", count: 100), to: &connection, at: now)
        }
        #expect(answer.hasSuffix("900 bytes"), "\(answer)")
        let later = start + .seconds(200)
        answer = send(head + "1001\r\n\r\n", to: &connection, at: later)
        #expect(statuses(answer) == ["413"] && answer.contains("1000 bytes"))
        var chunked = self.connection(limits, in: directory)
        let pieces = String(repeating: "64\r\n\(String(repeating: "x", count: 100))\r\n", count: 11)
        answer = send(
            "POST /file HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + pieces,
            to: &chunked
        )
        #expect(statuses(answer) == ["413"])
        var homeless = self.connection(limits)
        #expect(statuses(send(head + "9\r\n\r\nxxxxxxxxx", to: &homeless)) == ["507"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }

    @Test("however requests are cut, they are answered one after the other", arguments: [1, 7, 4096])
    func pipelining(size: Int) {
        let requests = """
            GET /a HTTP/1.1\r\nHost: a\r\n\r\n\
            POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc\
            PUT /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n0\r\n\r\n\
            GET /no HTTP/1.1\r\nHost: a\r\n\r\n\
            GET /empty HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n
            """
        var connection = connection()
        var text = ""
        for piece in Chunking.chunks(of: Array(requests.utf8), size: size) {
            text += send(String(decoding: piece, as: UTF8.self), to: &connection)
        }
        #expect(statuses(text) == ["200", "200", "200", "401", "204"])
        #expect(text.contains("\r\n\r\nGET:HTTP/1.1") && text.contains("POST:abc") && text.contains("PUT:de"))
        #expect(connection.ending == .close)
    }

    @Test("every answer has the fields that keep a page in its place")
    func fields() {
        var connection = connection()
        let text = send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n", to: &connection)
        for field in [
            "Content-Security-Policy: default-src 'none'; script-src 'self';",
            "X-Content-Type-Options: nosniff",
            "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin",
            "Cache-Control: no-store",
        ] { #expect(text.contains(field), "\(field)") }
    }

    @Test("HEAD gets the length and no body")
    func head() {
        var connection = connection()
        let text = send(
            "HEAD /a HTTP/1.1\r\nHost: a\r\n\r\nHEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n",
            to: &connection
        )
        #expect(text.contains("Content-Length: 5\r\n") && !text.contains("HEAD:"))
        #expect(
            statuses(text) == ["200", "200"] && text.contains("chunked") && !text.contains("\r\none\r\n")
        )
        #expect(connection.ending == nil)
    }

    @Test("a long answer is asked for piece by piece, no sooner than it says")
    func pieces() throws {
        var connection = connection()
        let first = send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n", to: &connection)
        #expect(first.hasSuffix("\r\n\r\n3\r\none\r\n"))
        #expect(connection.wake == start + .seconds(1))
        #expect(settle(&connection, at: start + .milliseconds(999)).isEmpty)
        #expect(settle(&connection, at: start + .seconds(1)) == "3\r\ntwo\r\n0\r\n\r\n")
        #expect(connection.ending == nil && connection.wantsRead)
    }

    @Test(
        "an answer that breaks off ends without its last chunk, and with a reset where its end would look complete"
    )
    func broken() {
        var connection = connection()
        _ = send("GET /broken HTTP/1.1\r\nHost: a\r\n\r\n", to: &connection)
        #expect(settle(&connection, at: start + .seconds(1)) == "3\r\ntwo\r\n")
        #expect(connection.ending == .close)
        var old = self.connection()
        _ = send("GET /broken HTTP/1.0\r\nHost: a\r\n\r\n", to: &old)
        _ = settle(&old, at: start + .seconds(1))
        #expect(old.ending == .reset)
    }

    @Test("a piece that waits is asked for after a change, or after its time, and never more often")
    func news() {
        var connection = connection()
        #expect(send("GET /news HTTP/1.1\r\nHost: a\r\n\r\n", to: &connection).hasSuffix("\r\n1\r\n0\r\n"))
        #expect(connection.wake == start + .seconds(9))
        #expect(
            settle(&connection, at: start + .seconds(1)).isEmpty && connection.wake == start + .seconds(9)
        )
        signal.raise()
        #expect(settle(&connection, at: start + .seconds(2)) == "1\r\n1\r\n")
        #expect(connection.wake == start + .seconds(11))
        #expect(
            settle(&connection, at: start + .seconds(11)).isEmpty && connection.wake == start + .seconds(20)
        )
        // A client that has left is told nothing more.
        connection.abandoned()
        signal.raise()
        #expect(letters.withLock { $0.isEmpty })
    }

    @Test(
        "no further piece is requested while the client does not read, and after two minutes the connection is closed"
    )
    func sleepingReader() {
        var limits = ConsoleLimits()
        limits.outputHighWater = 3
        var connection = connection(limits)
        connection.inbox.append("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.advance(at: start)
        for letter in letters.withLock({ $0 }) { connection.deliver(letter, at: start) }
        connection.advance(at: start)
        #expect(!connection.outbox.isEmpty && letters.withLock { $0.count } == 1)
        // A wake in the past would keep the event loop from everything else.
        connection.advance(at: start + .seconds(2))
        #expect(connection.wake == start + .seconds(120))
        connection.advance(at: start + .seconds(119))
        #expect(connection.ending == nil)
        connection.advance(at: start + .seconds(120))
        #expect(connection.ending == .reset && connection.outbox.isEmpty && connection.wake == nil)
    }

    @Test("a body that is too long is refused, said in its head or not")
    func longBody() {
        var limits = ConsoleLimits()
        limits.bodyBytes = 4
        var one = connection(limits)
        #expect(
            statuses(send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", to: &one)) == ["413"]
        )
        #expect(one.ending == .close)
        var other = connection(limits)
        let head = "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(statuses(send(head + "5\r\nabcde\r\n", to: &other)) == ["413"])
        #expect(other.ending == .close)
    }

    @Test("100 (Continue) is sent for a body that is wanted, and not for a refused body")
    func expectation() {
        var connection = connection()
        let fields = "Host: a\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n"
        #expect(send("POST /a HTTP/1.1\r\n\(fields)", to: &connection) == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(send("x", to: &connection).contains("POST:x"))
        #expect(statuses(send("POST /no HTTP/1.1\r\n\(fields)", to: &connection)) == ["401"])
        #expect(connection.ending == .close)
    }

    @Test(
        "an invalid request is refused",
        arguments: [
            ("GET / HTTP/1.1\r\n\r\n", "400"), ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "400"),
            ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", "505"), ("\u{16}\u{3}\u{1}\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "400"),
        ]
    )
    func malformed(request: String, status: String) {
        var connection = connection()
        #expect(statuses(send(request, to: &connection)).first == status)
        #expect(connection.ending == .close)
    }

    @Test("heads, bodies and silence have their time")
    func deadlines() {
        var silent = connection()
        _ = settle(&silent, at: start)
        #expect(silent.wake == start + .seconds(15))
        _ = settle(&silent, at: start + .seconds(15))
        #expect(silent.ending == .close)

        var slow = connection()
        _ = send("GET /a HT", to: &slow, at: start + .seconds(10))
        #expect(slow.wake == start + .seconds(25))

        var body = connection()
        _ = send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na", to: &body)
        let text = settle(&body, at: start + .seconds(30))
        #expect(statuses(text) == ["408"] && body.ending == .close)

        var idle = connection()
        _ = send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n", to: &idle)
        #expect(idle.wake == start + .seconds(75))
    }

    @Test("a question is withdrawn when its client leaves, and a late answer is ignored")
    func abandonment() {
        var connection = connection()
        _ = send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n", to: &connection)
        connection.abandoned()
        connection.deliver(PostedResult(request: 1, content: .answer(ConsoleAnswer(200))), at: start)
        #expect(connection.outbox.isEmpty)
    }

    @Test(
        "a query of a client that left is cancelled; a change is still carried out",
        arguments: ["GET", "HEAD", "POST"]
    )
    func endedWhileWaiting(method: String) {
        var connection = connection()
        connection.inbox.append("\(method) /a HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.advance(at: start)
        connection.ended(at: start)
        #expect(statuses(settle(&connection, at: start)) == (method == "POST" ? ["200"] : []))
        #expect(connection.ending == .close)
    }

    @Test("HTTP/1.0 gets a stream that ends with the connection")
    func oldClient() {
        var connection = connection()
        let text = send("GET /stream HTTP/1.0\r\nHost: a\r\n\r\n", to: &connection)
        #expect(text.contains("Connection: close\r\n") && text.hasSuffix("\r\n\r\none"))
        #expect(settle(&connection, at: start + .seconds(1)) == "two")
        #expect(connection.ending == .close)
    }
}
