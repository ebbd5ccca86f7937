import PinholeFiles
import PinholeModel
import PinholeSource
import PinholeTrust
import Testing

@testable import PinholePolicies

/// Files that speak of settings and commands, and files of settings that are large or say it by an empty value.
@Suite("Words of people")
struct WordsOfPeopleTests {
    private func findings(_ text: String, _ name: String) -> [LintFinding] {
        var options = PolicyFile.Options()
        options.name = name
        let (file, findings) = PolicyFile.examine(Array(text.utf8), options: options, files: .memory([:]))
        let lint = PolicyLint(time: Timestamp(seconds: 1_795_000_000), hosts: [])
        return findings + (file?.policies.flatMap { lint.findings(for: $0) } ?? [])
    }

    @Test(
        "a sentence, a log, a manual and the help of a program accept no server",
        arguments: [
            ("a.txt", "NODE_TLS_REJECT_UNAUTHORIZED=0 is dangerous.\n"),
            ("a.txt", "Please run curl -k https://a.test now.\n"),
            ("a.log", "NODE_TLS_REJECT_UNAUTHORIZED=0 is dangerous.\n"),
            ("a.log", "+ curl -k https://a.test\n"),
            ("a.1", ".TH A\nUse\n.B curl -k https://a.test\n"),
            ("a.sh", "usage() { cat <<EOF\nUsage: a\n  --trusted-host H   the host\nEOF\n}\nusage\n"),
            ("a.yml", "options:\n  - flag: --trusted-host\n    x: y\n"),
            ("a.yml", "description: If true, curl -k https://a.test\n"),
            ("a.graphql", "type A { insecureSkipVerify: Boolean = true }\n"),
        ]
    )
    func quotes(name: String, text: String) {
        #expect(!findings(text, name).contains { $0.code == .acceptsEverything && $0.isFault })
    }

    @Test(
        "a declaration of an option, a completion and a list of words decide nothing",
        arguments: [
            ("a.py", "@click.option(\"--insecure-skip-tls-verify\", is_flag=True)\ndef f(): pass\n"),
            ("a.go", "package a\nfunc f() { flag.Var(&x, \"insecure-skip-tls-verify\", \"u\") }\n"),
            ("_curl", "#compdef curl\n_arguments \"--insecure[Allow insecure]\" \"-k[x]\"\n"),
            ("curl.bash", "complete -W \"--insecure --no-check-certificate\" curl\n"),
            ("a.vim", "syn keyword nginxDirective proxy_ssl_verify ssl_verify_client\n"),
            ("a.yml", "properties:\n  securityPolicy:\n    type: object\n"),
            ("a.proto", "message A { bool insecure_skip_verify = 1; }\n"),
            ("a.pyi", "CERT_NONE: int\n"),
            ("kafka.properties", "ssl.endpoint.identification.algorithm=https\n"),
            ("A.java", "d.define(\"ssl.endpoint.identification.algorithm\", Type.STRING);\n"),
        ]
    )
    func declares(name: String, text: String) {
        #expect(!PolicySearch().decidesTrust(Array(text.utf8), named: name))
    }

    @Test(
        "a switch that says it by an empty value, a class or a word of one program is told",
        arguments: [
            ("kafka.properties", "a=b\nssl.endpoint.identification.algorithm=\n", 2),
            ("application.yml", "spring:\n  ssl.endpoint.identification.algorithm: \"\"\n", 2),
            ("a.properties", "u=jdbc:x?sslfactory=org.postgresql.ssl.NonValidatingFactory\n", 1),
            ("msmtprc", "tls on\ntls_certcheck off\n", 2),
            ("a.env", "U=postgres://a.test/db?sslmode=no-verify\n", 1),
        ]
    )
    func tells(name: String, text: String, line: Int) {
        #expect(TrustWords.place(in: Array(text.utf8), named: name)?.line == line)
    }

    @Test(
        "reads large files, also a file of one line",
        arguments: ["conf", "xml", "sh", "yaml", "txt", "js"]
    )
    func large(ending: String) {
        let line = Array(String(repeating: "sslverify=true,", count: 4_000).utf8)
        _ = TrustWords.place(in: line, named: "a.\(ending)", isRead: true)
        _ = findings(String(repeating: "sslverify = true\n", count: 1_000), "a.\(ending)")
    }

    @Test("findings that name their lines need no words of the file")
    func lines() throws {
        let text = Array("a\nb\nc\n".utf8)
        let finding = LintFinding(.notJudged, .unproven, at: "line 3", "a", remedy: "b")
        #expect(try #require(PolicyLines(text, for: [finding])).line(of: finding) == 3)
        #expect(try #require(PolicyLines(text)).line(of: finding) == 3)
    }
}
