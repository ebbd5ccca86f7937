import PinholeModel
import Testing

@testable import PinholeClient

@Suite("The reason of a proxy's refusal")
struct PlainReasonTests {
    private func text(_ body: String, type: String = "text/plain; charset=utf-8") -> String? {
        var fields = HeaderFields()
        fields.append("Content-Type", type)
        return PlainReason.text(fields, Array(body.utf8))
    }

    @Test("the page of a refusal becomes one line of sentences")
    func page() {
        let body =
            "Pinhole: The server cannot be reached\n\na.test:1: Connection refused\n\nCheck that it runs.\n"
        #expect(
            text(body)
                == "Pinhole: The server cannot be reached. a.test:1: Connection refused. Check that it runs."
        )
    }

    @Test("values that are not plain text, and empty ones, are left out")
    func none() {
        #expect(text("<p>no</p>", type: "text/html") == nil)
        #expect(text(" \r\n\u{0}\n") == nil)
        #expect(PlainReason.text(HeaderFields(), Array("no".utf8)) == nil)
    }

    @Test("nothing in it steers a terminal, and it is not too long")
    func hostile() {
        #expect(text("a\u{1b}[31mb\u{202e}c") == "a [31mb c.")
        #expect(text(String(repeating: "x", count: 5000))?.count == 301)
    }
}
