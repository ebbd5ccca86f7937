import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeCrypto

@Suite("RecordMemory")
struct RecordMemoryTests {
    @Test("is not changed while other code has memory of it")
    func late() throws {
        _ = try PrivateKey.generate(.p256)
        #expect(!RecordMemory.keep())
    }
}
