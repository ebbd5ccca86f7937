import PinholeRuntime
import Testing

@Suite("Punycode")
struct PunycodeTests {
    @Test(
        "labels become the A-labels that registries give them",
        arguments: [
            ("bücher", "xn--bcher-kva"), ("münchen", "xn--mnchen-3ya"), ("api", "api"),
            ("аррӏе", "xn--80ak6aa92e"), ("例え", "xn--r8jz45g"), ("faß", "xn--fa-hia"),
            ("öüä", "xn--4ca9as"), ("üöä", "xn--4ca9ar"), ("a\u{10400}", "xn--a-fq2i"),
            // RFC 3492 §7.1, (B) and (L).
            ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
            ("3年b組金八先生", "xn--3b-ww4c5e180e575a65lsy2b"),
        ]
    )
    func labels(label: String, expected: String) {
        #expect(Punycode.label(label) == expected)
    }
}
