import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeRuntime

/// What is said to the kernel and understood of its answers, byte by byte (<linux/inet_diag.h>).
@Suite("SocketQuestion")
struct SocketQuestionTests {
    private static func ends(_ local: String, _ remote: String) throws -> ConnectionEnds {
        func address(_ text: String) throws -> SocketAddress {
            let authority = try Authority(text)
            return SocketAddress(try #require(authority.host.address), port: authority.port)
        }
        return ConnectionEnds(local: try address(local), remote: try address(remote))
    }

    private static func native<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: 16 - bytes.count)
    }

    /// An answer of the kernel.
    private static func answer(
        to ends: ConnectionEnds,
        family: UInt8 = 2,
        state: UInt8 = 1,
        type: UInt16 = 20,
        sequence: UInt32 = 5,
        inode: UInt32 = 4711
    ) -> [UInt8] {
        let mapped = family == 10 && !ends.local.address.isVersion6
        let front: [UInt8] = mapped ? [UInt8](repeating: 0, count: 10) + [0xff, 0xff] : []
        let identity =
            native(ends.local.port.bigEndian) + native(ends.remote.port.bigEndian)
            + padded(front + ends.local.address.bytes) + padded(front + ends.remote.address.bytes)
            + [UInt8](repeating: 0, count: 12)
        let facts: [UInt8] =
            [family, state, 0, 0] + identity + [UInt8](repeating: 0, count: 12) + native(UInt32(1000))
            + native(inode)
        return native(UInt32(16 + facts.count)) + native(type) + native(UInt16(0)) + native(sequence)
            + native(UInt32(77)) + facts
    }

    @Test("asks for the socket that has the ends, with its port first")
    func question() throws {
        let ends = try Self.ends("127.0.0.1:258", "127.0.0.2:772")
        let bytes = SocketQuestion(ends, sequence: 5).bytes
        #expect(bytes.count == 72)
        #expect(Array(bytes.prefix(4)) == Self.native(UInt32(72)))
        #expect(Array(bytes[16..<18]) == [2, 6], "AF_INET, IPPROTO_TCP")
        #expect(Array(bytes[24..<28]) == [1, 2, 3, 4])
        #expect(Array(bytes[28..<32]) == [127, 0, 0, 1] && Array(bytes[44..<48]) == [127, 0, 0, 2])
        #expect(Array(bytes.suffix(8)) == [UInt8](repeating: 0xff, count: 8), "no cookie")
        let mapped = try Self.ends("[::ffff:127.0.0.1]:258", "[::ffff:127.0.0.2]:772")
        #expect(SocketQuestion(mapped, sequence: 5).bytes == bytes)
        let version6 = SocketQuestion(try Self.ends("[::1]:1", "[::1]:2"), sequence: 5).bytes
        #expect(version6[16] == 10 && version6[43] == 1 && version6[59] == 1)
    }

    @Test("finds the owner of sockets of IPv4, of IPv6, and of IPv4 within IPv6")
    func answered() throws {
        let owner = SocketOwner(inode: 4711, user: 1000)
        let plain = try Self.ends("127.0.0.1:258", "127.0.0.1:772")
        let version6 = try Self.ends("[::1]:258", "[::1]:772")
        #expect(SocketQuestion(plain, sequence: 5).owner(in: Self.answer(to: plain)) == owner)
        #expect(SocketQuestion(plain, sequence: 5).owner(in: Self.answer(to: plain, family: 10)) == owner)
        #expect(
            SocketQuestion(version6, sequence: 5).owner(in: Self.answer(to: version6, family: 10)) == owner
        )
    }

    @Test("matches no other socket: a listener, another connection, a closed connection, another answer")
    func others() throws {
        let ends = try Self.ends("127.0.0.1:258", "127.0.0.1:772")
        let question = SocketQuestion(ends, sequence: 5)
        #expect(question.owner(in: Self.answer(to: ends, state: 10)) == nil)
        #expect(question.owner(in: Self.answer(to: ends, inode: 0)) == nil)
        #expect(question.owner(in: Self.answer(to: ends, sequence: 4)) == nil)
        #expect(question.owner(in: Self.answer(to: ends, type: 2)) == nil, "an error")
        #expect(question.owner(in: Self.answer(to: ends, family: 1)) == nil)
        let other = try Self.ends("127.0.0.1:258", "127.0.0.1:773")
        #expect(question.owner(in: Self.answer(to: other)) == nil)
        #expect(question.owner(in: Self.answer(to: try Self.ends("127.0.0.9:258", "127.0.0.1:772"))) == nil)
    }

    @Test("an answer that is cut off anywhere, or of any bytes, is none")
    func malformed() throws {
        let ends = try Self.ends("127.0.0.1:258", "127.0.0.1:772")
        let question = SocketQuestion(ends, sequence: 5)
        let whole = Self.answer(to: ends)
        for count in 0..<whole.count { #expect(question.owner(in: Array(whole.prefix(count))) == nil) }
        var short = whole
        short.replaceSubrange(0..<4, with: Self.native(UInt32(87)))
        #expect(question.owner(in: short) == nil, "it says itself that it is shorter")
        var random = SeededRandom(seed: 1)
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255,
                    using: &random
                )
            }
            _ = question.owner(in: bytes)
            _ = question.owner(in: Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))))
        }
    }
}
