import PinholeModel
import Testing

@testable import PinholeCommand

@Suite("The command line of a browser")
struct BrowserCommandLineTests {
    private func line(_ family: Browser.Family) throws -> BrowserCommandLine {
        let browser = Browser(family: family, path: "/usr/bin/some")
        return BrowserCommandLine(
            browser: browser,
            profile: "/h/x/some",
            proxy: try Authority("[::1]:8080")
        )
    }

    @Test("Chromium gets profile and proxy by flags, and goes past the proxy for nothing")
    func chromium() throws {
        let words = try line(.chromium).words
        #expect(words.first == "/usr/bin/some" && words.last == "about:blank")
        for flag in [
            "--user-data-dir=/h/x/some", "--proxy-server=http://[::1]:8080",
            "--proxy-bypass-list=<-loopback>", "--disable-quic",
        ] { #expect(words.contains(flag), "\(flag)") }
        #expect(
            !words.contains { $0.contains("ignore-certificate-errors") },
            "the chain is judged as any other"
        )
    }

    @Test("Chromium keeps its sandbox, but for root")
    func sandbox() throws {
        var line = try line(.chromium)
        #expect(!line.words.contains("--no-sandbox") && !line.leavesSandbox)
        line.isRoot = true
        #expect(line.words.contains("--no-sandbox") && line.leavesSandbox)
        var firefox = try self.line(.firefox)
        firefox.isRoot = true
        #expect(!firefox.words.contains("--no-sandbox") && !firefox.leavesSandbox)
    }

    @Test("Firefox gets its profile by a flag, and opens what it likes without a page")
    func firefox() throws {
        #expect(
            try line(.firefox).words == [
                "/usr/bin/some", "-no-remote", "-new-instance", "-profile", "/h/x/some",
            ]
        )
    }

    @Test("arguments of the user win over ours, and the page is last")
    func order() throws {
        for family in [Browser.Family.chromium, .firefox] {
            var line = try line(family)
            line.arguments = ["--headless", "--dump-dom"]
            line.page = "https://a.test/"
            #expect(
                line.words.suffix(3) == ["--headless", "--dump-dom", "https://a.test/"]
            )
            #expect(!line.words.contains("about:blank"))
        }
    }

    @Test(
        "browsers that need no display",
        arguments: [
            ([], true), (["--incognito"], true), (["--headless"], false), (["--headless=new"], false),
            (["-headless"], false), (["--dump-dom", "-headless"], false),
        ]
    )
    func display(_ arguments: [String], _ isNeeded: Bool) {
        #expect(BrowserCommandLine.needsDisplay(arguments) == isNeeded)
    }
}
