import Testing

@testable import PinholeCommand

@Suite("SessionCommand")
struct SessionCommandTests {
    @Test(
        "name the flags that a joined proxy cannot follow",
        arguments: [
            (["--ca-dir", "ca", "--capture-filter", "failed"], ["--ca-dir", "--capture-filter"]),
            (["--danger-accept", "a.test"], ["--danger-accept"]),
            (["--client-certificate", "a.test=me.pem"], ["--client-certificate"]),
            (
                ["--upstream-proxy", "http://a.test:1", "--upstream-auth", "a:b", "--mark", "1"],
                ["--upstream-proxy", "--upstream-auth", "--mark"]
            ),
            (["--interceptor", "cat", "--offline"], ["--interceptor", "--offline"]),
            (["--capture", "a.sqlite", "--config", "a.json"], []),
        ] as [([String], [String])]
    )
    func flags(arguments: [String], expected: [String]) {
        let words = ["pinhole", "run"] + arguments + ["--", "curl", "--head"]
        #expect(RunCommand.flagsOfProxy(in: words) == expected)
    }
}
