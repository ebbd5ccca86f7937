import Foundation
import PinholeReports
import PinholeTestKit
import Testing

@Suite("pinhole audit")
struct AuditTests {
    private func audit(_ words: [String]) async throws -> ProcessResult {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        return try await ProcessRunner.run(Invocation(binary, ["audit"] + words))
    }

    private func curl(_ scenarios: String, _ words: String...) async throws -> ProcessResult {
        try await audit(["--scenario", scenarios, "--", "curl", "-s"] + words + ["{url}"])
    }

    @Test("curl without a pin misses the interception by an installed CA")
    func unpinned() async throws {
        let result = try await curl("A01,A02,L02")
        #expect(result.exit == .code(1), "\(result)")
        #expect(result.outcomes == ["A01": "detected", "A02": "missed", "L02": "accepted"], "\(result)")
        #expect(
            result.text.contains("rejected(unknown_ca)") && result.text.contains("does not pin"),
            "\(result)"
        )
    }

    @Test("curl with a pin and its backup notices it after the handshake, and takes the rotation")
    func pinned() async throws {
        let result = try await curl(
            "A01,A02,L02,L03",
            "--pinnedpubkey",
            "sha256//{pin};sha256//{pin-backup}"
        )
        #expect(result.isSuccess, "\(result)")
        #expect(result.outcomes["A02"] == "detected", "\(result)")
        #expect(result.text.contains("rejected-after-handshake"), "\(result)")
    }

    @Test("curl with a pin and no backup raises a false alarm at the rotation")
    func withoutBackup() async throws {
        let result = try await curl("L03", "--pinnedpubkey", "sha256//{pin}")
        #expect(result.exit == .code(1) && result.outcomes == ["L03": "false alarm"], "\(result)")
    }

    @Test("curl -k fails, and the report says first that it does not validate certificates")
    func insecure() async throws {
        let result = try await curl("L02", "-k")
        #expect(result.exit == .code(1), "\(result)")
        #expect(result.text.contains("The program does not validate certificates"), "\(result)")
    }

    @Test("--why reports the checks of curl with and without a pin, and that curl -k accepts any server")
    func why() async throws {
        let plain = try await audit(["--why", "--json", "-", "--", "curl", "-s", "{url}"])
        #expect(plain.isSuccess && plain.text.hasPrefix(#"{"insistsOn":[["version","purpose""#), "\(plain)")
        #expect(plain.errorText.contains("The program insists on 5 facts:\n  TLS 1.2 or newer\n"), "\(plain)")
        let pins = "sha256//{pin};sha256//{pin-backup}"
        let pinned = try await audit(["--why", "--", "curl", "-sk", "--pinnedpubkey", pins, "{url}"])
        #expect(pinned.isSuccess && pinned.text.contains("2 facts:\n  the server's key\n"), "\(pinned)")
        let open = try await audit(["--why", "--", "curl", "-sk", "{url}"])
        #expect(open.exit == .code(1) && open.text.contains("Anybody on the network"), "\(open)")
        let absent = try await audit(["--why", "--", "sh", "-c", "exit 7", "{url}"])
        #expect(absent.exit == .code(3) && absent.text.contains("the audit proves nothing"), "\(absent)")
        let mixed = try await audit(["--why", "--only", "attacks", "--", "true"])
        #expect(mixed.exit == .code(2) && mixed.errorText.contains("--why"), "\(mixed)")
    }

    @Test("curl without the proxy is led in by the listener")
    func direct() async throws {
        let result = try await audit([
            "--listen", "127.0.0.1:0", "--scenario", "A01,A02", "--", "curl", "-s",
            "--pinnedpubkey", "sha256//{pin}", "--connect-to", "::{address}", "{url}",
        ])
        #expect(result.isSuccess, "\(result)")
        #expect(result.outcomes == ["A01": "detected", "A02": "detected"], "\(result)")
    }

    /// A client that sends a line as soon as TLS stands, and verifies chain and name.
    private static func openssl(_ name: String) -> String {
        """
        (echo a; sleep 1) | openssl s_client -quiet -verify_return_error -CAfile {ca} -verify_hostname {host} \
        -starttls \(name) -connect {address}
        """
    }

    @Test(
        "mail and database clients are audited behind STARTTLS",
        arguments: [
            ("smtp", "curl -s --ssl-reqd --connect-to ::{address} --mail-from a@b smtp://{host}"),
            ("imap", "curl -s --ssl-reqd --connect-to ::{address} -u me:secret imap://{host}"),
            ("pop3", "curl -s --ssl-reqd --connect-to ::{address} -u me:secret pop3://{host}"),
            ("ftp", "curl -s --ssl-reqd --connect-to ::{address} -u me:secret ftp://{host}/"),
            ("xmpp", openssl("xmpp")), ("postgres", openssl("postgres")),
        ]
    )
    func startTLS(_ name: String, _ command: String) async throws {
        let result = try await audit([
            "--starttls", name, "--scenario", "A01,A02,L02", "--", "sh", "-c", command,
        ])
        #expect(result.exit == .code(1), "\(result)")
        #expect(result.outcomes == ["A01": "detected", "A02": "missed", "L02": "accepted"], "\(result)")
    }

    @Test("curl that does not require TLS sends its command to a man in the middle who hides STARTTLS")
    func fallback() async throws {
        let result = try await audit([
            "--starttls", "imap", "--scenario", "A01", "--", "curl", "-s", "--ssl", "--connect-to",
            "::{address}", "-u", "me:secret", "imap://{host}",
        ])
        #expect(result.exit == .code(1) && result.outcomes == ["A01": "detected"], "\(result)")
        #expect(result.text.contains("goes on without TLS if a man in the middle hides"), "\(result)")
    }

    @Test(
        "a client that comes back in the clear after it refused a certificate validates, and is open all the same"
    )
    func comesBack() async throws {
        let curl = "curl -s --connect-to ::{address} -u me:secret pop3://{host}"
        let result = try await audit([
            "--starttls", "pop3", "--scenario", "L02", "--", "sh", "-c",
            "\(curl) --ssl-reqd; [ $? != 60 ] || \(curl)",
        ])
        #expect(result.exit == .code(1), "\(result)")
        #expect(result.text.contains("refuses a man in the middle, and comes back without TLS"), "\(result)")
        #expect(!result.text.contains("does not validate"), "\(result)")
    }

    @Test("a client that never starts TLS has no facts that it insists on")
    func unprotectedWhy() async throws {
        let result = try await audit([
            "--starttls", "pop3", "--why", "--", "curl", "-s", "--connect-to", "::{address}", "-u",
            "me:secret",
            "pop3://{host}",
        ])
        #expect(result.exit == .code(1) && result.text.contains("does not use TLS"), "\(result)")
    }

    @Test("a client that never starts TLS fails, and the command that it sent is named without arguments")
    func unprotected() async throws {
        let result = try await audit([
            "--starttls", "pop3", "--scenario", "A02", "--", "curl", "-s", "--connect-to", "::{address}",
            "-u", "secret-name:secret", "pop3://{host}",
        ])
        #expect(result.exit == .code(1) && result.outcomes == ["A02": "inconclusive"], "\(result)")
        #expect(result.text.contains("The client sent USER before it started TLS."), "\(result)")
        #expect(!result.text.contains("secret-name:"), "\(result)")
    }

    @Test("a command without the lab's address: the reason and the remedy stand first")
    func withoutURL() async throws {
        let result = try await audit(["--scenario", "A02", "--", "sh", "-c", "exit 7"])
        let lines = result.text.split(separator: "\n")
        #expect(lines.first?.contains("did not send its request to the honest server") == true, "\(result)")
        #expect(
            lines.dropFirst().first?.hasPrefix("The command has no {url}: write {url} in the place") == true
        )
        #expect(
            lines.last == "INCONCLUSIVE: the program failed with the honest server",
            "\(result)"
        )
    }

    @Test("attacks that no pin prevents are listed without a verdict; the verdict is the last line")
    func grades() async throws {
        let pins = "sha256//{pin};sha256//{pin-backup}"
        let result = try await curl("A02,L04,L12", "--pinnedpubkey", pins)
        #expect(result.isSuccess, "\(result)")
        let verdict = result.text.split(separator: "\n").last ?? ""
        #expect(
            verdict.hasPrefix("OK: as a correct client in 1 of 1") && verdict.contains("2 more"),
            "\(result)"
        )
    }

    @Test("a program that ends at once gets no verdict, and its last output is shown")
    func absent() async throws {
        let result = try await audit(["--scenario", "A02", "--", "sh", "-c", "echo no luck >&2; exit 7"])
        #expect(result.exit == .code(3) && result.outcomes == ["A02": "inconclusive"], "\(result)")
        #expect(result.text.contains("it exited with 7: “no luck”"), "\(result)")
    }

    @Test("a program that hangs is ended with its child processes, and gets no verdict")
    func hanging() async throws {
        let result = try await audit([
            "--scenario", "A02", "--timeout", "1", "--", "sh", "-c", "sleep 300 & sleep 300",
        ])
        #expect(result.exit == .code(3) && result.outcomes == ["A02": "inconclusive"], "\(result)")
        #expect(result.text.contains("it still ran when the time was over"), "\(result)")
    }

    @Test("a program that sends its request and then hangs has accepted the server")
    func hangingLater() async throws {
        let result = try await audit([
            "--scenario", "A02", "--timeout", "5", "--", "sh", "-c", "curl -s {url}; sleep 300",
        ])
        #expect(result.exit == .code(1) && result.outcomes == ["A02": "missed"], "\(result)")
    }

    @Test("a program that leaves another one to do the work is waited for")
    func forking() async throws {
        let result = try await audit([
            "--scenario", "A02", "--", "sh", "-c", "(sleep 0.3; curl -s {url}) & exit 0",
        ])
        #expect(result.exit == .code(1) && result.outcomes == ["A02": "missed"], "\(result)")
    }

    @Test("a program that retries without its check has accepted the server")
    func retrying() async throws {
        let result = try await audit([
            "--scenario", "A02", "--", "sh", "-c",
            "curl -s --pinnedpubkey sha256//{pin} {url} || curl -s {url}",
        ])
        #expect(result.exit == .code(1) && result.outcomes == ["A02": "missed"], "\(result)")
    }

    @Test("the signal of a program that crashed is reported")
    func crashing() async throws {
        let result = try await audit(["--scenario", "A02", "--", "sh", "-c", "kill -SEGV $$"])
        #expect(result.exit == .code(3) && result.outcomes == ["A02": "inconclusive"], "\(result)")
        #expect(result.text.contains("signal 11 ended it"), "\(result)")
    }

    @Test(
        "a program that bypasses the lab is reported with its target",
        arguments: [
            ("curl -s --noproxy '*' {url}", "no connection to the lab"),
            ("curl -s https://elsewhere.test/", "no connection to the lab but to elsewhere.test:443"),
            (
                "curl -sk --noproxy '*' --connect-to ::{address} {url}",
                "programs that use no proxy need --listen"
            ),
            (
                "curl -sk --http1.1 --noproxy '*' --connect-to ::{address} {url}",
                "programs that use no proxy need --listen"
            ),
            ("curl -s http://{host}/account", "sent GET http://api.pinned.test/account in the clear"),
            ("curl -s http://{host}:{port}/account", "sent its request in the clear: GET http://api.pinned"),
        ]
    )
    func straying(_ command: String, _ sentence: String) async throws {
        let result = try await audit(["--scenario", "A02", "--", "sh", "-c", command])
        #expect(result.exit == .code(3) && result.outcomes == ["A02": "inconclusive"], "\(result)")
        #expect(result.text.contains(sentence), "\(result)")
    }

    @Test("after a scenario in which the program hangs, the other scenarios run")
    func goingOn() async throws {
        let result = try await audit([
            "--scenario", "A01,A02,L02", "--timeout", "5", "--", "sh", "-c",
            "curl -s {url} || exec sleep 300",
        ])
        #expect(result.outcomes == ["A01": "detected", "A02": "missed", "L02": "accepted"], "\(result)")
        #expect(result.text.contains("It still ran when the time was over"), "\(result)")
    }

    @Test("a port that is taken is named")
    func taken() async throws {
        let other = try RawServer(nil)
        let result = try await audit(["--listen", "127.0.0.1:\(other.port)", "--", "curl", "{url}"])
        #expect(result.exit == .code(3) && result.text.isEmpty, "\(result)")
        #expect(result.errorText.contains("choose another address with --listen"), "\(result)")
    }

    @Test("redirects, tampering and spellings are audited as well")
    func beyondCertificates() async throws {
        let result = try await audit([
            "--scenario", "B03,B04,B06,B11,B12,B15,B29", "--", "curl", "-sL", "--pinnedpubkey",
            "sha256//{pin}",
            "{url}",
        ])
        let expected = [
            "B03": "detected", "B04": "detected", "B06": "detected", "B11": "detected", "B12": "missed",
            "B15": "detected",
            "B29": "detected",
        ]
        #expect(result.outcomes == expected, "\(result)")
    }

    @Test("the report has both chains, and a place for code scanning")
    func reports() async throws {
        let directory = try TemporaryDirectory(prefix: "pinhole-audit")
        let json = directory.file("audit.json")
        let result = try await audit([
            "--scenario", "A02", "--json", json, "--sarif", "-", "--", "curl", "-s", "{url}",
        ])
        #expect(result.text.contains(#""uri":"pinhole/curl""#), "\(result)")
        let document = try LabDocument(parsing: Array(Data(contentsOf: URL(filePath: json))))
        let evidence = try #require(document.cells.first?.evidence.first)
        #expect(evidence.honest.count == 2 && !evidence.presented.isEmpty)
        #expect(Set(evidence.honest).isDisjoint(with: evidence.presented))
    }

    @Test("a program that is not there could not be run")
    func missing() async throws {
        let result = try await audit(["--", "/nowhere/to/be/found", "{url}"])
        #expect(result.exit == .code(3) && result.errorText.contains("/nowhere/to/be/found"), "\(result)")
    }

    @Test(
        "wrong usage exits with 2",
        arguments: [
            [], ["--scenario", "A2", "--", "curl"], ["--scenario", "B07", "--", "curl"],
            ["--host", "127.0.0.1", "--", "curl"], ["--timeout", "0", "--", "curl"],
            ["--listen", "127.0.0.1:0", "--", "curl", "-x", "{proxy}"],
            ["--starttls", "gopher", "--", "curl"], ["--starttls", "smtp", "--", "curl", "-x", "{proxy}"],
        ]
    )
    func usage(_ words: [String]) async throws {
        let result = try await audit(words)
        #expect(result.exit == .code(2) && result.text.isEmpty, "\(result)")
    }
}

extension ProcessResult {
    /// The outcome of each scenario in the table of an audit.
    fileprivate var outcomes: [String: String] {
        var outcomes: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2)
            guard let id = words.first, words.count == 3, id.count == 3, id.last?.isNumber == true else {
                continue
            }
            let all = ["detected", "missed", "accepted", "false alarm", "inconclusive"]
            outcomes[String(id)] = all.first { words[2].drop { $0 == " " }.hasPrefix($0) }
        }
        return outcomes
    }
}
