import Testing

@Suite("Secrets")
struct SecretsTests {
    @Test("there is no private key and no machine's path in the repository")
    func repository() async throws {
        let paths = try await Repository.trackedFiles()
        #expect(paths.contains("Package.swift"))
        let files = paths.map { SourceFile(path: $0, text: Repository.text(of: $0) ?? "") }
        #expect(files.flatMap(SecretsRule.findings) == [])
    }

    @Test("a private key is seen", arguments: ["", "RSA ", "EC ", "ENCRYPTED "])
    func key(kind: String) {
        let body = String(repeating: "A", count: 64)
        let text = "-----BEGIN \(kind)PRIVATE KEY-----\n\(body)\n"
        #expect(SecretsRule.findings(in: SourceFile(path: "a.txt", text: text)).count == 1)
    }

    @Test("the name of the format alone is no key")
    func header() {
        let file = SourceFile(
            path: "A.swift",
            text: "#expect(pem.hasPrefix(\"-----BEGIN PRIVATE KEY-----\"))\n"
        )
        #expect(SecretsRule.findings(in: file).isEmpty)
    }

    @Test("a file that is named like a key is seen", arguments: ["ca/rootCA-key.pem", "a.p12", "b.key"])
    func name(path: String) {
        #expect(SecretsRule.findings(in: SourceFile(path: path, text: "")).count == 1)
    }

    @Test("a path of one machine is found", arguments: ["root", "work", "home", "Users"])
    func machinePath(folder: String) {
        for before in ["", "see ", "\"", "=", "("] {
            let file = SourceFile(path: "a.md", text: "\(before)/\(folder)/somebody")
            #expect(SecretsRule.findings(in: file).count == 1, "\(file.lines)")
        }
    }

    @Test("the path of a URL is no path of a machine")
    func url() {
        let file = SourceFile(path: "a.md", text: "https://example.com/home/page and /usr/share/x")
        #expect(SecretsRule.findings(in: file).isEmpty)
    }
}
