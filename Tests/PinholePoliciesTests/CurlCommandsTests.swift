import PinholeFiles
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholePolicies

/// The commands of curl in scripts and configurations, read one by one.
@Suite("CurlCommands")
struct CurlCommandsTests {
    static let pin = "sha256//\(Pins.first)"
    static let both = "sha256//\(Pins.first);sha256//\(Pins.second)"

    private func examine(
        _ text: String,
        _ name: String? = nil
    ) -> (file: PolicyFile?, findings: [LintFinding]) {
        var options = PolicyFile.Options()
        options.name = name
        return PolicyFile.examine(Array(text.utf8), options: options, files: .memory([:]))
    }

    private func policies(_ text: String, _ name: String? = nil) -> [CurlPolicy] {
        (examine(text, name).file?.policies ?? []).compactMap { policy in
            policy as? CurlPolicy ?? (policy as? HostPolicies)?.entries.first?.policy as? CurlPolicy
        }
    }

    @Test(
        "the options of the command with the pin count, and no others",
        arguments: [
            "curl -fsS --pinnedpubkey '\(pin)' https://a.test/ | sort -k2 > list",
            "curl --pinnedpubkey \(pin) https://a.test\ndf -k .",
            "curl --pinnedpubkey=\(pin) https://a.test && curl -k https://localhost:8443/health",
            "# curl -k --pinnedpubkey sha256//old\ncurl --pinnedpubkey \(pin) https://a.test # -k",
            "curl -k --no-insecure --pinnedpubkey \(pin) https://a.test",
            "curl --pinnedpubkey sha256//x --pinnedpubkey \(pin) https://a.test",
            "curl -k https://b.test --next --pinnedpubkey \(pin) https://a.test",
            "PIN='\(pin)'\ncurl --pinnedpubkey \"$PIN\" https://a.test",
            "curl -H 'x: -k' -o -k --pinnedpubkey \(pin) https://a.test",
            "cat <<E\ncurl -k --pinnedpubkey sha256//x\nE\ncurl --pinnedpubkey \(pin) https://a.test",
            "RUN apt-get install -y curl && curl --pinnedpubkey \(pin) \\\n  https://a.test",
            "  run: curl --pinnedpubkey '\(pin)' https://a.test",
            "OPTS=(--pinnedpubkey '\(pin)')\ncurl \"${OPTS[@]}\" https://a.test",
            "x=$(curl --pinnedpubkey \(pin) https://a.test)",
            "curl -K - <<E\npinnedpubkey = \"\(pin)\"\n# insecure\nurl = \"https://a.test\"\nE",
        ]
    )
    func secure(text: String) {
        #expect(
            policies(text) == [CurlPolicy(pinnedPublicKey: .digests([Pins.first]))],
            "\(examine(text).findings)"
        )
    }

    @Test(
        "--insecure counts in each of its forms",
        arguments: [
            "curl -fsSk --pinnedpubkey \(pin) https://a.test",
            "curl --pinnedpubkey \(pin) --insecure https://a.test",
            "if [ $X = 1 ]; then O=-k; fi\ncurl $O --pinnedpubkey \(pin) https://a.test",
            "curl --no-insecure -k --pinnedpubkey \(pin) https://a.test",
            "O='-s -k'; curl $O --pinnedpubkey \(pin) https://a.test",
            "wget --no-check-certificate --pinnedpubkey=\(pin) https://a.test",
        ]
    )
    func insecure(text: String) {
        #expect(policies(text).map(\.insecure) == [true])
    }

    @Test(
        "a configuration is read by its lines, without comments",
        arguments: [
            "# pinnedpubkey = \"sha256//old\"\npinnedpubkey = \"\(pin)\"\n# insecure",
            "--pinnedpubkey \"\(pin)\"\n-s\n", "pinnedpubkey: \(pin)",
            "user-agent = \"curl -k\"\npinnedpubkey=\"\(pin)\"",
        ]
    )
    func configuration(text: String) {
        #expect(policies(text, ".curlrc") == [CurlPolicy(pinnedPublicKey: .digests([Pins.first]))])
        let open = policies(text + "\ninsecure\n", ".curlrc")
        #expect(open.map(\.insecure) == [true])
    }

    @Test("each command has pins and hosts of its own")
    func several() throws {
        let text =
            "curl --pinnedpubkey '\(Self.both)' https://a.test/x\ncurl --pinnedpubkey '\(Self.pin)' https://b.test/y\n"
        let file = try #require(examine(text).file)
        #expect(file.kinds == [.curl, .curl] && file.policies.count == 2)
        #expect(file.policies.flatMap(\.scopes).map(\.text) == ["a.test", "b.test"])
        let alike = "for h in a b; do curl --pinnedpubkey '\(Self.both)' https://$h.test/; done"
        let one = try #require(examine(alike).file)
        #expect(one.policies.count == 1 && one.bystanders.map(\.description) == ["a.test", "b.test"])
    }

    @Test(
        "the pin of a URL of http is never compared",
        arguments: ["http://a.test", "a.test/x", "HTTP://a.test", "--url http://a.test"]
    )
    func cleartext(url: String) {
        let (file, findings) = examine("curl --pinnedpubkey '\(Self.both)' \(url)")
        #expect(file == nil && findings.map(\.code) == [.cleartext])
        #expect(examine("curl --proto-default https --pinnedpubkey '\(Self.both)' a.test").file != nil)
    }

    @Test("a pin that is not in the script is named")
    func unknown() {
        let (file, findings) = examine("curl --pinnedpubkey \"sha256//$PIN\" https://a.test")
        #expect(file == nil && findings.map(\.code) == [.pinNotLiteral])
        #expect(findings.first?.sentence.contains("sha256//${PIN}") == true)
    }

    @Test(
        "a command without the pin that another command has for the host is a warning, and a hint elsewhere"
    )
    func open() {
        let pinned = "curl --pinnedpubkey '\(Self.both)' https://a.test/x\n"
        let same = examine(pinned + "curl -k https://a.test/y").findings
        #expect(
            same.map(\.code) == [.acceptsEverything] && same.first?.severity == .warning
                && same.first?.path == "line 2"
        )
        let other = examine(pinned + "curl -k https://localhost/y").findings
        #expect(other.map(\.severity) == [.hint])
    }
}
