import Foundation
import PinholeModel
import PinholeStore
import Testing

/// Answers that break a rule of HTTP/1, as curl and browsers read them, through the built proxy.
@Suite("Sloppy answers", .serialized)
struct SloppyAnswerTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"

    /// Answers whose content is “ok” for every client, with the note that each gets.
    private static let answers: [(text: String, note: ExchangeNote)] = [
        ("HTTP/1.1 200 OK\nContent-Length: 2\n\nok", .answerLineEnds),
        ("http/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", .answerStatusLine),
        ("\(ok)X : 1\r\nContent-Length: 2\r\n\r\nok", .answerFieldNames),
        ("\(ok)X: 1\r\n 2\r\nContent-Length: 2\r\n\r\nok", .answerFolding),
        ("\(ok)X: a\u{1}b\r\nContent-Length: 2\r\n\r\nok", .answerControls),
        ("\(ok)X: a\rb\r\nContent-Length: 2\r\n\r\nok", .answerLineEnds),
        ("\(ok)X-Ü: 1\r\nContent-Length: 2\r\n\r\nok", .answerFieldNames),
        ("\(ok)Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nok", .answerTransferEncoding),
        ("\(ok)Transfer-Encoding: identity\r\n\r\nok", .answerTransferEncoding),
        ("\(ok)Transfer-Encoding: chunked, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", .answerTransferEncoding),
        (
            "\(ok)Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
            .answerContentLength
        ),
        (
            "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
            .answerTransferEncoding
        ),
        ("\(ok)Transfer-Encoding: chunked\r\n\r\n2 \r\nok\n0\n\n", .answerChunks),
        ("\(ok)Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nHost: a\r\n\r\n", .answerTrailers),
        ("\(ok)Content-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad", .answerExcess),
    ]

    private static let refused = [
        "\(ok)Content-Length: 2\r\nContent-Length: 1\r\n\r\nok", "\(ok)Content-Length: 2, 1\r\n\r\nok",
        "\(ok)Transfer-Encoding: chunked, identity\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        "\(ok)Transfer-Encoding: gzip\r\n\r\nok",
        "\(ok)Transfer-Encoding : chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        "\(ok)X: \0\r\nContent-Length: 2\r\n\r\nok", "\(ok) Content-Length: 2\r\n\r\nok",
    ]

    /// A server that answers the path `/N` with the text of that number, and closes.
    private static func server(_ texts: [String]) throws -> RawServer {
        try RawServer { connection, _ in
            let head = String(decoding: try connection.read(through: "\r\n\r\n"), as: UTF8.self)
            let number = head.split(separator: " ")[1].dropFirst()
            try connection.send(texts[Int(number) ?? 0])
        }
    }

    private static func ask(_ stage: Stage, _ server: RawServer, _ number: Int) async throws -> Response {
        try await blocking {
            let client = try Connection(to: stage.port)
            let host = "127.0.0.1:\(server.port)"
            try client.send("GET http://\(host)/\(number) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            return try client.readResponse()
        }
    }

    @Test("an answer that broke a rule reaches the client in a form with one reading")
    func rewritten() async throws {
        let server = try Self.server(Self.answers.map(\.text))
        try await Stage.run { stage in
            for number in Self.answers.indices {
                let text = Self.answers[number].text
                let response = try await Self.ask(stage, server, number)
                #expect(
                    response.status == 200 && response.text == "ok",
                    "\(text.debugDescription): \(response)"
                )
                let lines = response.head.components(separatedBy: "\r\n")
                #expect(lines.first?.hasPrefix("HTTP/1.1 200 ") == true)
                for line in lines.dropFirst() where !line.isEmpty {
                    #expect(
                        line.wholeMatch(of: /[A-Za-z-]+: [^\u{0}-\u{1f}\u{7f}]+/) != nil,
                        "\(line.debugDescription)"
                    )
                }
                let framings = ["content-length", "transfer-encoding"].compactMap(response.field)
                #expect(framings.count <= 1, "\(response.head)")
            }
            let capture = try await stage.capture()
            let exchanges = try capture.exchanges(limit: 100)
            for exchange in exchanges {
                let answer = try #require(Int(exchange.path.dropFirst()).map { Self.answers[$0] })
                #expect(exchange.notes.contains(answer.note), "\(answer): \(exchange.notes)")
                let head = try #require(exchange.response?.head)
                #expect(Array(answer.text.utf8).starts(with: head), "the record keeps the head as it came")
            }
            #expect(exchanges.count == Self.answers.count)
        }
    }

    @Test("an answer that two clients end at different bytes is refused with 502")
    func refused() async throws {
        let server = try Self.server(Self.refused)
        try await Stage.run { stage in
            for number in Self.refused.indices {
                let response = try await Self.ask(stage, server, number)
                #expect(response.status == 502, "\(Self.refused[number].debugDescription): \(response)")
            }
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    private static let kept = [
        "\(ok)Content-Length: 2\r\n\r\nok", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok",
    ]
    private static let closed = [
        "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", "\(ok)Content-Length: 2\r\nContent-Length: 2\r\n\r\nok",
        "\(ok)Content-Length: 2\r\n\r\nok\r\n", "HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok",
        "\(ok)Transfer-Encoding: chunked\r\n\r\n2 \r\nok\r\n0\r\n\r\n",
        "\(ok)Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    ]

    @Test("the connection of an answer that broke a rule takes no further request", arguments: kept + closed)
    func connections(answer: String) async throws {
        let server = try RawServer { connection, _ in
            while true {
                _ = try connection.read(through: "\r\n\r\n")
                try connection.send(answer)
            }
        }
        try await Stage.run { stage in
            let statuses = try await blocking {
                let client = try Connection(to: stage.port)
                let host = "127.0.0.1:\(server.port)"
                return try (0..<2).map { _ in
                    try client.send("GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                    return try client.readResponse().status
                }
            }
            #expect(statuses == [Int](repeating: answer.contains("204") ? 204 : 200, count: 2))
            #expect(server.accepted == (Self.kept.contains(answer) ? 1 : 2))
            await stage.stop()
        }
    }
}
