import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

@Suite("ClientGuide")
struct ClientGuideTests {
    private static func guide() -> ClientGuide {
        let commands = ClientCommands(
            capture: "/tmp/a b/pinhole.sqlite",
            directory: "/tmp/ca",
            certificate: "/tmp/ca/rootCA.pem",
            script: "/tmp/ca/node-proxy.cjs",
            store: ("/tmp/ca/rootCA.p12", "changeit"),
            login: .none
        )
        return ClientGuide(
            lines: commands.lines(at: "127.0.0.1:8765", isPublic: false),
            port: 8765,
            certificate: "/tmp/ca/rootCA.pem",
            androidName: "1a2b3c4d.0",
            place: "192.168.1.5:8765"
        )
    }

    private static func commands(_ kind: ClientKind) throws -> [String] {
        let way = try #require(guide().ways.first { $0.kind == kind })
        return way.steps.compactMap(\.command)
    }

    @Test("each kind of client has steps with commands, and no command has a place to fill in")
    func all() throws {
        let ways = Self.guide().ways
        #expect(ways.map(\.kind) == ClientKind.allCases)
        for way in ways {
            #expect(!way.title.isEmpty && way.steps.count >= 2, "\(way.kind)")
            let commands = way.steps.compactMap(\.command)
            #expect(way.kind == .ios || !commands.isEmpty, "\(way.kind)")
            for command in commands {
                #expect(
                    !command.contains("ADDRESS") && !command.contains("8080") && !command.contains("\n"),
                    "\(command)"
                )
            }
        }
    }

    @Test("commands have the proxy's port, and the path of the CA")
    func real() throws {
        #expect(try Self.commands(.chromium).contains { $0.contains("--proxy-server=http://127.0.0.1:8765") })
        #expect(try Self.commands(.firefox).contains { $0.hasSuffix("--browser firefox") })
        #expect(
            try Self.commands(.docker) == [
                "pinhole run --capture '/tmp/a b/pinhole.sqlite' -- docker run --rm curlimages/curl https://example.com/"
            ]
        )
        #expect(
            try Self.commands(.node).first
                == "pinhole run --capture '/tmp/a b/pinhole.sqlite' -- node server.mjs"
        )
        #expect(try Self.commands(.computer).first == "curl -fO http://192.168.1.5:8765/pinhole-ca.crt")
        let android = try Self.commands(.android)
        #expect(android[0].hasPrefix("adb reverse tcp:8765 tcp:8765 && "))
        #expect(android[1] == "adb push /tmp/ca/rootCA.pem /sdcard/Download/pinhole-ca.crt")
        #expect(android[2].contains("adb push /tmp/ca/rootCA.pem /data/local/tmp/1a2b3c4d.0"))
    }

    @Test("a shell can read each command", .enabled(if: Executable.find("sh") != nil))
    func syntax() async throws {
        for way in Self.guide().ways {
            for command in way.steps.compactMap(\.command) {
                let result = try await ProcessRunner.run(Invocation("sh", ["-n", "-c", command]))
                #expect(result.isSuccess, "\(command): \(result)")
            }
        }
        // The part that the device's own shell reads.
        let script = try #require(try Self.commands(.android)[2].split(separator: "'").last)
        let result = try await ProcessRunner.run(Invocation("sh", ["-n", "-c", String(script)]))
        #expect(result.isSuccess, "\(script): \(result)")
    }

    @Test(
        "the page of the CA has the address at which its reader reaches the proxy, and no path of this machine"
    )
    func elsewhere() {
        for way in ClientGuide.elsewhere(at: "192.168.1.5:8765") {
            for step in way.steps {
                #expect(!(step.command ?? step.text).contains("/tmp/ca"), "\(step)")
            }
        }
        let phone = ClientGuide.elsewhere(at: "192.168.1.5:8765").first { $0.kind == .ios }
        #expect(phone?.steps.first?.text.contains("server 192.168.1.5, port 8765") == true)
    }

    @Test("an address is split at its last colon")
    func parts() {
        let parts = ClientGuide.parts(of: "[2001:db8::1]:8080")
        #expect(parts.host == "[2001:db8::1]" && parts.port == "8080")
        let usual = ClientGuide.parts(of: "host")
        #expect(usual.host == "host" && usual.port == "80")
    }
}
