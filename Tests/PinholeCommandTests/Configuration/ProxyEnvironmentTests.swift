import PinholeModel
import PinholeProxy
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("ProxyEnvironment")
struct ProxyEnvironmentTests {
    private func through(_ environment: [String: String], _ target: String) throws -> String? {
        try ProxyEnvironment(environment).hops.hop(for: try Authority(target))?.description
    }

    @Test("takes the first variable that says something, small letters before capitals")
    func names() throws {
        for (environment, secure, plain) in [
            ([:], nil, nil),
            (["https_proxy": "http://s:1"], "http://s:1", nil),
            (["http_proxy": "http://p:1"], nil, "http://p:1"),
            // Whoever asks a CGI program sets this one.
            (["HTTP_PROXY": "http://evil:1"], nil, nil),
            (["all_proxy": "socks5h://a:1", "http_proxy": "p:3128"], "socks5://a:1", "http://p:3128"),
            (["ALL_PROXY": "socks5://a"], "socks5://a:1080", "socks5://a:1080"),
            (["https_proxy": "", "HTTPS_PROXY": "https://s:1", "ALL_PROXY": ""], "https://s:1", nil),
            (["https_proxy": "http://s:1", "HTTPS_PROXY": "http://t:1"], "http://s:1", nil),
        ] as [([String: String], String?, String?)] {
            #expect(try through(environment, "a.test:443") == secure, "\(environment)")
            #expect(try through(environment, "a.test:80") == plain, "\(environment)")
            let hops = try ProxyEnvironment(environment).hops
            #expect(hops.hop(for: try Authority("a.test:8080"), isPlain: true)?.description == plain)
        }
        let hop = try #require(try ProxyEnvironment(["all_proxy": "http://me:p%40ss@p:1/"]).secure?.hop)
        #expect(hop.user == "me" && hop.password == "p@ss")
    }

    @Test(
        "connects directly to the hosts of no_proxy",
        arguments: [
            ("corp.test", "corp.test a.corp.test a.b.CORP.test:8443", "acorp.test corp.test.org"),
            (".corp.test", "corp.test a.corp.test", "acorp.test"),
            ("*.corp.test", "corp.test a.corp.test", "acorp.test"),
            ("a.test:8443, b.test", "a.test:8443 x.a.test:8443 b.test", "a.test x.b.test.org"),
            ("localhost 127.0.0.1", "localhost 127.0.0.1", "127.0.0.2"),
            ("10.0.0.0/8,2001:db8::/32", "10.1.2.3 [2001:db8::5]", "11.0.0.1 ten.test"),
            ("[::1]:8443,::2", "[::1]:8443 [::2]", "[::1]:443 [::3]"),
            ("*", "a.test 192.0.2.1 [::1]", ""),
            ("bücher.test", "xn--bcher-kva.test x.xn--bcher-kva.test", ""),
            (", ,", "", "a.test"), ("", "", "a.test"),
        ]
    )
    func bypass(list: String, direct: String, through: String) throws {
        for name in ["no_proxy", "NO_PROXY"] {
            let hops = try ProxyEnvironment([name: list, "all_proxy": "http://p:1"]).hops
            for target in direct.split(separator: " ") {
                #expect(hops.hop(for: try Authority(target, defaultPort: 443)) == nil, "\(list): \(target)")
            }
            for target in through.split(separator: " ") {
                #expect(hops.hop(for: try Authority(target, defaultPort: 443)) != nil, "\(list): \(target)")
            }
        }
        let both = ["no_proxy": "a.test", "NO_PROXY": "b.test", "all_proxy": "http://p:1"]
        #expect(try self.through(both, "a.test:443") == nil)
        #expect(try self.through(both, "b.test:443") != nil)
    }

    @Test(
        "names the variable whose value is of no use, and not its password",
        arguments: [
            ("https_proxy", "http://me:hunter2@x:1/path", "no path"),
            ("http_proxy", "http://me:hunter2@proxy", "host:port"),
            ("ALL_PROXY", "socks4://me:hunter2@x:1", "socks5://"),
            ("all_proxy", "ftp://hunter2@x:1", "http://"),
            ("https_proxy", "hunter2@proxy:x", "HOST:PORT"),
            ("no_proxy", "a.test,10.0.0.0/99", "prefix length"),
            ("NO_PROXY", "a_b!", "hosts, domains and networks"),
        ]
    )
    func useless(name: String, value: String, expected: String) {
        let failure = #expect(throws: AddressFailure.self) { try ProxyEnvironment([name: value]) }
        let text = failure?.description ?? ""
        #expect(text.contains("the variable \(name)") && text.contains(expected), "\(text)")
        #expect(!text.contains("hunter2"), "\(text)")
    }

    @Test("reports its findings without passwords")
    func lines() throws {
        let environment = try ProxyEnvironment([
            "https_proxy": "http://me:hunter2@s:1", "no_proxy": "corp.test,10.0.0.0/8",
        ])
        #expect(
            environment.lines == [
                "plain http: directly", "everything else: http://s:1, as the user me, by https_proxy",
                "directly: corp.test, *.corp.test, 10.0.0.0/8, by no_proxy",
            ]
        )
    }
}
