import Foundation
import PinholeCrypto
import PinholeFilter
import PinholeModel
import PinholeProxy
import PinholeRules
import PinholeRuntime
import PinholeStore
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("Configuration")
struct ConfigurationTests {
    private func read(_ text: String) throws(DocumentFailure) -> Configuration {
        try Configuration(JSONValue(parsing: Array(text.utf8)))
    }

    private func failure(_ text: String) -> String {
        do throws(DocumentFailure) {
            _ = try read(text)
            return "none"
        } catch {
            return error.description
        }
    }

    @Test("the committed config.json is the defaults, byte for byte")
    func committedFile() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("config.json"), encoding: .utf8)
        #expect(text == ConfigurationTemplate.text)
    }

    @Test("sizes of the capture that have no effect are remarked on")
    func sizes() throws {
        func remarks(_ capture: String) throws -> [String] {
            try read(#"{"capture": {\#(capture)}}"#).remarksOnFilters
        }
        let alone = ["capture.keepFiles has no effect without capture.rotateMB"]
        #expect(try remarks(#""keepFiles": 3"#) == alone)
        let never = try remarks(#""rotateMB": 10, "maxSizeMB": 5"#).first
        #expect(never?.contains("never grows to 10 MB") == true)
        #expect(try remarks(#""rotateMB": 5, "maxSizeMB": 10, "keepFiles": 3"#).isEmpty)
    }

    @Test("the defaults that are written out are the defaults that are read")
    func defaultsRoundTrip() throws {
        let written = try read(ConfigurationTemplate.text)
        let defaults = Configuration()
        #expect(written.keysThatNeedRestart(comparedTo: defaults).isEmpty)
        #expect(written.tls.client == defaults.tls.client && written.tls.server == defaults.tls.server)
        #expect(written.limits == defaults.limits)
    }

    @Test("an empty object means the defaults")
    func emptyObject() throws {
        #expect(try read("{}").keysThatNeedRestart(comparedTo: Configuration()).isEmpty)
    }

    @Test("proxy, ca and resolve are read")
    func proxyAndAuthority() throws {
        let configuration = try read(
            """
            {"proxy": {"listen": ["[::1]:0", "0.0.0.0:3128"], "clients": ["10.0.0.0/8"], "credentials": "ann:secret"},
             "ca": {"directory": "keys", "keyAlgorithm": "rsa3072", "permittedDomains": ["bücher.example", "10.0.0.0/8"]},
             "resolve": ["bücher.example:443:127.0.0.1"]}
            """
        )
        #expect(configuration.proxy.listen.map(\.description) == ["[::1]:0", "0.0.0.0:3128"])
        #expect(configuration.proxy.clients.map(\.description) == ["10.0.0.0/8"])
        #expect(configuration.proxy.credentials == .literal("ann:secret"))
        #expect(configuration.authority.directory == "keys")
        #expect(configuration.authority.keyAlgorithm == .rsa3072)
        #expect(configuration.authority.permittedDomains == ["xn--bcher-kva.example", "10.0.0.0/8"])
        let target = try Authority("xn--bcher-kva.example:443")
        #expect(configuration.resolve.first?.matches(target) == true)
    }

    @Test("tls is read")
    func tls() throws {
        let configuration = try read(
            """
            {"tls": {"client": {"minimum": "1.3"}, "server": {"maximum": "1.2"}, "upstreamCAs": ["dev.pem"],
              "badCertificate": "mirror",
              "exemptions": [{"hosts": ["old.test", "*.old.test"], "reason": "replaced next week"}],
              "passthrough": ["*.bank.example", "!test.bank.example"],
              "clientCertificates": [{"hosts": ["mtls.test"], "file": "me.p12", "passphrase": "x"}]}}
            """
        )
        #expect(configuration.tls.client.minimum == .tls13 && configuration.tls.server.maximum == .tls12)
        #expect(configuration.tls.upstreamCAs == ["dev.pem"])
        #expect(configuration.tls.badCertificate == .mirror)
        #expect(configuration.tls.exemptions.map(\.reason) == ["replaced next week", "replaced next week"])
        #expect(configuration.tls.passthrough == ["*.bank.example", "!test.bank.example"])
        #expect(configuration.tls.clientCertificates.first?.passphrase == "x")
    }

    @Test("capture and limits are read")
    func captureAndLimits() throws {
        let configuration = try read(
            """
            {"capture": {"file": null, "bodies": false, "bodyLimitBytes": 10, "maxAgeDays": 7, "maxSizeMB": 500,
              "whenFull": "stopTraffic"},
             "limits": {"headBytes": 2048, "connectTimeoutSeconds": 0.5, "drainTimeoutSeconds": 3}}
            """
        )
        #expect(configuration.capture.file == nil && !configuration.capture.bodies)
        #expect(configuration.limits.bodyCapture == 10)
        #expect(configuration.capture.maxAgeDays == 7 && configuration.capture.maxSizeMB == 500)
        #expect(configuration.capture.whenFull == .stopTraffic)
        #expect(configuration.limits.headBytes == 2048)
        #expect(configuration.limits.connectTimeout == .milliseconds(500))
        #expect(configuration.limits.drainTimeout == .seconds(3))
    }

    @Test("the capture filter, rules and other saved filters can refer to saved filters in any order")
    func savedFilters() throws {
        let configuration = try read(
            """
            {"rules": [{"when": "@mine & ~m get", "do": "block"}], "capture": {"filter": "@Mine | failed"},
             "filters": {"mine": "@api & !asset", "api": "host == bücher.example"}}
            """
        )
        #expect(configuration.filters.entries.map(\.name) == ["api", "mine"])
        #expect(
            configuration.rules.rules.first?.filter.description
                == "host == xn--bcher-kva.example & !asset & method matches get"
        )
        #expect(configuration.capture.filterText == "@Mine | failed")
        #expect(
            configuration.capture.filter.description == "host == xn--bcher-kva.example & !asset | failed"
        )
        #expect(try read(#"{"capture": {"filter": null}}"#).capture.filter == .everything)
    }

    @Test(
        "a mistake is named with its path, the expected value and the value found",
        arguments: [
            (#"{"porxy": {}}"#, "porxy: expected a known key, found “porxy”; to fix it: write “proxy”"),
            (
                #"{"tls": {"client": {"minmum": "1.2"}}}"#,
                "tls.client.minmum: expected a known key, found “minmum”; to fix it: write “tls.client.minimum”"
            ),
            (#"{"tls": {"zzz": 1}}"#, "tls.zzz: expected a known key (client, server,"),
            (
                #"{"tls": {"client": {"minimum": "1.1"}}}"#,
                "tls.client.minimum: expected “1.2” or “1.3”, found “1.1”"
            ),
            (
                #"{"tls": {"client": {"minimum": "1.3", "maximum": "1.2"}}}"#,
                "tls.client.maximum: expected at least tls.client.minimum, “1.3”, found “1.2”"
            ),
            (
                #"{"tls": {"passthrough": ["ok.test", "a b"]}}"#,
                "tls.passthrough[1]: expected letters, digits"
            ),
            (
                #"{"tls": {"exemptions": [{"hosts": ["a.test"]}]}}"#,
                "tls.exemptions[0]: expected the key “reason”"
            ),
            (
                #"{"tls": {"exemptions": [{"hosts": [], "reason": "x"}]}}"#,
                "tls.exemptions[0].hosts: expected at least one"
            ),
            (#"{"tls": {"badCertificate": "accept"}}"#, "expected “refuse” or “mirror”, found “accept”"),
            (
                #"{"proxy": {"listen": "127.0.0.1:1"}}"#,
                "proxy.listen: expected a list […], found “127.0.0.1:1”"
            ),
            (#"{"proxy": {"listen": []}}"#, "proxy.listen: expected at least one address"),
            (#"{"proxy": {"listen": ["nowhere"]}}"#, "proxy.listen[0]: expected ADDRESS:PORT"),
            (#"{"proxy": {"clients": ["10.0.0.0/33"]}}"#, "proxy.clients[0]: expected a prefix length"),
            (#"{"proxy": 5}"#, "proxy: expected an object {…}, found 5"),
            (
                #"{"upstream": {"addresses": ["127.0.0.1", "127.0.0.2"]}}"#,
                "upstream.addresses: expected at most one IPv4 address and one IPv6 address, found 127.0.0.1, 127"
            ),
            (
                #"{"upstream": {"addresses": ["0.0.0.0"]}}"#,
                "upstream.addresses[0]: expected an address of this machine, found “0.0.0.0”"
            ),
            (#"{"capture": {"bodies": "yes"}}"#, "capture.bodies: expected true or false, found “yes”"),
            (
                #"{"capture": {"maxAgeDays": 0}}"#,
                "capture.maxAgeDays: expected a whole number of 1 to 36500, found 0"
            ),
            (
                #"{"capture": {"filter": "x & stauts == 4"}}"#,
                "capture.filter: column 5: expected a known field"
            ),
            (#"{"capture": {"filter": "~b tea"}}"#, "capture.filter: expected a filter of what is known"),
            (
                #"{"capture": {"filter": "@api"}}"#,
                "capture.filter: column 1: expected the name of a saved filter"
            ),
            (
                #"{"capture": {"filter": 7}}"#,
                "capture.filter: expected a text in quotes, found 7; to fix it: put it in quotes: \"7\""
            ),
            (
                #"{"capture": {"maxSizeMB": "5"}}"#,
                "capture.maxSizeMB: expected a whole number of 1 to 1048576, found “5”; to fix it: leave the quotes out: 5"
            ),
            (
                #"{"capture": {"bodies": "true"}}"#,
                "capture.bodies: expected true or false, found “true”; to fix it: leave the quotes out: true"
            ),
            (#"{"filters": ["failed"]}"#, "filters: expected an object {…}, found a list"),
            (
                #"{"filters": {"two words": "failed"}}"#,
                "filters.two words: expected a name of at most 64 letters"
            ),
            (#"{"filters": {"a": "stauts == 4"}}"#, "filters.a: column 1: expected a known field"),
            (#"{"filters": {"a": "@b", "b": "@a"}}"#, "filters.a: it calls itself: @a calls @b calls @a"),
            (
                #"{"rules": [{"when": "@api", "do": "block"}], "filters": {"apis": "~d api"}}"#,
                "rules[0].when: column 1: expected the name of a saved filter, found “@api”; to fix it: write “@apis”"
            ),
            (#"{"limits": {"idleTimeoutSeconds": 0}}"#, "limits.idleTimeoutSeconds: expected seconds"),
            (#"{"resolve": ["a:b"]}"#, "resolve[0]: expected HOST:PORT:ADDRESS"),
            ("[]", "expected an object {…}, found a list"),
            ("{\"proxy\": {} // comment\n}", "expected JSON (RFC 8259: no comments, no trailing commas)"),
            ("", "expected JSON"),
        ]
    )
    func mistakes(_ text: String, _ expected: String) {
        let message = failure(text)
        #expect(message.contains(expected), "\(message)")
    }

    @Test("a password is not repeated in the message")
    func passwordIsNotRepeated() {
        let message = failure(#"{"proxy": {"credentials": "hunter2"}}"#)
        #expect(message.contains("USER:PASSWORD") && !message.contains("hunter2"))
    }

    @Test("relative paths are relative to the folder of the file")
    func relativePaths() throws {
        var configuration = try read(
            #"{"tls": {"upstreamCAs": ["a.pem", "/b.pem"]}, "proxy": {"credentials": "@secret", "users": "people"}}"#
        )
        configuration.resolvePaths(in: "conf")
        #expect(configuration.authority.directory == "conf/ca")
        #expect(configuration.capture.file == "conf/pinhole.sqlite")
        #expect(configuration.tls.upstreamCAs == ["conf/a.pem", "/b.pem"])
        #expect(configuration.proxy.credentials == .file("conf/secret"))
        #expect(configuration.proxy.users == "conf/people")
    }
}
