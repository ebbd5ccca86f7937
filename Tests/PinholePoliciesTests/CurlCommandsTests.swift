import PinholeFiles
import PinholeModel
import PinholeSource
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
            "alias curl='curl -k'\ncurl --pinnedpubkey \(pin) https://a.test",
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

    @Test("a command without the pin that another command has for the host is a client of its own")
    func open() throws {
        let pinned = "curl --pinnedpubkey '\(Self.both)' https://a.test/x"
        for command in ["\ncurl -k", " --next -k", " || curl --insec"].map({ $0 + " https://a.test/y" }) {
            let file = try #require(examine(pinned + command).file)
            #expect(file.isOfSeveralClients && file.policies.count == 2, "\(command)")
            let policy = (file.policies.last as? HostPolicies)?.entries.first?.policy as? BrokenPolicy
            #expect(policy?.kind == .acceptAll, "\(command)")
        }
        let (file, findings) = examine(pinned + "\ncurl https://a.test/y")
        #expect(findings.map(\.code) == [.notEnforced] && findings.first?.path == "line 2")
        let survey = HostSurvey(try #require(file), at: Timestamp(seconds: 1_780_000_000))
        #expect(survey.entries.map(\.opensPinnedHost).contains(true))
        let other = examine(pinned + "\ncurl -k https://localhost/y").findings
        #expect(other.map(\.severity) == [.hint])
    }

    @Test("a function with the name of the program may add any option")
    func functions() {
        let pinned = "curl --pinnedpubkey '\(Self.both)' https://a.test/x\n"
        for head in ["curl() {", "function curl {", "  function curl() {", "curl () {"] {
            let findings = examine("\(head)\n command curl -k \"$@\"\n}\n\(pinned)").findings
            #expect(findings.contains { $0.severity == .unproven && $0.path == "line 1" }, "\(findings)")
        }
        let other = examine("get_curl() {\n :\n}\n\(pinned)").findings
        #expect(!other.contains { $0.severity == .unproven }, "\(other)")
    }

    @Test("words that may hold any option are not proven")
    func unknownWords() {
        let findings = examine("curl $OPTIONS --pinnedpubkey '\(Self.both)' https://a.test/").findings
        #expect(findings.map(\.severity) == [.unproven], "\(findings)")
        let url = examine("curl --pinnedpubkey '\(Self.both)' \"$URL\"").findings
        #expect(url.isEmpty, "\(url)")
    }

    @Test(
        "a command that is only printed pins nothing",
        arguments: [
            "echo \"curl --pinnedpubkey '\(both)' https://a.test\"\ncurl https://a.test",
            "echo curl --pinnedpubkey '\(both)' https://a.test\ncurl https://a.test",
        ]
    )
    func printed(text: String) {
        #expect(examine(text).file == nil)
    }

    private func examine(
        _ name: String,
        _ text: String,
        beside files: [String: String]
    ) -> (file: PolicyFile?, findings: [LintFinding]) {
        var options = PolicyFile.Options()
        options.name = name
        let access = FileAccess.memory(files.mapValues { Array($0.utf8) })
        return PolicyFile.examine(Array(text.utf8), options: options, files: access)
    }

    @Test("the options of a file count as if they stood in the command, also in a heredoc and in short")
    func configurationFile() {
        let text = "curl -K conf/a https://a.test"
        let file = ["conf/a": "pinnedpubkey = \"\(Self.both)\"\n", "conf/b": "-k\n"]
        let known = examine("get.sh", text, beside: file)
        #expect(known.findings.isEmpty, "\(known.findings)")
        #expect((known.file?.policies.first as? CurlPolicy)?.insecure == false)
        let open = "curl --pinnedpubkey '\(Self.both)' -K conf/b https://a.test"
        #expect((examine("a.sh", open, beside: file).file?.policies.first as? CurlPolicy)?.insecure == true)
        let here = "curl --pinnedpubkey '\(Self.both)' https://a.test -K - <<E\n-k\nE"
        #expect(policies(here).map(\.insecure) == [true])
        let missing = "curl --pinnedpubkey '\(Self.both)' -K conf/c https://a.test"
        #expect(examine("a.sh", missing, beside: file).findings.map(\.severity) == [.unproven])
        let circle = "curl --pinnedpubkey '\(Self.both)' -K c https://a.test"
        #expect(examine("a.sh", circle, beside: ["c": "config = c"]).findings.map(\.severity) == [.unproven])
        let lines = String(repeating: "config = d\n", count: 1_000)
        let many = ["c": lines, "d": lines.replacing("= d", with: "= c")].mapValues { Array($0.utf8) }
        let files = NamedFiles(.memory(many))
        _ = CurlCommands(circle, name: "a.sh", files)
        #expect(files.inclusions > 0 && files.inclusions <= NamedFiles.mostInclusions)
    }

    @Test(
        "commands that source code runs are read by their words",
        arguments: [
            (
                "a.py",
                "subprocess.run([\"curl\", \"-k\", \"--pinnedpubkey\", \"\(both)\", \"https://a.test\"])"
            ),
            ("a.py", "os.system(\"curl -k --pinnedpubkey '\(both)' https://a.test\")"),
            ("a.js", "spawn('/usr/bin/curl', ['-k', '--pinnedpubkey', '\(both)', 'https://a.test'])"),
            ("a.js", "execSync(`curl -k --pinnedpubkey '\(both)' https://a.test/${path}`)"),
            (
                "a.go",
                "exec.Command(\"curl\", \"-k\", \"--pinnedpubkey\", \"\(both)\", \"https://a.test\").Run()"
            ),
            (
                "A.java",
                "new ProcessBuilder(\"sh\", \"-c\", \"curl -k --pinnedpubkey '\(both)' https://a.test\")"
            ),
        ]
    )
    func run(_ name: String, _ text: String) {
        #expect(policies(text, name).map(\.insecure) == [true], "\(examine(text, name).findings)")
        let safe = text.replacing("-k", with: "-s")
        #expect(policies(safe, name).map(\.insecure) == [false], "\(examine(safe, name).findings)")
    }

    @Test(
        "a list of words that gets further ones is a question",
        arguments: [
            "cmd = [\(words)]\ncmd.append(option)\nsubprocess.run(cmd)", "subprocess.run([\(words)] + EXTRA)",
            "cmd = [\(words)]\nsubprocess.run(cmd + EXTRA)", "cmd = [\(words)]\ncmd += EXTRA",
            "cmd = [\(words)]\nsubprocess.run([*cmd, option])", "cmd = [\(words)]\ncmd.extend(EXTRA)",
            "subprocess.run([\(words)])\nEXTRA = \"--insecure\"",
            "subprocess.run([\(words), \(String(repeating: "\"-s\", ", count: 1_000))\"-k\"])",
        ]
    )
    func changedList(text: String) {
        #expect(examine(text, "a.py").findings.contains { $0.severity == .unproven }, "\(text)")
        let file = examine("import subprocess\nsubprocess.run([\(Self.words)])\nother.append(1)", "a.py")
        #expect(file.findings.isEmpty && file.file?.policies.count == 1, "\(file.findings)")
    }

    private static let words = "\"curl\", \"--pinnedpubkey\", \"\(both)\", \"https://a.test\""

    @Test(
        "a pin outside of curl commands counts, and a command without it leaves the other commands as they are"
    )
    func besideCommands() {
        let beside = "subprocess.run([\(Self.words)])\nrequests.get(u, pin=\"\(Self.pin)\")"
        #expect(policies(beside, "a.py").count == 2)
        let variable = "subprocess.run([\"curl\", \"--pinnedpubkey\", load(), \"https://a.test\"])\n"
        let found = examine(variable + "setopt(CURLOPT_PINNEDPUBLICKEY, \"\(Self.both)\")", "a.py")
        #expect(found.file?.policies.count == 1)
        #expect(found.findings.contains { $0.severity == .unproven })
    }

    @Test("the words of commands are read once, also if each is the name of a program")
    func wordsOnce() {
        let list = String(repeating: "\"curl\", ", count: 5_000)
        let code = SourceCode(Array("run([\(list)\"-k\"])".utf8), name: "a.py")
        let words = SourceCommand.commands(in: code).map { command in
            if case .words(let words) = command.form { words.count } else { 0 }
        }
        #expect(words.reduce(0, +) <= code.tokens.count && !words.isEmpty)
        #expect(words.allSatisfy { $0 <= SourceCommand.mostWords })
    }

    @Test("a command beside settings is one client more")
    func besideSettings() throws {
        let text = "server { location / { proxy_pass https://a.test; } }\ncurl -k https://b.test\n"
        let (file, findings) = examine(text, "nginx.conf")
        let hosts = try #require(file).policies.compactMap { ($0 as? HostPolicies)?.entries.first?.patterns }
        #expect(hosts.map { $0.map(\.description) } == [["a.test"], ["b.test"]])
        #expect(!findings.contains { $0.sentence.contains("--insecure") }, "\(findings)")
    }

    @Test("a command without a pin is a client of its own beside code that pins its host")
    func besideCode() {
        let pins =
            "CertificatePinner.Builder().add(\"a.test\", \"sha256/\(Pins.first)\", \"sha256/\(Pins.second)\").build()"
        let client = "val c = OkHttpClient.Builder().certificatePinner(\(pins)).build()\n"
        let file = examine(client + "Runtime.getRuntime().exec(\"curl -k https://a.test/x\")", "A.kt").file
        #expect(file?.policies.count == 2)
        #expect(examine(client + "log(\"try curl -k https://a.test/x\")", "A.kt").file?.policies.count == 1)
        #expect(examine(client + "exec(\"curl -k https://b.test/x\")", "A.kt").file?.policies.count == 1)
    }
}
