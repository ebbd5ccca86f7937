import Testing

@testable import PinholeModel

@Suite("Byte sets")
struct ByteSetTests {
    @Test("hold the inserted elements")
    func members() {
        let set = ByteSet(0x61...0x63, 0xff...0xff)
        #expect(set.bytes == [0x61, 0x62, 0x63, 0xff])
        #expect(set.contains(0x62) && !set.contains(0x64) && !set.inverted.contains(0x62))
        #expect(set.ignoringCase.bytes == [0x41, 0x42, 0x43, 0x61, 0x62, 0x63, 0xff])
        #expect(ByteSet(0x40...0x40, 0x7b...0x7b).ignoringCase.bytes == [0x40, 0x7b])
        #expect(ByteSet(0x00...0xff).bytes.count == 256 && ByteSet().bytes.isEmpty)
    }

    @Test("each name has its byte")
    func literal() {
        #expect(ByteSet(0x41...0x41).ignoringCase.literal == 0x61)
        #expect(ByteSet(0x2e...0x2e).literal == 0x2e)
        #expect(
            ByteSet(0x61...0x62).literal == nil && ByteSet(0x00...0xff).literal == nil
                && ByteSet().literal == nil
        )
    }
}
