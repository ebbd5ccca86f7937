import PinholeRules
import Testing

@Suite("LocalMap")
struct LocalMapTests {
    @Test(
        "finds the names below the folder, and none outside of it",
        arguments: [
            ("/static", "/static/a/b.css?x", ["a", "b.css"]), ("/static", "/static", []),
            ("/static/", "/static/a", ["a"]), ("/", "/a%20b//c", ["a b", "c"]),
            ("/static", "/statically", nil),
            ("/static", "/other", nil), ("/", "/../x", nil), ("/", "/a/%2e%2E/x", nil), ("/", "/a%2Fb", nil),
            ("/", "/a%5cb", nil), ("/", "/a%00", nil), ("/", "/a%", nil), ("/", "/%zz", nil),
            ("/", "/%ff", nil),
        ] as [(String, String, [String]?)]
    )
    func names(prefix: String, path: String, expected: [String]?) {
        #expect(LocalMap(root: "/www", isFolder: true, prefix: prefix).names(for: path) == expected)
    }
}
