import Testing

@testable import PinholeCrypto

@Suite("ASN1")
struct ASN1Tests {
    @Test("writes short and long lengths in their shortest form")
    func lengths() {
        #expect(ASN1.octets([1]) == [0x04, 0x01, 0x01])
        #expect(ASN1.octets([UInt8](repeating: 7, count: 127)).prefix(2) == [0x04, 0x7f])
        #expect(ASN1.octets([UInt8](repeating: 7, count: 128)).prefix(3) == [0x04, 0x81, 0x80])
        #expect(ASN1.octets([UInt8](repeating: 7, count: 300)).prefix(4) == [0x04, 0x82, 0x01, 0x2c])
    }

    @Test("cuts the trailing zeros of named bits")
    func namedBits() {
        #expect(ASN1.bits(named: 0x80) == [0x03, 0x02, 0x07, 0x80])
        #expect(ASN1.bits(named: 0xa0) == [0x03, 0x02, 0x05, 0xa0])
        #expect(ASN1.bits(named: 0x06) == [0x03, 0x02, 0x01, 0x06])
        #expect(ASN1.bits(named: 0) == [0x03, 0x01, 0x00])
    }
}
