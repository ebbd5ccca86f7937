import Foundation
import GRDB
import PinholeFilter
import PinholeModel
import PinholeStore
import Testing

@Suite("CaptureSchema")
struct CaptureSchemaTests {
    private func failure(_ path: String) -> CaptureFailure? {
        do {
            try CaptureStore.open(.init(path: path), now: epoch).close()
            return nil
        } catch { return error }
    }

    @Test("refuses a file that is no database, and leaves it as it is")
    func garbage() throws {
        let scratch = try ScratchDirectory()
        let text = Data(String(repeating: "This is a diary. ", count: 1000).utf8)
        try text.write(to: URL(filePath: scratch.capture))
        chmod(scratch.capture, 0o600)
        #expect(
            failure(scratch.capture)?.description.contains("is no Pinhole capture: it is no SQLite") == true
        )
        #expect(throws: CaptureFailure.self) { try CaptureReader(path: scratch.capture) }
        #expect(FileManager.default.contents(atPath: scratch.capture) == text)
    }

    @Test("refuses another program's database, and leaves it as it is")
    func otherDatabase() throws {
        let scratch = try ScratchDirectory()
        let other = try DatabaseQueue(path: scratch.capture)
        try other.write { try $0.execute(sql: "CREATE TABLE diary(text)") }
        try other.close()
        chmod(scratch.capture, 0o600)
        let before = FileManager.default.contents(atPath: scratch.capture)
        guard case .notCapture = failure(scratch.capture) else {
            Issue.record("expected a refusal")
            return
        }
        #expect(FileManager.default.contents(atPath: scratch.capture) == before)
    }

    @Test("refuses the schema of a newer Pinhole")
    func newer() throws {
        let scratch = try ScratchDirectory()
        #expect(failure(scratch.capture) == nil)
        try DatabaseQueue(path: scratch.capture).write { db in
            try db.execute(sql: "UPDATE meta SET value = 99 WHERE name = 'schema'")
        }
        #expect(failure(scratch.capture) == .newerSchema(path: scratch.capture, found: 99, known: 9))
    }

    @Test("brings a file of schema 1 up to date when it is written to, and reads it as it is before")
    func older() throws {
        let scratch = try ScratchDirectory()
        let first = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        first.record([.exchange(try WebSocketTranscriptTests.opening())])
        first.close()
        try DatabaseQueue(path: scratch.capture).write { db in
            try db.execute(
                sql:
                    """
                    DROP TABLE note; DROP TABLE ruling; DROP INDEX flow_listed; DROP INDEX flow_closed;
                    DROP INDEX flow_spare;
                    DROP TABLE message; DROP TABLE message_part; ALTER TABLE body_part DROP COLUMN arrived;
                    ALTER TABLE flow DROP COLUMN process_id; ALTER TABLE flow DROP COLUMN process_name;
                    ALTER TABLE flow DROP COLUMN process_path; ALTER TABLE flow DROP COLUMN proxy_user;
                    ALTER TABLE exchange DROP COLUMN proxy_user;
                    UPDATE meta SET value = 1 WHERE name = 'schema'
                    """
            )
        }
        let reader = try CaptureReader(path: scratch.capture)
        let exchange = ExchangeID(rawValue: 2)
        #expect(try reader.exchanges(limit: 9).map(\.messages) == [0])
        #expect(try reader.messages(of: exchange, limit: 9).isEmpty)
        let opening = try #require(try reader.exchange(exchange))
        #expect(try reader.arrivals(of: opening, .response).isEmpty)
        #expect(try reader.body(of: opening, .response).isEmpty)
        #expect(try reader.traffic(limit: 9).map(\.id) == [2])
        let second = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        second.record([
            .webSocketMessage(WebSocketTranscriptTests.message(1, .text, [0x41])),
            .bodyPiece(exchange, .response, [1], epoch),
        ])
        second.close()
        // Also for one that had opened it before.
        for reader in [reader, try CaptureReader(path: scratch.capture)] {
            #expect(try reader.exchanges(limit: 9).map(\.messages) == [1])
            #expect(try reader.messages(of: exchange, limit: 9).map(\.inline) == [[0x41]])
            #expect(try reader.arrivals(of: opening, .response).map(\.time) == [epoch])
        }
    }

    @Test("no program is known in a file of schema 6, and it takes them when it is written to")
    func withoutProcesses() throws {
        let scratch = try ScratchDirectory()
        let first = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        first.record([.flow(.sample(1)), .exchange(try .sample(2))])
        first.close()
        try DatabaseQueue(path: scratch.capture).write { db in
            try db.execute(
                sql: """
                    ALTER TABLE flow DROP COLUMN process_id; ALTER TABLE flow DROP COLUMN process_name;
                    ALTER TABLE flow DROP COLUMN process_path; ALTER TABLE flow DROP COLUMN proxy_user;
                    ALTER TABLE exchange DROP COLUMN proxy_user; DROP INDEX flow_spare;
                    UPDATE meta SET value = 6 WHERE name = 'schema'
                    """
            )
        }
        let reader = try CaptureReader(path: scratch.capture)
        func found(_ filter: String) throws -> [ExchangeID] {
            try reader.exchanges(ExchangeFilter(try Filter(filter)), limit: 9).map(\.id)
        }
        let sort = TrafficSort(.process)
        #expect(try found("process == curl | process ~ c* | process contains c | pid > 0") == [])
        #expect(try found("process != curl & pid != 7") == [ExchangeID(rawValue: 2)])
        #expect(try reader.trafficIDs(TrafficFilter(), sortedBy: sort) == [2])
        #expect(try reader.traffic(limit: 9).map(\.process) == [nil])
        let second = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        let curl = ClientProcess(pid: 7, name: "curl", path: "/usr/bin/curl")
        second.record([.clientProcess(FlowID(rawValue: 1), curl)])
        second.close()
        #expect(
            try found("process == curl & process endswith /bin/curl & pid == 7") == [ExchangeID(rawValue: 2)]
        )
        #expect(try found("process != curl | pid != 7") == [])
        #expect(try reader.traffic(limit: 9).map(\.process) == [curl])
        #expect(try reader.flow(FlowID(rawValue: 1))?.clientProcess == curl)
    }

    @Test("no user is known in a file of schema 7, and it takes them when it is written to")
    func withoutUsers() throws {
        let scratch = try ScratchDirectory()
        var (flow, exchange) = (FlowRecord.sample(1), try ExchangeRecord.sample(2))
        let first = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        first.record([.flow(flow), .exchange(exchange)])
        first.close()
        try DatabaseQueue(path: scratch.capture).write { db in
            try db.execute(
                sql: """
                    ALTER TABLE flow DROP COLUMN proxy_user; ALTER TABLE exchange DROP COLUMN proxy_user;
                    DROP INDEX flow_spare; UPDATE meta SET value = 7 WHERE name = 'schema'
                    """
            )
        }
        let reader = try CaptureReader(path: scratch.capture)
        func found(_ filter: String) throws -> [Int64] {
            var meant = TrafficFilter(try Filter(filter))
            meant.flows?.onlyListed = false
            return try reader.traffic(meant, limit: 9).map(\.id)
        }
        let sort = TrafficSort(.proxyUser)
        #expect(try found("proxy.user == anna | proxy.user ~ a* | proxy.user matches .") == [])
        #expect(try found("proxy.user != anna") == [2, 1])
        #expect(try reader.trafficIDs(TrafficFilter(), sortedBy: sort) == [2])
        #expect(try reader.traffic(limit: 9).map(\.proxyUser) == [nil])
        let second = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        (flow.proxyUser, exchange.proxyUser) = ("anna", "Béla")
        second.record([.flow(flow), .exchange(exchange)])
        second.close()
        #expect(try found("proxy.user == ANNA & proxy.user contains nn") == [1])
        #expect(try found("proxy.user ~ b* & proxy.user != anna") == [2])
        #expect(try reader.traffic(limit: 9).map(\.proxyUser) == ["Béla"])
        #expect(try reader.exchange(ExchangeID(rawValue: 2))?.proxyUser == "Béla")
        #expect(try reader.flow(FlowID(rawValue: 1))?.proxyUser == "anna")
    }

    @Test("refuses a damaged file with a clear message")
    func damaged() throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        for id in Int64(1)...500 { store.record([.exchange(try .sample(id))]) }
        store.close()
        var bytes = try #require(FileManager.default.contents(atPath: scratch.capture))
        for index in 200..<bytes.count where index.isMultiple(of: 3) { bytes[index] = 0xff }
        try bytes.write(to: URL(filePath: scratch.capture))
        #expect(failure(scratch.capture)?.description.contains("damaged") == true)
    }

    @Test("refuses a second writer, a directory that is not there, and a capture that is missing")
    func unusable() throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        #expect(failure(scratch.capture) == .inUse(path: scratch.capture))
        store.close()
        #expect(failure(scratch.capture) == nil)
        let nowhere = scratch.path + "/nowhere/capture.sqlite"
        #expect(failure(nowhere)?.description.contains("No such file or directory") == true)
        #expect(throws: CaptureFailure.missing(path: nowhere)) { try CaptureReader(path: nowhere) }
    }
}
