import PinholeTrust
import Testing

@Suite("HPKPHeader")
struct HPKPHeaderTests {
    private static let one = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    private static let two = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="

    @Test("reads every directive, in any case and order")
    func directives() throws {
        let header = try HPKPHeader(
            "Public-Key-Pins: MAX-AGE=\"5184000\" ; pin-sha256=\"\(Self.one)\";;Pin-SHA256=\"\(Self.two)\";"
                + " includeSubDomains; report-uri=\"https://r.test/\\\"x\\\"\"; future=1; other"
        )
        #expect(header.pins.map(\.base64) == [Self.one, Self.two])
        #expect(header.maxAge == 5_184_000)
        #expect(header.includesSubdomains)
        #expect(header.reportURI == "https://r.test/\"x\"")
    }

    @Test("the name in front says whether it only reports")
    func names() {
        #expect(HPKPHeader.isReportOnly("Public-Key-Pins: max-age=1") == false)
        #expect(HPKPHeader.isReportOnly("public-key-pins-REPORT-only: max-age=1") == true)
        #expect(HPKPHeader.isReportOnly("max-age=1") == nil)
    }

    @Test("ignores pins with unknown digests")
    func unknownDigest() throws {
        let header = try HPKPHeader("pin-sha512=\"AAAA\"; pin-sha256=\"\(Self.one)\"; max-age=0")
        #expect(header.pins.count == 1 && header.maxAge == 0)
    }

    @Test("more seconds than fit are for ever")
    func forEver() throws {
        let header = try HPKPHeader("pin-sha256=\"\(Self.one)\"; max-age=99999999999999999999999")
        #expect(header.maxAge == .max)
    }

    @Test(
        "refuses forms that browsers ignore",
        arguments: [
            ("pin-sha256=\"\(one)\"", "max-age"), ("max-age=1", "no pin"), ("", "no pin"),
            ("pin-sha256=\(one); max-age=1", "expected “;” or the end"),
            ("pin-sha256=abc; max-age=1", "in quotes"),
            ("pin-sha256; max-age=1", "in quotes"),
            ("pin-sha256=\"\(one)\"; max-age=1; max-age=1", "stands twice"),
            ("pin-sha256=\"\(one)\"; max-age=1; x; X", "stands twice"),
            ("pin-sha256=\"\(one)\"; max-age=-1", "expected seconds"),
            ("pin-sha256=\"\(one)\"; max-age", "empty"),
            ("pin-sha256=\"\(one)\"; max-age=1; includeSubDomains=1", "takes no value"),
            ("pin-sha256=\"AAAA\"; max-age=1", "holds 3 bytes"),
            ("pin-sha256=\"\(one); max-age=1", "a closing quote"), ("pin-sha256=\"\\", "a closing quote"),
            ("=1", "a directive's name"), ("max-age=", "a value"), ("max-age=1 2", "“;” or the end"),
            ("pin-sha256=\"\(one)\"; max-age=1; report-uri", "needs a value"),
        ]
    )
    func refused(_ text: String, _ expected: String) {
        let failure = #expect(throws: PolicyFailure.self) { try HPKPHeader(text) }
        #expect(failure?.description.contains(expected) == true, "\(failure?.description ?? "")")
    }

    @Test("Report-Only needs no max-age")
    func reportOnly() throws {
        #expect(try HPKPHeader("pin-sha256=\"\(Self.one)\"", reportOnly: true).maxAge == nil)
    }
}
