import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

@Suite("HopStack")
struct HopStackTests {
    private static let target = DialTarget(authority: Plays.authority, serverName: nil, mayReuse: false)

    /// A stack, and what it said first.
    private func begin(_ url: String, forwarded: Bool = false) throws -> (stack: HopStack, said: [UInt8]) {
        var target = Self.target
        target.isForwarded = forwarded
        let world = try Tunnels.world
        let stack = HopStack(
            try NextHop(url),
            to: target,
            limits: Limits(),
            environment: try world.environment(),
            at: world.now
        )
        #expect(stack.advance() == (forwarded ? .open : .wantsInput))
        return (stack, said(by: stack))
    }

    private func said(by stack: HopStack) -> [UInt8] {
        stack.withPeer { peer in
            let bytes = peer.value.outbox.prefix()
            peer.value.outbox.removeAll()
            return bytes
        } ?? []
    }

    private func hear(_ bytes: [UInt8], _ stack: HopStack) -> HopStack.Step {
        stack.withPeer { $0.value.inbox.append(bytes) }
        return stack.advance()
    }

    @Test("opens a tunnel by CONNECT, and delivers bytes that the server sent early")
    func http() throws {
        let (stack, said) = try begin("http://me:pw@proxy.test:3128")
        #expect(
            String(decoding: said, as: UTF8.self)
                == "CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com:443\r\nProxy-Authorization: Basic bWU6cHc=\r\n\r\n"
        )
        #expect(hear(Array("HTTP/1.1 200 OK\r\n".utf8), stack) == .wantsInput)
        #expect(hear(Array("\r\n220 hi".utf8), stack) == .open)
        #expect(stack.withPeer { $0.value.inbox.prefix() } == Array("220 hi".utf8))
    }

    @Test("opens a connection by SOCKS5")
    func socks() throws {
        let (stack, said) = try begin("socks5://proxy.test:1080")
        #expect(said == [5, 1, 0])
        #expect(hear([5, 0], stack) == .wantsInput)
        #expect(self.said(by: stack).starts(with: [5, 1, 0, 3, 15]))
        #expect(hear([5, 0, 0, 1, 0, 0, 0, 0, 0, 0], stack) == .open)
    }

    @Test("says nothing before a request that the proxy gets itself")
    func forwarded() throws {
        #expect(try begin("http://proxy.test:3128", forwarded: true).said.isEmpty)
    }

    @Test("tells failures apart, names the proxy, and no password")
    func failures() throws {
        let cases: [(String, [UInt8], DialFailure.Kind)] = [
            ("http://me:pw@proxy.test:1", Array("HTTP/1.1 407 No\r\n\r\n".utf8), .hopAuthentication),
            ("http://me:pw@proxy.test:1", Array("HTTP/1.1 403 No\r\n\r\n".utf8), .hopRefused),
            ("http://me:pw@proxy.test:1", Array("HTTP/1.1 508 Loop\r\n\r\n".utf8), .hopLoop),
            ("http://me:pw@proxy.test:1", Array("nonsense\r\n\r\n".utf8), .hopRefused),
            ("socks5://me:pw@proxy.test:1", [5, 0xff], .hopAuthentication),
            ("socks5://proxy.test:1", [5, 0, 5, 5, 0, 1], .hopRefused),
        ]
        for (url, answer, kind) in cases {
            let (stack, _) = try begin(url)
            guard case .failed(let failure) = hear(answer, stack) else {
                Issue.record("\(url) \(answer)")
                continue
            }
            #expect(failure.kind == kind && failure.detail.contains("proxy.test:1"))
            #expect(!failure.detail.contains("pw") && !failure.detail.contains("me:"))
        }
        let (silent, _) = try begin("http://proxy.test:1")
        guard case .failed(let failure) = silent.ended(.orderly) else { throw Plays.Missing() }
        #expect(failure.kind == .hopRefused)
    }

    @Test("speaks TLS with a proxy, verifies it, and lets everything pass inside", arguments: [1, 4096])
    func https(chunk: Int) throws {
        let (stack, hello) = try begin("https://www.example.com:443")
        let hop = TestPeer(tls: try Tunnels.world.server(for: "www.example.com"))
        hop.arrived.append(hello)
        var step = HopStack.Step.wantsInput
        var answered = false
        for _ in 0..<10_000 where step == .wantsInput {
            hop.work()
            let bytes = hop.wire.prefix(min(chunk, hop.wire.count))
            hop.wire.consume(bytes.count)
            step = hear(bytes, stack)
            hop.arrived.append(said(by: stack))
            guard !answered, hop.text.hasSuffix("\r\n\r\n") else { continue }
            answered = true
            #expect(hop.text.hasPrefix("CONNECT www.example.com:443 "))
            hop.send("HTTP/1.1 200 OK\r\n\r\n")
        }
        #expect(step == .open)
    }

    @Test("refuses a proxy whose certificate names another host")
    func wrongName() throws {
        let (stack, hello) = try begin("https://other.example.com:443")
        let hop = TestPeer(tls: try Tunnels.world.server(for: "www.example.com"))
        hop.arrived.append(hello)
        hop.work()
        guard case .failed(let failure) = hear(hop.wire.prefix(), stack) else { throw Plays.Missing() }
        #expect(failure.kind == .hopRefused && failure.detail.contains("https://other.example.com:443"))
        #expect(!said(by: stack).isEmpty, "an alert says why")
    }
}
