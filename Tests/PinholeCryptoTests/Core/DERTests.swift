import Testing

@testable import PinholeCrypto

@Suite("DER")
struct DERTests {
    @Test("writes short and long lengths in their shortest form")
    func lengths() {
        #expect(DER.octetString([1]) == [0x04, 0x01, 0x01])
        #expect(DER.octetString([UInt8](repeating: 7, count: 127)).prefix(2) == [0x04, 0x7f])
        #expect(DER.octetString([UInt8](repeating: 7, count: 128)).prefix(3) == [0x04, 0x81, 0x80])
        #expect(DER.octetString([UInt8](repeating: 7, count: 300)).prefix(4) == [0x04, 0x82, 0x01, 0x2c])
    }

    @Test("cuts the trailing zeros of named bits")
    func namedBits() {
        #expect(DER.namedBits(0x80) == [0x03, 0x02, 0x07, 0x80])
        #expect(DER.namedBits(0xa0) == [0x03, 0x02, 0x05, 0xa0])
        #expect(DER.namedBits(0x06) == [0x03, 0x02, 0x01, 0x06])
        #expect(DER.namedBits(0) == [0x03, 0x01, 0x00])
    }
}
