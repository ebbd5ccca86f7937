import PinholeFiles
import PinholeLab
import PinholeModel
import PinholePolicies
import PinholeRules
import PinholeTrust
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("Declared keys")
struct DeclaredKeysTests {
    /// A key unlike all others: the failure about it lists the keys that the reader knows.
    private static let odd = "\"zzzzzzzzzzzzzzzzzzzzzzzz\": 1"

    /// The keys that a failure lists.
    private static func known(to failure: String) -> Set<String> {
        guard let match = failure.firstMatch(of: /a known key \(([^)]*)\)/) else {
            return failure.contains("no settings") ? [] : ["?? \(failure)"]
        }
        return Set(match.output.1.split(separator: ", ").map(String.init))
    }

    private static func knownToConfiguration(_ text: String) throws -> Set<String> {
        let value = try JSONValue(parsing: Array(text.utf8))
        do throws(DocumentFailure) {
            _ = try Configuration(value)
            return ["?? no failure"]
        } catch {
            return known(to: "\(error)")
        }
    }

    @Test("config.json has the members that are declared")
    func members() throws {
        #expect(try Self.knownToConfiguration("{\(Self.odd)}") == Set(ConfigurationSection.all.map(\.name)))
    }

    @Test(
        "a section of config.json has the keys that are declared",
        arguments: ConfigurationSection.all.filter { !$0.keys.isEmpty }.map(\.name)
    )
    func sections(_ name: String) throws {
        let section = try #require(ConfigurationSection.all.first { $0.name == name })
        let paths = section.keys.map { $0.name.split(separator: ".").map(String.init) }
        #expect(try Self.knownToConfiguration("{\"\(name)\": {\(Self.odd)}}") == Set(paths.map { $0[0] }))
        for group in Set(paths.filter { $0.count > 1 }.map { $0[0] }) {
            let members = Set(paths.filter { $0.count > 1 && $0[0] == group }.map { $0[1] })
            let text = "{\"\(name)\": {\"\(group)\": {\(Self.odd)}}}"
            #expect(try Self.knownToConfiguration(text) == members, "\(name).\(group)")
        }
    }

    /// The keys that rules of a kind need.
    private static let neededByKind: [RuleKind: String] = [
        .mapLocal: #""file": "a.txt", "#,
        .replay: #""file": "a.sqlite", "#,
        .mapRemote: #""to": "http://a.test/", "#,
        .redirect: #""to": "http://a.test/", "#,
        .setAuthentication: #""basic": "a:b", "#,
        .delay: #""seconds": 1, "#,
        .rewriteMessage: #""text": "a", "#,
        .injectMessage: #""to": "client", "text": "a", "#,
        .askProgram: #""program": "a", "#,
    ]

    @Test("a rule has the keys that are declared for its kind", arguments: RuleKind.allCases)
    func rules(_ kind: RuleKind) throws {
        let needed = Self.neededByKind[kind] ?? ""
        let text = "[{\"do\": \"\(kind.rawValue)\", \(needed)\(Self.odd)}]"
        let value = try JSONValue(parsing: Array(text.utf8))
        let declared = Set((RuleKey.common + kind.keys).map(\.name))
        let failure = #expect(throws: DocumentFailure.self) { try RuleSet(value, path: "rules") }
        #expect(Self.known(to: "\(try #require(failure))") == declared)
    }

    /// A rule of a kind with the keys that it needs, except one, and with other members.
    private static func rule(
        _ kind: RuleKind,
        without name: String? = nil,
        _ members: String = ""
    ) throws -> Rule {
        let needed = neededByKind[kind] ?? ""
        let texts = ["{\(needed)\"do\": \"\(kind.rawValue)\"}", "{\(members)}"]
        var object: [String: JSONValue] = [:]
        for text in texts {
            guard case .object(let read) = try JSONValue(parsing: Array(text.utf8)) else { continue }
            object.merge(read) { $1 }
        }
        if let name { object[name] = nil }
        return try Rule(.object(object), number: 1, path: "rule")
    }

    /// Values beside the bounds of a shape.
    private static func refused(by shape: RuleShape) -> [String] {
        switch shape {
        case .number(let range, _): ["\(range.lowerBound - 1)", "\(range.upperBound + 1)"]
        case .integer(let range, _): ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", "\"zzz\""]
        case .numbers, .words: ["0", "\"zzz\""]
        case .boolean, .list, .object: ["0"]
        case .text: ["0", "[]"]
        case .any: []
        }
    }

    /// The values that a shape names.
    private static func taken(by shape: RuleShape) -> [String] {
        switch shape {
        case .boolean: ["true", "false"]
        case .number(let range, _): ["\(max(range.lowerBound, 0.5))", "\(range.upperBound)"]
        case .integer(let range, let words): ["200", "\(range.upperBound)"] + words.map { "\"\($0)\"" }
        case .numbers(let numbers): numbers.map { "\($0)" }
        case .words(let words): words.map { "\"\($0)\"" }
        case .list: ["[]"]
        case .text, .object, .any: []
        }
    }

    @Test("a key takes the values that are declared, and no others", arguments: RuleKind.allCases)
    func values(_ kind: RuleKind) throws {
        for key in RuleKey.common + kind.keys where key.name != "do" {
            // A seed needs a chance beside it.
            let before = key.name == "seed" ? #""chance": 0.5, "# : ""
            // A key with a needed one beside it would be one of two alternatives.
            let isFree = kind.alternatives?.names.contains(key.name) != true
            for value in Self.refused(by: key.shape) where isFree {
                let failure = #expect(throws: DocumentFailure.self, "\(key.name): \(value)") {
                    try Self.rule(kind, "\(before)\"\(key.name)\": \(value)")
                }
                #expect(failure?.path.hasPrefix("rule.\(key.name)") == true, "\(key.name): \(value)")
            }
            for value in Self.taken(by: key.shape) where isFree {
                let text = "\(before)\"\(key.name)\": \(value)"
                #expect(throws: Never.self, "\(kind): \(text)") { try Self.rule(kind, text) }
            }
        }
    }

    @Test("a rule needs the keys that are declared so", arguments: RuleKind.allCases)
    func needed(_ kind: RuleKind) throws {
        #expect(throws: Never.self) { try Self.rule(kind) }
        for key in kind.keys {
            let isAlternative = kind.alternatives?.names.contains(key.name) == true
            guard !isAlternative else { continue }
            if key.isRequired {
                #expect(throws: DocumentFailure.self, "\(key.name)") {
                    try Self.rule(kind, without: key.name)
                }
            } else {
                #expect(throws: Never.self, "\(key.name)") {
                    try Self.rule(kind, without: key.name)
                }
            }
        }
        guard let alternatives = kind.alternatives else { return }
        let both = alternatives.names.map { "\"\($0)\": \"YTpi\"" }.joined(separator: ", ")
        let failure = #expect(throws: DocumentFailure.self) {
            try Rule(
                JSONValue(parsing: Array("{\"do\": \"\(kind.rawValue)\", \"to\": \"client\", \(both)}".utf8)),
                number: 1,
                path: "rule"
            )
        }
        let said = "\(try #require(failure))"
        #expect(said.contains(alternatives.names.count == 2 ? "found both" : "found several"), "\(said)")
    }

    private static let pin = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    /// The keys that mechanisms need.
    private static let neededByMechanism = [
        "anchors-only": #""anchors": ["a.pem"], "#,
        "alamofire-pinned-certificates": #""certificates": ["a.pem"], "#,
        "alamofire-public-keys": #""certificates": ["a.pem"], "#,
        "alamofire-composite": #""evaluators": [{"mechanism": "alamofire-default"}], "#,
        "certificate": #""certificates": ["a.pem"], "#,
        "spki": #""pins": [], "#,
        "raw-key": #""pins": [], "#,
        "okhttp": #""pins": ["a.test sha256/\#(pin)"], "#,
        "hpkp": #""header": "pin-sha256=\"\#(pin)\"; max-age=5184000", "#,
        "dane": #""records": ["3 1 1 \#(String(repeating: "0", count: 64))"], "#,
        "trustkit":
            #""pinnedDomains": {"a.test": {"publicKeyHashes": ["\#(pin)", "\#(pin.replacing("AAAA", with: "AQEB"))"]}}, "#,
        "android-nsc": #""file": "a.xml", "#,
        "apple-pinned-domains": #""domains": {"a.test": {"leafIdentities": ["\#(pin)"]}}, "#,
        "all": #""of": [{"mechanism": "system"}], "#,
        "any": #""of": [{"mechanism": "system"}], "#,
        "broken-presented-spki": #""pins": [], "#,
        "broken-unvalidated-spki": #""pins": [], "#,
    ]

    private static func knownToMechanism(_ name: String, _ settings: String) throws -> Set<String> {
        let value = try JSONValue(parsing: Array("{\(settings)}".utf8))
        let certificate = try LabWorld().root.der
        do throws(PolicyFailure) {
            _ = try PolicyDocument.policy(
                mechanism: name,
                settings: value,
                files: NamedFiles(
                    .memory([
                        "a.xml": Array("<network-security-config/>".utf8), "a.pem": certificate,
                    ])
                )
            )
            return ["?? no failure"]
        } catch {
            return known(to: "\(error)")
        }
    }

    @Test("every mechanism of policy documents is declared")
    func mechanisms() {
        #expect(PolicyMechanism.all.map(\.name) == PolicyDocument.mechanisms)
    }

    @Test("a mechanism has the settings that are declared", arguments: PolicyDocument.mechanisms)
    func settings(_ name: String) throws {
        let mechanism = try #require(PolicyMechanism.all.first { $0.name == name })
        let paths = mechanism.settings.map { $0.name.split(separator: ".").map(String.init) }
        let settings = (Self.neededByMechanism[name] ?? "") + Self.odd
        #expect(try Self.knownToMechanism(name, settings) == Set(paths.map { $0[0] }))
        for path in paths where path.count > 1 {
            let members = Set(paths.filter { $0.first == path[0] && $0.count > 1 }.map { $0[2] })
            let text = "\"\(path[0])\": {\"a.test\": {\(Self.odd)}}"
            #expect(try Self.knownToMechanism(name, text) == members, "\(path[0])")
        }
    }
}
