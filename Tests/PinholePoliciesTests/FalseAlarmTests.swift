import PinholeFiles
import PinholeModel
import PinholeSource
import PinholeTrust
import Testing

@testable import PinholePolicies

/// Files that leave out the check of servers in ways that are easily missed, each beside one that does not.
@Suite("Ways around a check that are easily missed")
struct FalseAlarmTests {
    private func read(_ name: String, _ text: String, beside other: (String, String)? = nil) -> [String] {
        FileFindings.of(name, text, beside: other)
    }

    private func notebook(_ code: String) -> String {
        """
        {"cells": [
        {"cell_type": "markdown", "source": ["curl -k https://a.test\\n", "verify=False"]},
        {"cell_type": "code",
        "outputs": [{"text": ["requests.get(u, verify=False)\\n", "curl --insecure https://a.test"]}],
        "source": [\(code)]}
        ], "metadata": {}}
        """
    }

    @Test(
        "the code cells of a notebook are read, and neither its text nor its outputs",
        arguments: [
            ("\"import requests\\n\", \"requests.get(u)\"", []),
            ("\"import requests\\n\",\n\"requests.get(u, verify=False)\"", ["acceptsEverything at line 6"]),
            ("\"!curl -k https://a.test\"", ["acceptsEverything at [a.test]/line 5"]),
            ("\"%%bash\\n\", \"curl -k https://a.test\"", ["acceptsEverything at [a.test]/line 6"]),
            ("\"# !curl -k https://a.test\"", []),
            ("\"%time requests.get(u, verify=False)\"", ["acceptsEverything at line 5"]),
        ]
    )
    func notebooks(code: String, findings: [String]) {
        #expect(read("a.ipynb", notebook(code)) == findings)
    }

    @Test(
        "JavaScript's names of settings are joined from constants",
        arguments: [
            (
                "const a = \"reject\", b = \"Unauthorized\";\nget({[a + b]: false});",
                ["acceptsEverything at line 2"]
            ),
            (
                "const a = \"reject\", b = \"Unauthorized\";\no[a + b] = false;",
                ["acceptsEverything at line 2"]
            ),
            ("const a = \"reject\", b = \"Unauthorized\";\nget({[a + b]: true});", []),
            ("list[i + 1] = false;", []),
        ]
    )
    func joined(code: String, findings: [String]) {
        #expect(read("a.js", code) == findings)
    }

    @Test(
        "functions and aliases of a shell hand their words to curl",
        arguments: [
            (
                "get() { curl -k \"$@\"; }\nget https://a.test",
                ["acceptsEverything at line 1", "acceptsEverything at [a.test]/line 2"]
            ),
            ("get() { curl \"$@\"; }\nget -k https://a.test", ["acceptsEverything at [a.test]/line 2"]),
            ("get() { curl \"$@\"; }\nget https://a.test", []),
            ("alias get='curl -s'\nget https://a.test", []),
            ("alias get='curl -k'", ["acceptsEverything at line 1"]),
            (
                "alias get='curl -k'\nget https://a.test",
                ["acceptsEverything at line 1", "acceptsEverything at [a.test]/line 2"]
            ),
            (
                "for o in -s -k; do O=\"$O $o\"; done\ncurl $O https://a.test",
                ["acceptsEverything at [a.test]/line 2"]
            ),
            ("o=(-s)\no+=(-k)\ncurl \"${o[@]}\" https://a.test", ["acceptsEverything at [a.test]/line 3"]),
        ]
    )
    func functions(script: String, findings: [String]) {
        #expect(read("a.sh", script + "\n") == findings, "\(script)")
    }

    @Test(
        "trust managers that come as a parameter are not proven",
        arguments: [
            ("SSLContext f(TrustManager[] t) { c.init(null, t, null); }", ["not proven at line 1"]),
            (
                "TrustManager[] t;\nA(TrustManager[] t) { this.t = t; }\nvoid f() { c.init(null, t, null); }",
                ["not proven at line 3"]
            ),
            ("SSLContext f() { c.init(null, null, null); }", []),
            ("SSLContext f(Key k) { TrustManager[] t = null; c.init(null, t, null); }", []),
            ("SSLContext s; void f(Key k) { cipher.init(1, k, null); }", []),
        ]
    )
    func managers(code: String, findings: [String]) {
        #expect(read("a.java", "import javax.net.ssl.SSLContext; " + code) == findings, "\(code)")
        let kotlin =
            "import javax.net.ssl.SSLContext\nfun f(t: Array<TrustManager>) { c.init(null, t, null) }\n"
        #expect(read("a.kt", kotlin) == ["not proven at line 2"])
    }

    @Test("a command for another host than the pinned one accepts every server of its own")
    func otherHost() {
        let pin = "sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE="
        let pinned = "curl --pinnedpubkey '\(pin);\(pin.replacing("Y", with: "Z"))' https://a.test"
        #expect(
            read("a.sh", pinned + " --next -k https://b.test\n").contains(
                "acceptsEverything at [b.test]/line 1"
            )
        )
        #expect(
            !read("a.sh", pinned + " --next -k https://localhost\n").contains {
                $0.contains("acceptsEverything")
            }
        )
    }
}
