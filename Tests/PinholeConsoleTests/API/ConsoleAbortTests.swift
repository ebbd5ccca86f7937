import PinholeLock
import PinholeModel
import Testing

@testable import PinholeConsole
@testable import PinholeSession

@Suite("Exchanges that people end by the console")
struct ConsoleAbortTests {
    /// One exchange that is over, one that goes on, and a flow that is over.
    private static func events() throws -> [FlowEvent] {
        var running = try ExchangeRecord.sample(2)
        running.outcome = nil
        var flow = FlowRecord(
            id: FlowID(rawValue: 3),
            opened: ConsoleStage.epoch,
            client: "127.0.0.1:50000",
            listener: "127.0.0.1:8080"
        )
        flow.outcome = Outcome(.completed, detail: "done")
        return [.exchange(try ExchangeRecord.sample(1)), .exchange(running), .flow(flow)]
    }

    @Test("asks the proxy, and reports its obstacle")
    func aborts() async throws {
        let asked = Lock<[Int64]>([])
        let stage = try ConsoleStage(try Self.events()) { subject in
            subject.control = FakeControl {
                $0.stop = { id in
                    asked.withLock { $0.append(id) }
                    return id == 9
                }
            }
        }
        #expect(await stage.ask("POST", "/api/traffic/9/abort").status == 204)
        let expected: [(id: Int64, status: Int, words: String)] = [
            (1, 409, "1 is over: completed"), (2, 409, "does not go on in this proxy"),
            (3, 409, "3 is over: completed"), (4, 404, "nothing has the number 4"),
        ]
        for (id, status, words) in expected {
            let answer = await stage.ask("POST", "/api/traffic/\(id)/abort")
            #expect(answer.status == status && answer.text.contains(words), "\(answer.text)")
        }
        #expect(asked.withLock { $0 } == [9, 1, 2, 3, 4])
        #expect(await stage.ask("POST", "/api/traffic/x/abort").status == 400)
        #expect(await stage.ask("GET", "/api/traffic/9/abort").status == 405)
    }

    @Test("a console of a file alone ends nothing")
    func none() async throws {
        let stage = try ConsoleStage(try Self.events())
        let answer = await stage.ask("POST", "/api/traffic/2/abort")
        #expect(answer.status == 409 && answer.text.contains("no proxy runs here"))
    }
}
