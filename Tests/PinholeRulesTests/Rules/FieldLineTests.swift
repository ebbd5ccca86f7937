import PinholeRules
import Testing

@Suite("FieldLine")
struct FieldLineTests {
    @Test("reads a name and a value")
    func reads() {
        let line = FieldLine("X-Id:  a: b ")
        #expect(line?.name == "X-Id")
        #expect(line?.value == "a: b")
        #expect(line?.lowercased == "x-id")
    }

    @Test(
        "refuses line breaks, and empty names",
        arguments: ["a", ": b", "a b: c", "a: b\nc: d", "a: \0"]
    )
    func refused(line: String) { #expect(FieldLine(line) == nil) }
}
