import Testing

@testable import PinholeTrust

@Suite("PrecertificateBody")
struct PrecertificateBodyTests {
    /// The extension 1.3.6.1.4.1.11129.2.4.2 with a value of two bytes.
    private static let list = SyntheticCertificate.element(
        0x30,
        [0x06, 0x0a, 0x2b, 6, 1, 4, 1, 0xd6, 0x79, 2, 4, 2, 0x04, 0x02, 0x04, 0x00]
    )

    private func body(_ extensions: [[UInt8]]) -> [UInt8]? {
        let certificate = SyntheticCertificate(issuer: "CA", subject: "leaf", extensions: extensions)
        return PrecertificateBody(of: certificate.der)?.encoding
    }

    @Test("leaves the list of timestamps out, and nothing else")
    func leavesOut() throws {
        // Long enough for lengths of two bytes.
        let name = SyntheticCertificate.domain(String(repeating: "a", count: 240))
        let without = try #require(body([name] + SyntheticCertificate.authority))
        #expect(body([name, Self.list] + SyntheticCertificate.authority) == without)
        #expect(body([name] + SyntheticCertificate.authority + [Self.list]) == without)
        let whole = SyntheticCertificate(
            issuer: "CA",
            subject: "leaf",
            extensions: [name] + SyntheticCertificate.authority
        )
        #expect(whole.der.starts(with: whole.der.prefix(4) + without))
    }

    @Test("a certificate without other extensions has no extensions")
    func alone() {
        #expect(body([Self.list]) != nil && body([Self.list]) == body([]))
    }

    @Test(
        "bytes that are not a certificate have no body",
        arguments: [[], [0x30], [0x30, 0x80], [0x04, 0x00]] as [[UInt8]]
    )
    func malformed(bytes: [UInt8]) {
        #expect(PrecertificateBody(of: bytes) == nil)
    }
}
