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

    @Test("values are those of the allowed exchanges, and lengths are those of all")
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
}
