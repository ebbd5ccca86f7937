import PinholeTestKit
import Testing

@Suite("Usage")
struct UsageTests {
    @Test("help is a result: standard output, exit code 0")
    func help() async throws {
        let result = try await PinholeBinary().run("--help")
        #expect(result.isSuccess && result.text.contains("EXAMPLES") && result.errorText.isEmpty)
    }

    @Test("the program without arguments prints three usual commands and where to find more")
    func alone() async throws {
        let result = try await PinholeBinary().run()
        #expect(result.isSuccess && result.errorText.isEmpty, "\(result)")
        let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 }, "\(result)")
        for command in ["pinhole run -- curl", "pinhole browser", "pinhole lab", "pinhole help"] {
            #expect(result.text.contains(command), "\(result)")
        }
    }

    @Test(
        "the nearest command, value, method or browser is suggested",
        arguments: [
            (["help", "flws"], "the nearest command is pinhole flows\n"),
            (["help", "flows", "lst"], "the nearest command is pinhole flows list\n"),
            (
                ["runn", "--mock", "/x=503", "--", "curl"],
                "There is no command 'runn'. Did you mean 'pinhole run'?"
            ),
            (["captrue"], "There is no command 'captrue'. Did you mean 'pinhole run'?"),
            (["captures", "list"], "There is no command 'captures'. Did you mean 'pinhole flows'?"),
            (["proxies", "--listen", "3"], "There is no command 'proxies'. Did you mean 'pinhole proxy'?"),
            (["xyzzy"], "There is no command 'xyzzy'. 'pinhole --help' lists them."),
            (["flows", "export", "--code", "python", "2"], "such as --code last --language python"),
            (["flows", "export", "--format", "hra"], "Did you mean 'har'? Please provide one of"),
            (["flows", "import", "--format", "mtim", "a"], "Did you mean 'mitm'? Please provide one of"),
            (["lab", "--profile", "strct"], "expected a profile, found “strct”; to fix it: write “strict”"),
            (["lab", "--only", "attaks"], "Did you mean 'attacks'?"),
            (["ca", "export", "--format", "pme"], "Did you mean 'pem'?"),
            (["browser", "--browser", "firfox"], "write “firefox”"),
        ]
    )
    func suggestions(_ arguments: [String], _ expected: String) async throws {
        let binary = try PinholeBinary()
        let result = try await ProcessRunner.run(binary.invocation(arguments))
        #expect(result.exit == .code(2) && result.errorText.contains(expected), "\(result)")
    }

    @Test("a file that is missing may be a misspelt command", arguments: [["chek"], ["chek", "a.xml"]])
    func missingFileNearCommand(_ words: [String]) async throws {
        let binary = try PinholeBinary()
        let result = try await ProcessRunner.run(binary.invocation(["pins"] + words))
        #expect(result.exit == .code(3), "\(result)")
        #expect(result.errorText.contains("the nearest command is pinhole pins check\n"), "\(result)")
    }

    @Test("help of the command “help” is its own")
    func helpOfHelp() async throws {
        #expect(try await PinholeBinary().run("help", "help").isSuccess)
    }

    @Test("a file that is missing and no command is near to stays a file that is missing")
    func missingFile() async throws {
        let result = try await PinholeBinary().run("pins", "leaf.pem")
        #expect(result.exit == .code(3) && !result.errorText.contains("nearest"), "\(result)")
    }

    @Test("help of a command is shown by “help”, too")
    func helpOfCommand() async throws {
        let result = try await PinholeBinary().run("help", "flows", "list")
        #expect(result.isSuccess && result.text.contains("USAGE: pinhole flows list"), "\(result)")
    }

    @Test(
        "wrong usage exits with 2 and names the expected form",
        arguments: [
            (["bogus"], "There is no command 'bogus'"),
            (["proxy", "--listen", "nowhere"], "expected ADDRESS:PORT such as 127.0.0.1:8080"),
            (["proxy", "--allow", "10.0.0.0/99"], "expected a prefix length"),
            (["proxy", "--resolve", "a:b"], "expected HOST:PORT:ADDRESS"),
            (["proxy", "--quiet", "--verbose"], "expected --quiet or --verbose"),
            (["run"], "expected a program after “--”"),
            (["attach"], "expected the number or the name of a process"),
            (["attach", "--undo", "1"], "expected --undo alone"),
            (["flows", "export"], "expected one of --format FORMAT, --har FILE"),
            (["flows", "export", "--raw", "1", "--proto", "a.pb"], "--proto: expected --har FILE beside it"),
            (["flows", "list", "--status", "abc"], "expected a status such as 404"),
            (["replay", "390", "--methd", "PUT"], "Unknown option '--methd'"),
            (["replay", "abc"], "expected the number of an exchange or last, found “abc”"),
            (["flows", "diff", "last", "b.sqlite"], "expected two captures or two numbers of exchanges"),
            (["proxy", "--upstream-auth", "a:b"], "expected --upstream-proxy beside it"),
            (
                ["proxy", "--listen", "127.0.0.1:8099", "--upstream-proxy", "http://localhost:8099"],
                "is this proxy itself"
            ),
            (
                ["proxy", "--upstream-address", "localhost"],
                "expected an address of this machine, found “localhost”"
            ),
            (
                ["run", "--upstream-address", "127.0.0.1", "--upstream-address", "127.0.0.2", "--", "true"],
                "--upstream-address: expected at most one IPv4 address and one IPv6 address"
            ),
            (["explain", "foo:99999"], "expected a port of 1 to 65535"),
            (["ca", "export", "--format", "jks"], "pem, der, p12"),
        ]
    )
    func wrongUsage(_ arguments: [String], _ expected: String) async throws {
        let binary = try PinholeBinary()
        let result = try await ProcessRunner.run(binary.invocation(arguments))
        #expect(result.exit == .code(2) && result.errorText.contains(expected), "\(result)")
        #expect(result.text.isEmpty)
    }

    @Test(
        "a possible password in an unreadable flag is not repeated",
        arguments: [
            (["proxy", "--proxy-auth", "hunter2"], "--proxy-auth: expected USER:PASSWORD or @FILE"),
            (["proxy", "--upstream-auth", "hunter2"], "--upstream-auth: expected USER:PASSWORD or @FILE"),
            (["proxy", "--listen", "reverse:https://me:hunter2@x@127.0.0.1:1"], "found “https://…@x”"),
            (["proxy", "--upstream-proxy", "https://me:hunter2@x:1/path"], "found “https://…@x:1/path”"),
            (["replay", "1", "--proxy", "ftp://me:hunter2@x"], "found “ftp://…@x”"),
            (["replay", "1", "--to", "http://me:hunter2@x"], "without name and password"),
            (["replay", "1", "--set-header", "Authorization hunter2"], "no colon after a name"),
            (["fetch", "https://x/", "--user", "hunter2"], "--user: expected NAME:PASSWORD"),
            (["fetch", "https://x/", "--header", "Authorization hunter2"], "no colon after a name"),
            (["fetch", "ftp://me:hunter2@x/"], "found “ftp://…@x/”"),
        ]
    )
    func secrets(_ arguments: [String], _ expected: String) async throws {
        let binary = try PinholeBinary()
        let result = try await ProcessRunner.run(binary.invocation(arguments))
        #expect(result.exit == .code(2) && !result.errorText.contains("hunter"), "\(result)")
        #expect(result.errorText.contains(expected), "\(result)")
    }

    @Test("a password in an unreadable flag is not repeated beside the expected form")
    func password() async throws {
        let result = try await PinholeBinary().run("proxy", environment: ["PINHOLE_PROXY_AUTH": "hunter2"])
        #expect(result.exit == .code(2) && !result.errorText.contains("hunter2"), "\(result)")
    }

    @Test("completions are generated", arguments: ["bash", "zsh", "fish"])
    func completions(_ shell: String) async throws {
        let result = try await PinholeBinary().run("--generate-completion-script", shell)
        #expect(result.isSuccess && result.text.contains("pinhole"))
    }
}
