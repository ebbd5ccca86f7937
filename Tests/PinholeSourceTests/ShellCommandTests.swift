import PinholeSource
import Testing

@Suite("ShellCommand")
struct ShellCommandTests {
    private func commands(_ text: String) -> [[String]] {
        ShellCommand.commands(in: text).map { $0.words.map(\.text.code) }
    }

    @Test(
        "divides a script into its commands",
        arguments: [
            ("a b # c\nd", [["a", "b"], ["d"]]),
            ("a \\\n b; c && d | e & f", [["a", "b"], ["c"], ["d"], ["e"], ["f"]]),
            ("a 'b # c' \"d;e\" f#g", [["a", "b # c", "d;e", "f#g"]]), ("a > b 2>&1 < c d", [["a", "d"]]),
            ("x=$(a b) c", [["a", "b"], ["c"]]), ("a \"$(b c)\"", [["b", "c"], ["a", "b c"]]),
            ("(a; b) { c; }", [["a"], ["b"], ["c"]]), ("a\\ b \"c\\\"d\" 'e'\"f\"", [["a b", "c\"d", "ef"]]),
            ("a &> b c", [["a", "c"]]), ("a <<< b c", [["a", "c"]]),
        ]
    )
    func commands(text: String, expected: [[String]]) {
        #expect(commands(text) == expected)
    }

    @Test(
        "expands the variables that the script assigns",
        arguments: [
            // A command of assignments alone has no words.
            ("A=1 B='2 3'\nx $A \"$B\" $B ${C:-4} $D", [[], ["x", "1", "2 3", "2", "3", "4", "D"]]),
            ("if a; then B=-k; fi\nx $B", [["if", "a"], ["then"], ["fi"], ["x", "-k"]]),
            ("export A=1; A=2; x ${A}", [["export"], [], ["x", "2"]]),
            ("A=(1 \"2 3\")\nx \"${A[@]}\"", [["x", "1", "2 3"]]),
            ("for h in a b; do x $h.test; done", [["do", "x", "a.test"], ["do", "x", "b.test"], ["done"]]),
        ]
    )
    func variables(text: String, expected: [[String]]) {
        #expect(commands(text) == expected)
    }

    @Test("a heredoc is the input of its command, and commands if a shell reads it")
    func heredocs() {
        let cat = ShellCommand.commands(in: "cat <<'E' > f\ncurl -k x\nE\ny")
        #expect(cat.map(\.input) == ["curl -k x\n", nil] && cat.map(\.line) == [1, 4])
        #expect(commands("bash <<-E\n\ta b\n\tE\nc") == [["a", "b"], ["bash"], ["c"]])
    }

    @Test("ends with any text")
    func anyText() {
        let marks = Array("$(){}[]'\"`\\;&|<>#=\n -@A1")
        var state: UInt64 = 11
        for _ in 0..<500 {
            let text = String(
                (0..<80).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return marks[Int(state >> 33) % marks.count]
                }
            )
            #expect(ShellCommand.commands(in: text).count <= 4000)
        }
    }
}
