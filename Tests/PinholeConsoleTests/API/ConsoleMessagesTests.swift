import PinholeLock
import PinholeModel
import PinholeRuntime
import Testing

@testable import PinholeConsole
@testable import PinholeSession

@Suite("Messages that people send by the console")
struct ConsoleMessagesTests {
    @Test("hands them to the proxy, and reports their results")
    func sends() async throws {
        let got = Lock<[OwnMessage]>([])
        let stage = try ConsoleStage { subject in
            subject.control = FakeControl {
                $0.take = { message in
                    got.withLock { $0.append(message) }
                    switch message.exchange.rawValue {
                    case 1: return .taken
                    case 2: return .refused("it has closed")
                    default: return .notOpen
                    }
                }
            }
        }
        let taken = await stage.ask("POST", "/api/traffic/1/messages", #"{"to": "client", "text": "hé"}"#)
        #expect(taken.status == 204)
        #expect(
            await stage.ask("POST", "/api/traffic/1/messages", #"{"to": "server", "base64": "AAE="}"#).status
                == 204
        )
        #expect(got.withLock { $0.map(\.kind) } == [.text, .binary])
        #expect(got.withLock { $0.map(\.payload) } == [Array("hé".utf8), [0, 1]])
        #expect(got.withLock { $0.map(\.receiver) } == [.client, .server])
        let refused = await stage.ask("POST", "/api/traffic/2/messages", #"{"to": "client", "text": ""}"#)
        #expect(refused.status == 409 && refused.text.contains("it has closed"))
        let gone = await stage.ask("POST", "/api/traffic/3/messages", #"{"to": "client", "text": ""}"#)
        #expect(gone.status == 409 && gone.text.contains("not a WebSocket that stands"))
    }

    @Test(
        "refuses invalid messages",
        arguments: [
            "", "[]", "{}", #"{"to": "client"}"#, #"{"to": "all", "text": ""}"#,
            #"{"to": "client", "base64": "*"}"#,
            #"{"to": "client", "text": "a", "base64": "AA=="}"#, #"{"to": "client", "text": "a", "kind": 1}"#,
        ]
    )
    func refused(body: String) async throws {
        let stage = try ConsoleStage { $0.control = FakeControl { $0.take = { _ in .taken } } }
        let status = await stage.ask("POST", "/api/traffic/1/messages", body).status
        #expect(status == 400 || status == 422, "\(status)")
    }

    @Test(
        "quotes an unexpected value once, and no bytes that are not text",
        arguments: [
            (#"{"to": "all", "text": ""}"#, "found “all”"), (#"{"text": ""}"#, "found null"),
            (#"{"to": 7, "text": ""}"#, "found 7"), (#"{"to": [1], "text": ""}"#, "found a list"),
            (#"{"to": "client", "base64": "*"}"#, "found something else"),
        ]
    )
    func quoted(body: String, found: String) async throws {
        let stage = try ConsoleStage { $0.control = FakeControl { $0.take = { _ in .taken } } }
        let answer = try await stage.ask("POST", "/api/traffic/1/messages", body).json()
        let detail = try #require(answer["detail"] as? String)
        #expect(detail.hasSuffix(found), "\(detail)")
    }

    @Test("tells when a message passed, apart from how long it took", arguments: ["", "/messages"])
    func times(path: String) async throws {
        var exchange = try ExchangeRecord.sample(2, status: 101)
        exchange.notes = [.webSocket]
        exchange.messages = 1
        var message = WebSocketMessage(
            exchange: exchange.id,
            number: 1,
            sender: .server,
            kind: .text,
            started: ConsoleStage.epoch + .microseconds(1_234_500)
        )
        message.ended = message.started + .microseconds(7)
        message.isComplete = true
        let stage = try ConsoleStage([.exchange(exchange), .webSocketMessage(message)])
        let answer = try await stage.ask("GET", "/api/traffic/2\(path)").json()
        let first = try #require((answer["messages"] as? [[String: Any]])?.first)
        #expect(first["sinceStart"] as? Double == 1234.5)
        #expect(first["milliseconds"] as? Double == 0.007)
    }

    @Test("a console of a file alone sends nothing")
    func none() async throws {
        let stage = try ConsoleStage()
        let answer = await stage.ask("POST", "/api/traffic/1/messages", #"{"to": "client", "text": ""}"#)
        #expect(answer.status == 409)
    }
}
