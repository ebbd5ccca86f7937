import Testing

@testable import PinholeModel

@Suite("Remedy")
struct RemedyTests {
    @Test("names the nearest known word, and nothing if none is near")
    func nearest() {
        #expect(Remedy.nearest(to: "stauts", in: ["status", "size"]) == "write “status”")
        #expect(Remedy.nearest(to: "completely-different", in: ["status", "size"]) == nil)
    }

    @Test("is the last part of a message in one line")
    func clause() {
        #expect(Remedy.clause("write “status”") == "; to fix it: write “status”")
        #expect(Remedy.clause(nil).isEmpty && Remedy.clause("").isEmpty)
        let failure = DocumentFailure(path: "a", expected: "b", found: "c", remedy: "write “d”")
        #expect(failure.description == "a: expected b, found c; to fix it: write “d”")
    }
}
