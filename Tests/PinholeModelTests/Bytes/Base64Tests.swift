import PinholeModel
import PinholeTestKit
import Testing

@Suite("Base64")
struct Base64Tests {
    @Test(
        "agrees with RFC 4648 §10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ]
    )
    func vectors(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(Base64.decode(encoded.utf8) == Array(plain.utf8))
    }

    @Test(
        "refuses values that are not canonical",
        arguments: ["Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Z=g=", "Zg==Zg==", "Zm9v-A==", "=", "===="]
    )
    func refuses(text: String) {
        #expect(Base64.decode(text.utf8) == nil)
    }

    @Test("ignores white space between the characters")
    func whiteSpace() {
        #expect(Base64.decode(" Zm\r\n9v\t".utf8) == Array("foo".utf8))
    }

    @Test("gives back every byte string")
    func roundTrip() {
        var random = SeededRandom(seed: 1)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(Base64.decode(Base64.encode(bytes).utf8) == bytes)
        }
    }
}
