import PinholeModel
import PinholeRules
import Testing

@testable import PinholeCommand
@testable import PinholeSession

/// What has to be confirmed of a configuration that somebody else may have written.
@Suite("Harm of a configuration")
struct ConfigurationHarmTests {
    /// A value that needs confirmation for each key that declares one.
    private static let values = [
        "proxy.listen": #"["0.0.0.0:8080"]"#, "proxy.clients": #"["10.0.0.0/8"]"#,
        "proxy.credentials": #""eve:evil""#, "proxy.users": #""users""#,
        "proxy.certificates": #"[{"file": "leaf.pem"}]"#,
        "tls.upstreamCAs": #"["eve.pem"]"#, "tls.verifier": #""go""#, "tls.badCertificate": #""mirror""#,
        "tls.exemptions": #"[{"hosts": ["bad.test"], "reason": "old"}]"#,
        "tls.clientCertificates": #"[{"hosts": ["eve.test"], "file": "me.p12"}]"#,
        "upstream.proxy": #""http://eve.test:3128""#, "upstream.credentials": #""me:secret""#,
        "upstream.bypass": #"["*"]"#, "upstream.addresses": #"["127.0.0.2"]"#, "upstream.mark": "7",
        "resolve": #"["bank.test:443:127.0.0.7"]"#,
        "capture.packets": "true", "capture.maxAgeDays": "1", "capture.maxSizeMB": "1",
        "capture.keepFiles": "1",
        "programs": #"{"mark": {"command": ["./mark.sh"], "at": ["request"]}}"#,
        "rules": #"[{"do": "block"}]"#,
        "telemetry.url": #""http://eve.test:4318""#, "telemetry.fields": #"["Authorization: Bearer eve"]"#,
        "limits.headBytes": "1048577", "limits.fieldCount": "100000", "limits.trailerBytes": "16777216",
        "limits.queuedBytes": "68719476736", "limits.heldBodyBytes": "1073741824",
        "limits.heldBodiesBytes": "68719476736", "limits.tunnels": "1000000",
        "limits.pooledConnections": "10000",
    ]

    /// A rule of each kind.
    private static let rules: [RuleKind: String] = [
        .block: #""with": 200"#, .mock: #""body": "x""#, .mapLocal: #""folder": ".""#,
        .replay: #""file": "shop.sqlite""#, .mapRemote: #""to": "https://eve.test""#,
        .redirect: #""to": "https://eve.test""#, .rewriteRequest: #""set": ["X-Amount: 9"]"#,
        .rewriteResponse: #""status": 200"#, .noCaching: "", .setAuthentication: #""bearer": "x""#,
        .removeAuthentication: "", .delay: #""seconds": 1"#, .throttle: #""preset": "3G""#,
        .dropMessage: "", .rewriteMessage: #""find": "anna", "with": "eve""#,
        .injectMessage: #""to": "client", "text": "eve""#, .breakpoint: "",
        .askProgram: #""program": "mark""#,
    ]

    private static func consequences(_ text: String) throws -> [String] {
        try ConfigurationFile(named: "config.json").parse(Array(text.utf8)).consequences(in: "")
    }

    @Test("the defaults and the template need no confirmation")
    func defaults() throws {
        #expect(Configuration().consequences(in: "").isEmpty)
        #expect(try Self.consequences(ConfigurationTemplate.text).isEmpty)
    }

    @Test("each key that declares a harm says it, with the name of the key")
    func keys() throws {
        for (key, harm) in ConfigurationSection.all.flatMap(\.harms) {
            guard case .some(_, let effect, _) = harm else {
                #expect(Self.values[key] == nil, "\(key) declares no harm")
                continue
            }
            #expect(!effect.isEmpty, "\(key)")
            let value = try #require(Self.values[key], "add a harmful value of \(key)")
            let parts = key.split(separator: ".", maxSplits: 1)
            let text =
                parts.count == 1
                ? #"{"\#(key)": \#(value)}"# : #"{"\#(parts[0])": {"\#(parts[1])": \#(value)}}"#
            let found = try Self.consequences(text)
            let name = key == "rules" ? "(the rule " : "(\(key)"
            #expect(found.contains { $0.contains(name) }, "\(key): \(found)")
        }
    }

    @Test(
        "a harmful setting is named by its effect",
        arguments: [
            (#"{"proxy": {"listen": ["0.0.0.0:0"], "clients": ["10.0.0.0/8"]}}"#, "0.0.0.0:0"),
            (#"{"tls": {"badCertificate": "mirror"}}"#, "tls.badCertificate"),
            (#"{"tls": {"exemptions": [{"hosts": ["bad.test"], "reason": "old"}]}}"#, "bad.test"),
            (#"{"tls": {"upstreamCAs": ["eve.pem"]}}"#, "eve.pem"),
            (#"{"upstream": {"proxy": "http://eve.test:3128"}}"#, "through http://eve.test:3128"),
            (#"{"rules": [{"do": "mapRemote", "to": "https://eve.test"}]}"#, "to another server"),
            (#"{"upstream": {"proxy": "http://localhost:3128"}}"#, "through http://localhost:3128"),
            (#"{"resolve": ["bank.test:443:127.0.0.7"]}"#, "(resolve)"),
            (#"{"rules": [{"do": "redirect", "to": "https://eve.test"}]}"#, "sends clients to another URL"),
            (#"{"rules": [{"do": "mock", "body": "x"}]}"#, "in place of the server"),
            (#"{"rules": [{"do": "mapLocal", "folder": "."}]}"#, "in place of the server"),
            (#"{"rules": [{"do": "mapLocal", "folder": "/etc"}]}"#, "/etc"),
            (#"{"capture": {"file": "../else.sqlite"}}"#, "../else.sqlite"),
            (#"{"rules": [{"do": "block", "with": 200}]}"#, "with status 200"),
            (
                #"{"rules": [{"do": "rewriteResponse", "status": 200}]}"#,
                "changes what servers send to clients"
            ),
            (#"{"rules": [{"do": "injectMessage", "to": "client", "text": "x"}]}"#, "to the client"),
            (#"{"limits": {"tunnels": 1000000}}"#, "(limits.tunnels)"),
        ]
    )
    func harms(_ text: String, _ said: String) throws {
        let found = try Self.consequences(text)
        #expect(found.contains { $0.contains(said) }, "\(found)")
    }

    @Test(
        "a rule of each kind that does more than take time needs confirmation",
        arguments: RuleKind.allCases
    )
    func rule(_ kind: RuleKind) throws {
        let keys = try #require(Self.rules[kind], "add a rule of the kind \(kind)")
        let program = #""programs": {"mark": {"command": ["true"], "at": ["request"]}}, "#
        let text =
            #"{\#(kind == .askProgram ? program : "")"rules": [{"name": "one", "do": "\#(kind.rawValue)"\#(keys.isEmpty ? "" : ", \(keys)")}]}"#
        let found = try Self.consequences(text).filter { $0.contains("the rule one") }
        #expect(found.isEmpty == (kind.effects == [.takesTime]), "\(found)")
    }

    @Test("kinds that only take time are these")
    func harmlessKinds() {
        let harmless = RuleKind.allCases.filter { !$0.effects.contains(where: \.needsConfirmation) }
        #expect(harmless == [.delay, .throttle, .breakpoint])
        #expect(RuleKind.allCases.allSatisfy { !$0.effects.isEmpty })
    }

    @Test("a rule states its action and its messages; a rule without an effect needs confirmation, too")
    func sentence() throws {
        let block = try Self.consequences(
            #"{"rules": [{"name": "ok", "do": "block", "with": 200, "when": "host == ocsp.test"}]}"#
        )
        #expect(
            block == [
                "answers clients in place of the server (the rule ok: Answers requests to ocsp.test with status 200 and "
                    + "without content.)"
            ]
        )
        let unnamed = try Self.consequences(#"{"rules": [{"do": "block", "when": "host == ocsp.test"}]}"#)
        #expect(unnamed.first?.contains("(the rule 1: ") == true, "\(unnamed)")
        let url = try Self.consequences(
            #"{"rules": [{"name": "u", "do": "rewriteRequest", "url": [{"find": "a.test", "with": "eve.test"}]}]}"#
        )
        #expect(url.first?.contains("sends requests to another server") == true, "\(url)")
        #expect(try !Self.consequences(#"{"rules": [{"do": "rewriteRequest"}]}"#).isEmpty)
        #expect(try !Self.consequences(#"{"rules": [{"do": "block", "enabled": false}]}"#).isEmpty)
    }

    @Test("a rule with a long text hides no other consequence")
    func long() throws {
        let name = String(repeating: "harmless ", count: 500)
        let found = try Self.consequences(
            #"{"rules": [{"name": "\#(name)", "do": "block"}], "tls": {"badCertificate": "mirror"}}"#
        )
        #expect(found.count == 2 && found.allSatisfy { $0.count <= 401 }, "\(found)")
    }
}
