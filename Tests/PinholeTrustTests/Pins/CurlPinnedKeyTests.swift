import PinholeModel
import PinholeTrust
import Testing

@Suite("CurlPinnedKey")
struct CurlPinnedKeyTests {
    private static let leaf = FakeFacts.certificate("leaf")
    private static let other = FakeFacts.certificate("other")
    private static let pin = FakeFacts.pin(leaf).base64
    private static let otherPin = FakeFacts.pin(other).base64

    @Test(
        "digests are compared as text, and separated by “;sha256//” as a whole",
        arguments: [
            ("sha256//\(pin)", true), ("sha256//\(otherPin)", false),
            ("sha256//\(otherPin);sha256//\(pin)", true),
            ("sha256//\(pin);sha256//\(otherPin)", true),
            ("sha256//\(otherPin); sha256//\(pin)", false), ("sha256//\(otherPin);\(pin)", false),
            ("sha256//\(pin.dropLast())", false), ("sha256//", false), ("sha256//\(pin) ", false),
            ("sha256//;sha256//\(pin)", true),
        ]
    )
    func digests(_ value: String, _ matches: Bool) {
        #expect(CurlPinnedKey.holdsDigests(value))
        #expect(CurlPinnedKey(digests: value).matches(Self.leaf) == matches)
    }

    @Test("other values are the names of files")
    func files() {
        #expect(!CurlPinnedKey.holdsDigests("key.pem"))
        #expect(!CurlPinnedKey.holdsDigests("sha256/\(Self.pin)"))
        #expect(!CurlPinnedKey.holdsDigests("SHA256//\(Self.pin)"))
    }

    /// Contents of key files, and whether curl finds the leaf's key in them.
    private static let contents: [([UInt8], Bool)] = [
        (leaf.spki, true),
        (other.spki, false),
        (Array(leaf.spki.dropLast()), false),
        ([], false),
        (leaf.spki + [0x0a], false),
        (pem(leaf.spki), true),
        (pem(other.spki), false),
        (pem(leaf.spki, before: "# key\n"), true),
        (pem(leaf.spki, before: "# key "), false),
        (pem(leaf.spki, end: " -----END PUBLIC KEY-----"), false),
        (pem(leaf.spki, label: "CERTIFICATE"), false),
        (
            pem(leaf.spki, end: "\n-----END PUBLIC KEY-----\n" + String(repeating: "\n", count: 1 << 20)),
            false
        ),
    ]

    // The rows are numbers, since Swift Testing describes each argument in every event.
    @Test(
        "a file of the key's size is DER, a larger one PEM, else it does not match",
        arguments: contents.indices
    )
    func file(row: Int) {
        let (bytes, matches) = Self.contents[row]
        #expect(CurlPinnedKey.file(bytes).matches(Self.leaf) == matches)
    }

    @Test("fails closed, and names pins that can never match")
    func faults() {
        #expect(!CurlPinnedKey.unreadable("no such file").matches(Self.leaf))
        #expect(CurlPinnedKey.unreadable("no such file").faults == ["no such file"])
        #expect(CurlPinnedKey(digests: "sha256//\(Self.pin)").faults.isEmpty)
        #expect(CurlPinnedKey(digests: "sha256//AAAA;sha256//\(Self.pin)").faults.count == 1)
        #expect(CurlPinnedKey.file([UInt8](repeating: 0, count: 1 << 20 + 1)).faults.count == 1)
    }

    private static func pem(
        _ der: [UInt8],
        before: String = "",
        label: String = "PUBLIC KEY",
        end: String = "\n-----END PUBLIC KEY-----\n"
    ) -> [UInt8] {
        let text = Base64.encode(der)
        let half = text.index(text.startIndex, offsetBy: text.count / 2)
        return Array("\(before)-----BEGIN \(label)-----\n\(text[..<half])\r\n\(text[half...])\(end)".utf8)
    }
}
