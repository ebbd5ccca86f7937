import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholePolicies
import PinholeTrust
import Testing

/// Files of several platforms, compared host by host.
@Suite("PinParity")
struct PinParityTests {
    private static let now = Timestamp(seconds: 1_780_000_000)

    private func compare(_ texts: String..., hosts: [Host] = []) throws -> [PinParity.Row] {
        var options = PolicyFile.Options()
        options.hosts = hosts
        let policies = try texts.map { text in
            try PolicyFile.read(
                Array(text.utf8),
                name: "policy",
                options: options,
                files: .memory([:])
            ).comparedPolicy
        }
        return PinParity(policies, at: Self.now, digest: Digest.sha256).rows
    }

    private func android(
        _ pins: [String] = [Pins.first, Pins.second],
        _ domain: String = "<domain includeSubdomains=\"true\">a.test</domain>",
        _ attributes: String = ""
    ) -> String {
        let list = pins.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined()
        return "<network-security-config><domain-config>\(domain)<pin-set \(attributes)>\(list)</pin-set>"
            + "</domain-config></network-security-config>"
    }

    private func trustKit(_ more: String = "", _ pins: [String] = [Pins.first, Pins.second]) -> String {
        let list = pins.map { "<string>\($0)</string>" }.joined()
        return
            "<key>TSKPinnedDomains</key><dict><key>a.test</key><dict><key>TSKIncludeSubdomains</key><true/>"
            + "\(more)<key>TSKPublicKeyHashes</key><array>\(list)</array></dict></dict>"
    }

    @Test("Apple's subdomains have one label, Android's any number")
    func depth() throws {
        let apple = """
            <plist><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict><key>a.test</key><dict>
            <key>NSIncludesSubdomains</key><true/><key>NSPinnedLeafIdentities</key><array>
            <dict><key>SPKI-SHA256-BASE64</key><string>\(Pins.second)</string></dict>
            <dict><key>SPKI-SHA256-BASE64</key><string>\(Pins.first)</string></dict>
            </array></dict></dict></dict></dict></plist>
            """
        let row = try #require(try compare(android(), apple).first)
        #expect(row.differences == [.subdomains])
        #expect(row.meanings.map { $0?.subdomains } == [.all, .oneLabel])
    }

    @Test("pins for one port do not hold for every port")
    func ports() throws {
        let document = { (host: String) in
            """
            [{"hosts": ["\(host)"], "mechanism": "spki", "policy": {"pins": ["\(Pins.first)", "\(Pins.second)"]}}]
            """
        }
        let rows = try compare(document("a.test:8443"), document("a.test"))
        #expect(rows.first?.differences == [.ports])
    }

    @Test("records and commands name their port")
    func portsOfRecords() throws {
        let digest = String(repeating: "0", count: 64)
        let record = { (port: Int) in "_\(port)._tcp.a.test. IN TLSA 3 1 1 \(digest)" }
        let rows = try compare(record(8443), record(443))
        #expect(rows.first?.differences == [.ports])
        let command = { (place: String) in "curl --pinnedpubkey 'sha256//\(Pins.first)' https://\(place)/" }
        #expect(try compare(command("a.test:8443"), command("a.test")).first?.differences == [.ports])
        #expect(try compare(command("a.test:443"), command("a.test")).first?.differences == [])
    }

    @Test("pins that do not count for CAs of the user are enforced less")
    func userAnchors() throws {
        let open = android().replacing(
            "<pin-set ",
            with: "<trust-anchors><certificates src=\"user\" overridePins=\"true\"/></trust-anchors><pin-set "
        )
        #expect(try compare(android(), open).first?.differences == [.enforcement])
    }

    @Test("files of three platforms that mean the same do not differ, whatever the order of their pins")
    func same() throws {
        let okHttp = "**.a.test sha256/\(Pins.first) sha256/\(Pins.second)"
        let rows = try compare(android(), trustKit(), okHttp)
        #expect(rows.map(\.host) == [.name("a.test")])
        let row = try #require(rows.first)
        #expect(row.differences.isEmpty, "\(row)")
        #expect(row.meanings.allSatisfy { $0?.subdomains == .all && $0?.isEnforced == true })
        #expect(row.meanings.first??.pins == ["sha256/\(Pins.first)", "sha256/\(Pins.second)"])
    }

    @Test("a pin that one file lacks, and a host that one file does not name, are differences")
    func pins() throws {
        let rows = try compare(
            android(),
            android([Pins.first]),
            android(),
            "a.test sha256/\(Pins.first) sha256/\(Pins.second)\nb.test sha256/\(Pins.first)"
        )
        #expect(rows.map(\.host) == [.name("a.test"), .name("b.test")])
        #expect(rows.first?.differences == [.pins, .subdomains])
        #expect(rows.last?.differences == [.pins])
        #expect(rows.last?.meanings.map { $0 != nil } == [false, false, false, true])
    }

    @Test("subdomains, expiration and enforcement are compared")
    func settings() throws {
        let exact = "<domain>a.test</domain>"
        #expect(
            try compare(android(), android([Pins.first, Pins.second], exact)).first?.differences == [
                .subdomains
            ]
        )
        let later = "<domain includeSubdomains=\"true\">a.test</domain>"
        let dated = android([Pins.first, Pins.second], later, "expiration=\"2035-01-01\"")
        #expect(try compare(android(), dated).first?.differences == [.expiration])
        let past = android([Pins.first, Pins.second], later, "expiration=\"2020-01-01\"")
        #expect(try compare(android(), past).first?.differences == [.expiration, .enforcement])
        let report = trustKit("<key>TSKEnforcePinning</key><false/>")
        #expect(try compare(trustKit(), report).first?.differences == [.enforcement])
    }

    @Test("a wildcard of one label is not the same as all subdomains")
    func wildcards() throws {
        let lines =
            "a.test sha256/\(Pins.first) sha256/\(Pins.second)\n*.a.test sha256/\(Pins.first) sha256/\(Pins.second)"
        let rows = try compare(android(), lines)
        #expect(rows.map(\.host) == [.name("a.test"), .name("www.a.test")])
        #expect(rows.map(\.differences) == [[.subdomains], [.subdomains]])
    }

    @Test("two lists of which both must match are not one list, and addresses are hosts")
    func lists() throws {
        let list = { (name: String, pin: String) in
            "<key>\(name)</key><array><dict><key>SPKI-SHA256-BASE64</key><string>\(pin)</string></dict></array>"
        }
        let apple = """
            <plist><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict><key>a.test</key><dict>
            <key>NSIncludesSubdomains</key><true/>\(list("NSPinnedLeafIdentities", Pins.first))
            \(list("NSPinnedCAIdentities", Pins.second))</dict></dict></dict></dict></plist>
            """
        let rows = try compare(android(), apple)
        #expect(rows.map(\.differences) == [[.pins, .subdomains]])
        #expect(rows.first?.meanings.map { $0?.lists.count } == [1, 2])
        let names = "a.test sha256/\(Pins.first)\n10.0.0.1 sha256/"
        let addresses = try compare(names + Pins.first, names + Pins.second)
        #expect(addresses.map(\.host.description) == ["a.test", "10.0.0.1"])
        #expect(addresses.map(\.differences) == [[], [.pins]])
    }

    @Test("a file that names no host has the hosts that are given")
    func given() throws {
        let curl = "sha256//\(Pins.first);sha256//\(Pins.second)"
        let exact = android([Pins.first, Pins.second], "<domain>a.test</domain>")
        let row = try #require(try compare(exact, curl, hosts: [.name("a.test")]).first)
        #expect(row.differences.allSatisfy { $0 == .subdomains }, "\(row)")
        #expect(row.meanings.last??.isEnforced == true)
    }
}
