import PinholeModel
import Testing

@Suite("ShellWord")
struct ShellWordTests {
    @Test(
        "is one word to a shell",
        arguments: [
            ("/a/b.c", "/a/b.c"), ("", "''"), ("a b", "'a b'"), ("-rf", "./-rf"), ("it's", "'it'\\''s'"),
            ("$(id)", "'$(id)'"),
        ]
    )
    func quoted(_ path: String, _ expected: String) {
        #expect(ShellWord.quoted(path) == expected)
    }

    @Test("a command keeps its options")
    func command() {
        #expect(ShellWord.command(["sh", "-c", "a b", ""]) == "sh -c 'a b' ''")
    }
}
