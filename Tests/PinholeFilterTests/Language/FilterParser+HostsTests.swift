import PinholeFilter
import Testing

@Suite("Filter parser, names of hosts")
struct FilterParserHostsTests {
    /// As the commands hand it in, for the one name of these tests.
    private static func ascii(_ text: String) -> String {
        text.split(separator: ".", omittingEmptySubsequences: false)
            .map { $0.lowercased() == "bücher" ? "xn--bcher-kva" : String($0) }.joined(separator: ".")
    }

    @Test(
        "writes letters beyond ASCII in A-labels",
        arguments: [
            ("host ~ bücher.example", "host contains xn--bcher-kva.example"),
            ("host ~ *.Bücher.example:8443", "host ~ *.xn--bcher-kva.example:8443"),
            ("host !~ bücher.example", "!(host contains xn--bcher-kva.example)"),
            ("host == bücher.example", "host == xn--bcher-kva.example"),
            ("host contains bücher", "host contains xn--bcher-kva"),
            ("sni == bücher.example", "sni == xn--bcher-kva.example"),
            ("~d bücher", "host matches xn--bcher-kva"),
            (#"~d ^bücher\.example$"#, #"host matches "^xn--bcher-kva\.example$""#),
            ("host matches '(bücher|books).example'", #"host matches "(xn--bcher-kva|books).example""#),
            ("~dst bücher", "destination matches xn--bcher-kva"),
            ("body contains bücher", #"body contains "bücher""#),
        ]
    )
    func labels(_ text: String, _ canonical: String) throws {
        #expect(try Filter(text, FilterVocabulary(hostNames: Self.ascii)).description == canonical)
    }

    @Test(
        "says where letters cannot be found",
        arguments: ["~d büch", "~d 'b[üu]cher'", "host contains büch", "~u bücher", "bücher", "~d bücher"]
    )
    func remarks(_ text: String) throws {
        #expect(try Filter(text, FilterVocabulary(hostNames: Self.ascii)).remarks.count == 1)
    }

    @Test("explains hosts when a name cannot be written in ASCII")
    func refused() {
        let failure = #expect(throws: FilterFailure.self) {
            try Filter("host == büch", FilterVocabulary(hostNames: Self.ascii))
        }
        #expect(failure?.message.contains("xn--") == true && failure?.message.contains("port") == false)
    }
}
