import Testing

@testable import PinholeCommand

@Suite("The command that repeats a run with --isolate")
struct IsolatedRunTests {
    @Test("the proposed command repeats the flags and quotes the words")
    func repeats() {
        let command = IsolatedRun.command(
            like: ["/bin/pinhole", "run", "--resolve", "a.test:*:127.0.0.1", "--", "sh", "-c", "echo 'a'"],
            running: ["sh", "-c", "echo 'a'"],
            hasJoined: false
        )
        #expect(
            command == #"pinhole run --isolate --resolve 'a.test:*:127.0.0.1' -- sh -c 'echo '\''a'\'''"#
        )
    }

    @Test(
        "the suggested command of a joined run records into another capture",
        arguments: [["--capture", "x"], ["--capture=x"]]
    )
    func joined(capture: [String]) {
        let command = IsolatedRun.command(
            like: ["pinhole", "run"] + capture + ["--verbose", "--", "true"],
            running: ["true"],
            hasJoined: true
        )
        #expect(command == "pinhole run --isolate --verbose --capture other.sqlite -- true")
    }

    @Test("a login is left out")
    func password() {
        let command = IsolatedRun.command(
            like: ["pinhole", "run", "--upstream-proxy", "http://ada:secret@proxy.test:3128", "--", "true"],
            running: ["true"],
            hasJoined: false
        )
        #expect(
            command == "pinhole run --isolate --upstream-proxy http://USER:PASSWORD@proxy.test:3128 -- true"
        )
    }
}
