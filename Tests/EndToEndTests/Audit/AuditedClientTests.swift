import Foundation
import PinholeLab
import PinholeReports
import PinholeTestKit
import Testing

/// Clients that everybody can install, against a few scenarios of each kind; docs/AUDITED-CLIENTS.md has them all.
@Suite("Audits of well-known clients")
struct AuditedClientTests {
    /// A client of Scripts/audit-clients, and where it differs from a correct one.
    struct Client: Sendable, CustomTestStringConvertible {
        let name: String
        let missed: String
        let falseAlarms: String
        let scenarios: String

        init(_ name: String, missed: String = "", falseAlarms: String = "", in scenarios: String = Client.all)
        {
            self.name = name
            self.missed = missed
            self.falseAlarms = falseAlarms
            self.scenarios = scenarios
        }

        static let all = "A01,A02,A03,A04,A05,A06,A09,A11,B01,L02,L03,L04"
        /// For those that take long to start.
        static let few = "A01,A02,A09,A11,L02,L04"

        var testDescription: String { name }
    }

    /// What a client misses that validates and does not pin.
    private static let unpinned = "A02,A03,A04,A09"
    /// What a client misses that does not validate.
    private static let open = "A01,A02,A03,A04,A05,A06,A09,A11"

    static let clients = [
        Client("curl", missed: unpinned),
        Client("curl-pin", falseAlarms: "L04"),
        Client("curl-follow-pin", falseAlarms: "L04"),
        Client("curl-k", missed: open),
        Client("curl-k-pin", missed: "A11", falseAlarms: "L04"),
        Client("wget", missed: unpinned),
        Client("s_client", missed: open),
        Client("s_client-verify", missed: unpinned),
        Client("gnutls", missed: unpinned),
        Client("gnutls-no-ca", missed: open),
        Client("gnutls-tofu", missed: "A11", falseAlarms: "L03,L04"),
        Client("urllib", missed: unpinned),
        Client("python-pin", falseAlarms: "L02,L03,L04"),
        Client("requests", missed: unpinned),
        Client("urllib3-fp", falseAlarms: "L02,L03,L04"),
        Client("aiohttp", missed: unpinned),
        Client("aiohttp-fp", falseAlarms: "L02,L03,L04"),
        Client("node", missed: unpinned),
        Client("node-pin", falseAlarms: "L03,L04"),
        Client("go", missed: unpinned),
        Client("go-pin", falseAlarms: "L03,L04"),
        Client("java", missed: "A02,A09", in: Client.few),
        Client("chromium", missed: "A02,A09", in: Client.few),
        Client("firefox", missed: "A02,A09", in: Client.few),
        Client("okhttp-pin", falseAlarms: "L04", in: Client.few),
        Client("ruby", missed: unpinned),
        Client("php", missed: unpinned),
        Client("perl", missed: unpinned),
    ]

    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Scripts/audit-clients").path

    @Test("each client detects the same as when it was recorded", arguments: clients)
    func outcomes(_ client: Client) async throws {
        let pinhole = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let words = [client.name, "--scenario", client.scenarios, "--json", "-"]
        let result = try await ProcessRunner.run(
            Invocation(Self.script, words, environment: ["PINHOLE_BINARY": pinhole])
        )
        try #require(!result.text.isEmpty, "\(result)")
        let document = try LabDocument(parsing: result.output)
        func ids(_ outcome: LabOutcome) -> String {
            document.cells.filter { $0.outcome == outcome && !$0.isAsExpected }.map(\.place.scenario)
                .joined(separator: ",")
        }
        #expect(document.cells.count == client.scenarios.split(separator: ",").count)
        #expect(ids(.missed) == client.missed, "\(result.errorText)")
        #expect(ids(.falseAlarm) == client.falseAlarms, "\(result.errorText)")
        let unsaid = document.cells.filter { $0.outcome == .inconclusive }.map {
            "\($0.place.scenario): \($0.reason)"
        }
        #expect(unsaid.isEmpty)
        let isFaulty =
            document.policies.contains { $0.fault != nil }
            || document.cells.contains { $0.isFault && LabProfile.baseline.judges($0.grade) }
        #expect(result.exit == .code(isFaulty ? 1 : 0), "\(result.errorText)")
    }

    @Test("the tests know every client of the script")
    func complete() async throws {
        let result = try await ProcessRunner.run(Invocation(Self.script, ["--list"]))
        let names = result.text.split(separator: "\n").compactMap {
            $0.split(separator: " ").first.map(String.init)
        }
        #expect(names == Self.clients.map(\.name), "\(result)")
    }
}
