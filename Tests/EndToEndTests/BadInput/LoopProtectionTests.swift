import Foundation
import PinholeModel
import PinholeRuntime
import PinholeTestKit
import Testing

@Suite("Loop protection", .serialized)
struct LoopProtectionTests {
    /// The statuses of a CONNECT to the proxy's own port and of a plain request to it.
    private static func statuses(_ host: String, _ stage: Stage) async throws -> [Int] {
        try await blocking {
            try ["CONNECT \(host):\(stage.port)", "GET http://\(host):\(stage.port)/"].map { line in
                let client = try Connection(to: stage.port)
                try client.send("\(line) HTTP/1.1\r\nHost: \(host):\(stage.port)\r\n\r\n")
                return try client.readResponse().status
            }
        }
    }

    private static let only = ["shop.example.test:*:127.0.0.1"]

    @Test("every spelling of the proxy's own address is answered with 508")
    func spellings() async throws {
        var setup = Stage.Setup()
        setup.overrides = Self.only + ["loop.example.test:*:127.0.0.1"]
        try await Stage.run(setup) { stage in
            let hosts = [
                "127.0.0.1", "localhost", "LOCALHOST", "localhost.", "any.localhost", "loop.example.test",
                "0.0.0.0",
                "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::]", "127.1", "2130706433", "0x7f000001",
                "0177.0.0.1",
            ]
            for host in hosts {
                let statuses = try await Self.statuses(host, stage)
                // What the system does not read as this address is no loop, and may be refused or unreachable.
                let allowed: Set = [508, 400, 502]
                #expect(Set(statuses).isSubset(of: allowed), "\(host): \(statuses)")
                if hosts.prefix(9).contains(host) { #expect(statuses == [508, 508], "\(host): \(statuses)") }
            }
            try await stage.event { $0.type == "exchange" && $0.status == 508 }
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test("a proxy that listens on every address knows the machine's names and addresses as its own")
    func everyAddress() async throws {
        var setup = Stage.Setup()
        setup.overrides = Self.only
        setup.arguments = ["--listen", "0.0.0.0:0", "--allow", "127.0.0.0/8"]
        let addresses = LocalInterfaces.addresses().filter { !$0.isVersion6 }.map(\.description)
        setup.replacesListen = true
        try await Stage.run(setup) { stage in
            for host in addresses + ["127.0.0.1", "127.0.0.2", "localhost", "0.0.0.0"] {
                #expect(try await Self.statuses(host, stage) == [508, 508], "\(host)")
            }
            // The host's name leads to one of its addresses, where it is resolved at all.
            let statuses = try await Self.statuses(ProcessInfo.processInfo.hostName, stage)
            #expect(Set(statuses).isSubset(of: [508, 502]))
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test(
        "a redirect to the proxy ends with 508",
        .enabled(if: Executable.find("curl") != nil, "curl is not installed")
    )
    func redirect() async throws {
        let target = Mailbox<UInt16>()
        let server = try RawServer { connection, _ in
            _ = try connection.read(through: "\r\n\r\n")
            let port = try target.take()
            try connection.send(
                "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(port)/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
        }
        try await Stage.run { stage in
            target.put(stage.port)
            let result = try await ProcessRunner.run(
                Invocation(
                    "curl",
                    [
                        "-q", "-sS", "-L", "--max-time", "\(Patience.seconds)", "--noproxy", "", "-x",
                        "http://127.0.0.1:\(stage.port)",
                        "-o", "/dev/null", "-w", "%{http_code}", "http://shop.example.test:\(server.port)/",
                    ]
                )
            )
            #expect(result.text == "508", "\(result)")
            try await stage.expectAlive()
            await stage.stop()
        }
    }
}
