import PinholeModel
import Testing

@testable import PinholeProxy

@Suite("Pseudonym")
struct PseudonymTests {
    private let pseudonym = Pseudonym("pinhole-abc")

    private func fields(_ values: String...) -> HeaderFields {
        var fields = HeaderFields()
        for value in values { fields.append("Via", value) }
        return fields
    }

    @Test("stands behind the proxies that a request came through")
    func via() {
        #expect(pseudonym.via(behind: fields()) == "1.1 pinhole-abc")
        #expect(pseudonym.via(behind: fields("1.0 a, 2 b", "1.1 c")) == "1.0 a, 2 b, 1.1 c, 1.1 pinhole-abc")
    }

    @Test("is found wherever it stands, and no other is")
    func isNamed() {
        #expect(pseudonym.isNamed(in: fields("1.1 a", "1.1 b, 1.1 pinhole-abc (x), 2 c")))
        #expect(!pseudonym.isNamed(in: fields("1.1 pinhole-abd")) && !pseudonym.isNamed(in: fields()))
    }

    @Test("is another one in each run")
    func random() {
        #expect(Pseudonym.random() != Pseudonym.random())
    }
}
