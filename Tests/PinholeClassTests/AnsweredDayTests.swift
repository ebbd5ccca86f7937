import Testing

@testable import PinholeClass

@Suite("Answers in the notations of tools")
struct AnsweredDayTests {
    @Test(
        "a day is read as people and openssl write it",
        arguments: [
            "2027-06-10", "2027-6-10", "10.6.2027", "10.06.2027", "notAfter=Jun 10 12:00:00 2027 GMT",
            "Jun 10 12:00:00 2027 GMT",
            "10 June 2027", "2027-06-10T12:00:00Z", "10. Juni 2027", "2027/06/10",
        ]
    )
    func day(_ text: String) {
        #expect(AnsweredDay.text(text) == "2027-06-10")
        #expect(ExpectedAnswer.day("2027-06-10").accepts(text))
    }

    @Test(
        "a text that is no day is a fault",
        arguments: ["", "June", "6/10/2027", "2027-13-10", "2027-06", "10.6.27", "nonsense"]
    )
    func none(_ text: String) {
        #expect(AnsweredDay.text(text) == nil)
        #expect(ExpectedAnswer.day("2027-06-10").fault(of: text) != nil)
    }

    @Test(
        "a common name is found in a subject",
        arguments: [
            "Tarn Root CA", "CN = Tarn Root CA", "CN=Tarn Root CA", "issuer=O = Tarn, CN = Tarn Root CA",
            "/O=Tarn/CN=Tarn Root CA", "tarn  root ca",
        ]
    )
    func commonName(_ text: String) {
        #expect(ExpectedAnswer.commonName("Tarn Root CA").accepts(text))
        #expect(!ExpectedAnswer.commonName("Tarn TLS CA 1").accepts(text))
    }

    @Test("a value may have its name before it, and a number its unit")
    func values() {
        for text in ["abc", "token=abc", "session=abc;", "password = \"abc\""] {
            #expect(ExpectedAnswer.own("abc").accepts(text))
        }
        for text in ["abcd", "abc=x", ""] { #expect(!ExpectedAnswer.own("abc").accepts(text)) }
        for text in ["12", "12 days", "12 Tage"] { #expect(ExpectedAnswer.days({ 12 }).accepts(text)) }
        for text in ["120", "1 2 x 3", "days", "-12", "12-13"] {
            #expect(!ExpectedAnswer.days({ 12 }).accepts(text))
        }
    }
}
