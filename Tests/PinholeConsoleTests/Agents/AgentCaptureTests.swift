import PinholeFilter
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeConsole

/// The parts of a capture that an agent sees.
@Suite("Captures for agents")
struct AgentCaptureTests {
    private static func record(_ id: Int64, host: String) throws -> FlowEvent {
        .exchange(try .sample(id, host: host, requestBody: Array("name=zookeeper".utf8)))
    }

    @Test("lists values of the allowed exchanges alone, and the lengths of all")
    func allowed() async throws {
        let stage = try ConsoleStage([
            try Self.record(2, host: "open.test:443"), try Self.record(3, host: "shut.test:443"),
        ])
        var permission = AgentPermission()
        permission.values = [try Filter("host == open.test")]
        let capture = AgentCapture(
            stage.directory.file("capture.sqlite"),
            saved: { SavedFilters() },
            permission: permission
        )
        func call(_ name: String, _ values: [String: JSONValue]) async throws -> String {
            let tool = try #require(capture.tools.first { $0.name == name })
            return await tool.call(values).text
        }
        let list = try await call("list_exchanges", [:])
        #expect(list.matches(of: /"requestBytes":14,/).count == 2, "\(list)")
        #expect(try await call("read_exchange", ["id": .integer(2)]).contains("zookeeper"))
        #expect(try await !call("read_exchange", ["id": .integer(3)]).contains("zookeeper"))
    }

    @Test("a filter sees only the agent's view, so that its answers reveal no hidden value")
    func filters() async throws {
        let stage = try ConsoleStage([
            try Self.record(2, host: "open.test:443"), try Self.record(3, host: "shut.test:443"),
        ])
        var permission = AgentPermission()
        permission.values = [try Filter("host == open.test")]
        let capture = AgentCapture(
            stage.directory.file("capture.sqlite"),
            saved: { SavedFilters() },
            permission: permission
        )
        func answer(_ tool: String, _ filter: String) async throws -> String {
            let tool = try #require(capture.tools.first { $0.name == tool })
            return await tool.call(["filter": .string(filter)]).text
        }
        func found(_ filter: String) async throws -> [Int64] {
            let list = try JSONValue(parsing: Array(try await answer("list_exchanges", filter).utf8))
            guard case .object(let page) = list, case .array(let items) = page["items"] else { return [-1] }
            return items.compactMap { item in
                guard case .object(let item) = item, case .integer(let id) = item["id"] else { return nil }
                return Int64(id)
            }
        }
        #expect(try await found("body contains zoo") == [2])
        #expect(try await found("host ~ .test & !(body contains zoo)") == [3])
        #expect(try await found("body contains str_ | body contains zookeeper") == [3, 2])
        #expect(try await found("method == POST | method == GET") == [3, 2])
        #expect(try await found("size > 0") == [3, 2])
        let leaks = try await answer("find_leaks", "body contains zoo")
        #expect(leaks.contains("body asks about values that may be hidden"), "\(leaks)")
    }
}
