import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

@Suite("NextHops")
struct NextHopsTests {
    @Test("sends everything through the proxy except direct hosts")
    func bypass() throws {
        let bypass = try ["*.corp.test", "localhost", "*:8443", "10.0.0.0/8", "2001:db8::/32"].map(
            NextHops.Bypass.init
        )
        let hops = NextHops(proxy: try NextHop("http://proxy:3128"), bypass: bypass)
        for direct in [
            "a.corp.test:443", "localhost:80", "x.test:8443", "10.1.2.3:443", "[2001:db8::5]:443",
            "[::ffff:10.0.0.1]:1",
        ] {
            #expect(hops.hop(for: try Authority(direct)) == nil, "\(direct)")
        }
        for through in ["corp.test:443", "x.test:443", "11.0.0.1:443", "[2001:db9::5]:443"] {
            #expect(hops.hop(for: try Authority(through)) == hops.proxy, "\(through)")
        }
        #expect(
            bypass.map(\.description) == [
                "*.corp.test", "localhost", "*:8443", "10.0.0.0/8", "2001:db8::/32",
            ]
        )
        #expect(throws: AddressFailure.self) { try NextHops.Bypass("10.0.0.0/99") }
        #expect(throws: AddressFailure.self) { try NextHops.Bypass("a b") }
    }

    @Test("sends requests for plain http to proxies of HTTP themselves")
    func forwards() throws {
        let authority = try Authority("a.test:80")
        for (url, forwards) in [("http://p:1", true), ("https://p:1", true), ("socks5://p:1", false)] {
            #expect(NextHops(proxy: try NextHop(url)).forwards(authority) == forwards)
        }
        #expect(!NextHops().forwards(authority))
    }

    @Test("http may have another proxy than https, and for a tunnel the port decides")
    func plain() throws {
        let (secure, plain) = (try NextHop("http://s:1"), try NextHop("socks5://p:1"))
        let hops = NextHops(proxy: secure, plainProxy: plain, bypass: [])
        for (target, isPlain, hop) in [
            ("a.test:443", false, secure), ("a.test:80", false, plain), ("a.test:8080", false, secure),
            ("a.test:8080", true, plain), ("a.test:80", true, plain),
        ] {
            #expect(hops.hop(for: try Authority(target), isPlain: isPlain) == hop, "\(target)")
        }
        var target = Plays.plain(try Authority("a.test:8080"))
        #expect(hops.way(to: target, from: Pseudonym("me")).hop == plain)
        target.isPlain = false
        #expect(hops.way(to: target, from: Pseudonym("me")).hop == secure)
        let authority = try Authority("a.test:8080")
        #expect(!hops.forwards(authority))
        let only = NextHops(proxy: nil, plainProxy: secure, bypass: [])
        let tunnel = try Authority("a.test:443")
        #expect(only.forwards(authority) && only.hop(for: tunnel) == nil)
        #expect(only.plainProxy == secure && NextHops().plainProxy == nil && NextHops().proxy == nil)
    }

    @Test("a path through a proxy names this proxy after the proxies that a CONNECT names")
    func via() throws {
        let hops = NextHops(proxy: try NextHop("http://p:1"), bypass: [try NextHops.Bypass("b.test")])
        let pseudonym = Pseudonym("me")
        #expect(hops.way(to: Plays.plainTarget, from: pseudonym).via == "1.1 me")
        var target = Plays.plainTarget
        target.via = "1.1 other, 1.1 me"
        #expect(hops.way(to: target, from: pseudonym).via == "1.1 other, 1.1 me")
        target = DialTarget(authority: try Authority("b.test:80"), serverName: nil, mayReuse: true)
        #expect(hops.way(to: target, from: pseudonym) == target)
    }

    @Test("a tunnel asks a proxy of HTTP for plain http in absolute-form, and answers its 407 itself")
    func tunnel() throws {
        var target = Plays.plainTarget
        target.isForwarded = true
        let head = try Plays.absolute()
        let (lane, link) = (HTTP1Plays.lane, HTTP1Plays.dialed)
        var opening = try Plays.tunnel { $0.nextHops = NextHops(proxy: try NextHop("http://u:pw@p:3128")) }
        opening.play(.feed(.request(head)), .record)
        var playbook = HTTP1Plays.conversation(after: opening, head)
        playbook.play(
            .beginning(lane),
            .arm(.idle),
            .expect(.dial(link, target)),
            .feed(.dialed(link, Plays.dialed())),
            .expect(.open(link, isHTTP2: false)),
            .timings(lane),
            .arm(.idle),
            .forward(head, on: link),
            .feed(.requestEnded(lane)),
            .feed(.response(lane, try Plays.response("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n"))),
            .expect(.closeLink(link)),
            .expect(.closeAfter(lane)),
            .expect(where: "a page of our own") {
                guard case .answer(lane, let answer) = $0 else { return false }
                return answer.status == 502 && answer.reason.contains("refuses the credentials")
                    && !answer.reason.contains("pw")
            },
            .answered(lane),
            .arm(.idle)
        )
        playbook.finish()
        #expect(playbook.machine.flow.nextHop == "http://p:3128")
    }
}
