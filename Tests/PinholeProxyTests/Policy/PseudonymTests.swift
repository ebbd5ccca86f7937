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

    @Test("the pseudonym is the last in Via, after the proxies before this one")
    func via() {
        #expect(pseudonym.via(behind: fields()) == "1.1 pinhole-abc")
        #expect(pseudonym.via(behind: fields("1.0 a, 2 b", "1.1 c")) == "1.0 a, 2 b, 1.1 c, 1.1 pinhole-abc")
    }

    @Test("the pseudonym is found at any position of Via, and no other is taken for it")
    func isNamed() {
        #expect(pseudonym.isNamed(in: fields("1.1 a", "1.1 b, 1.1 pinhole-abc (x), 2 c")))
        #expect(!pseudonym.isNamed(in: fields("1.1 pinhole-abd")) && !pseudonym.isNamed(in: fields()))
    }

    @Test("is another one in each run")
    func random() {
        #expect(Pseudonym.random() != Pseudonym.random())
    }
}
