import PinholeModel
import Testing

@testable import PinholeCommand

@Suite("Preferences of Firefox")
struct FirefoxPreferencesTests {
    @Test("all requests use the proxy, also those to local servers")
    func way() throws {
        let lines = FirefoxPreferences(proxy: try Authority("127.0.0.1:8080")).text.split(separator: "\n")
        for line in [
            #"user_pref("network.proxy.type", 1);"#,
            #"user_pref("network.proxy.http", "127.0.0.1");"#,
            #"user_pref("network.proxy.http_port", 8080);"#,
            #"user_pref("network.proxy.ssl", "127.0.0.1");"#,
            #"user_pref("network.proxy.ssl_port", 8080);"#,
            #"user_pref("network.proxy.no_proxies_on", "");"#,
            #"user_pref("network.proxy.allow_hijacking_localhost", true);"#,
            #"user_pref("network.http.http3.enable", false);"#,
        ] { #expect(lines.contains(Substring(line)), "\(line)") }
        #expect(
            lines.allSatisfy {
                $0.wholeMatch(of: /user_pref\("[\w.-]+", ([0-9]+|true|false|"[^"]*")\);/) != nil
            }
        )
        #expect(Set(lines).count == lines.count, "each stands there once")
    }

    @Test("an IPv6 address has no brackets there")
    func version6() throws {
        let text = FirefoxPreferences(proxy: try Authority("[::1]:8080")).text
        #expect(text.contains(#"user_pref("network.proxy.http", "::1");"#))
    }
}
