import PinholeTrust
import Testing

@Suite("Pin")
struct PinTests {
    private static let zeros = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    @Test("has the length of its digest, and the notation of RFC 7469")
    func lengths() throws {
        #expect(Pin(digest: [1, 2]) == nil)
        #expect(Pin(.sha1, digest: [UInt8](repeating: 0, count: 32)) == nil)
        let pin = try #require(Pin(digest: [UInt8](repeating: 0, count: 32)))
        #expect(pin.description == "sha256/\(Self.zeros)")
        #expect(pin.base64 == Self.zeros)
    }

    @Test(
        "is read in every notation that people paste",
        arguments: [zeros, "sha256/\(zeros)", "sha256//\(zeros)", "pin-sha256=\"\(zeros)\""]
    )
    func notations(_ text: String) throws {
        #expect(try Pin(text).base64 == Self.zeros)
    }

    @Test("a pin whose Base64 begins with a slash is not read as curl notation")
    func leadingSlash() throws {
        let digest = [0xff] + [UInt8](repeating: 0, count: 31)
        let pin = try #require(Pin(digest: digest))
        #expect(pin.description.hasPrefix("sha256//w"))
        for text in [pin.description, "sha256//\(pin.base64)", pin.base64] {
            #expect(try Pin(text) == pin)
        }
        #expect(!Pin.isCurlNotation(pin.description) && Pin.isCurlNotation("sha256//\(pin.base64)"))
    }

    @Test(
        "names the fault of a pin",
        arguments: [
            ("AAAA", "holds 3 bytes: expected the Base64 of a SHA-256 digest, 44 characters"),
            ("", "holds 0 bytes"), ("not base64!", "is no pin"), ("\(zeros)\n", "is no pin"),
            ("sha256/", "holds 0 bytes"), ("pin-sha256=\"", "is no pin"),
            (
                "0000000000000000000000000000000000000000000000000000000000000000",
                "this is hexadecimal, in Base64 it is \(zeros)"
            ),
            (
                Array(repeating: "00", count: 32).joined(separator: ":"),
                "this is hexadecimal, in Base64 it is \(zeros)"
            ),
        ]
    )
    func failures(_ text: String, _ expected: String) {
        let failure = #expect(throws: PolicyFailure.self) { try Pin(text) }
        #expect(failure?.description.contains(expected) == true, "\(failure?.description ?? "")")
    }

    @Test("OkHttp's notation needs no padding, and takes the alphabet for URLs")
    func okio() throws {
        let digest = [UInt8](repeating: 0xfb, count: 31) + [0xff]
        let pin = try #require(Pin(digest: digest))
        let bare = pin.description.filter { $0 != "=" }
        let url = String(bare.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }.dropFirst(7))
        #expect(url.contains("-") && url.contains("_"))
        #expect(try Pin(okHttp: bare) == pin && Pin(okHttp: "sha256/\(url)") == pin)
        #expect(try Pin(okHttp: "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA").algorithm == .sha1)
        #expect(throws: PolicyFailure.self) { try Pin(okHttp: bare.dropLast()) }
        // The others read strictly.
        #expect(throws: PolicyFailure.self) { try Pin(base64: bare.dropFirst(7)) }
    }

    @Test("OkHttp's notation names its digest")
    func okHttp() throws {
        #expect(try Pin(okHttp: "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=").algorithm == .sha1)
        #expect(throws: PolicyFailure.self) { try Pin(okHttp: Self.zeros) }
        #expect(throws: PolicyFailure.self) { try Pin(okHttp: "sha1/\(Self.zeros)") }
        #expect(throws: PolicyFailure.self) { try Pin(okHttp: "md5/AAAA") }
    }
}
