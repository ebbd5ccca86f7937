import PinholeModel
import PinholeTestKit
import Testing

@Suite("EditDistance")
struct EditDistanceTests {
    @Test(
        "counts the necessary changes",
        arguments: [
            ("", "", 0), ("a", "", 1), ("", "ab", 2), ("listen", "listen", 0), ("listen", "lsiten", 1),
            ("minimum", "minmum", 1), ("CA", "ca", 0), ("tls", "ssl", 2),
        ]
    )
    func distances(_ left: String, _ right: String, _ expected: Int) {
        #expect(EditDistance.between(left, right) == expected)
    }

    @Test("finds the nearest word, and none when all are far")
    func nearest() {
        #expect(EditDistance.nearest(to: "listne", in: ["listen", "clients"]) == "listen")
        #expect(EditDistance.nearest(to: "somethingElse", in: ["listen", "clients"]) == nil)
        #expect(EditDistance.nearest(to: "tcp", in: ["tls", "http"]) == nil, "two letters of three")
        #expect(EditDistance.nearest(to: "", in: ["AA"]) == nil, "nothing of it is the same")
    }

    @Test("looks for no neighbour of words that are longer than any", .patience)
    func long() {
        let word = String(repeating: "listen", count: 100_000)
        #expect(EditDistance.nearest(to: word, in: [String](repeating: "listen", count: 30)) == nil)
        let combined = "l" + String(repeating: "\u{301}", count: 100_000)
        #expect(EditDistance.nearest(to: combined, in: ["listen"]) == nil)
    }
}
