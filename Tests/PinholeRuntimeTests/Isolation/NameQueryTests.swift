import PinholeModel
import Testing

@testable import PinholeRuntime

@Suite("Names of a namespace")
struct NameQueryTests {
    private func query(_ name: String, type: UInt8 = 1) -> [UInt8] {
        var bytes: [UInt8] = [0xab, 0xcd, 1, 0x20, 0, 1, 0, 0, 0, 0, 0, 1]
        for label in name.split(separator: ".") { bytes += [UInt8(label.utf8.count)] + Array(label.utf8) }
        // The root, type and class, and the beginning of an option (EDNS), which is not repeated.
        return bytes + [0, 0, type, 0, 1] + [0, 0, 41]
    }

    @Test("a name gets the same placeholder address each time, and the address leads back to the name")
    func address() throws {
        let pool = NamePool()
        let question = query("Shop.Example.test")
        let answer = try #require(NameQuery(question)).answer(from: pool)
        let end = question.count - 3
        #expect(answer.prefix(12) == [0xab, 0xcd, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])
        #expect(answer[12..<end] == question[12..<end])
        #expect(answer[end...] == [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 198, 18, 0, 2])
        #expect(NameQuery(question)?.answer(from: pool) == answer)
        #expect(NameQuery(query("b.test"))?.answer(from: pool).suffix(4) == [198, 18, 0, 3])
        #expect(pool.name(of: try #require(IPAddress("198.18.0.2"))) == "shop.example.test")
        for other in ["198.18.0.1", "198.18.0.4", "127.0.0.1", "::1"] {
            #expect(pool.name(of: try #require(IPAddress(other))) == nil)
        }
    }

    @Test("localhost is this machine, other types have no data, and no name belongs to an address")
    func others() throws {
        let pool = NamePool()
        #expect(NameQuery(query("localhost"))?.answer(from: pool).suffix(4) == [127, 0, 0, 1])
        for type: UInt8 in [28, 65, 16] {
            let answer = try #require(NameQuery(query("a.test", type: type))).answer(from: pool)
            #expect(answer[3] & 0xf == 0 && answer[7] == 0, "\(type)")
        }
        #expect(NameQuery(query("1.0.18.198.in-addr.arpa", type: 12))?.answer(from: pool)[3] == 0x83)
        #expect(NameQuery(query("a b.test"))?.answer(from: pool)[3] == 0x83)
    }

    @Test("a pool that is used up answers with a failure")
    func full() throws {
        let pool = NamePool(limit: 1)
        #expect(pool.address(of: "a.test") != nil)
        #expect(NameQuery(query("b.test"))?.answer(from: pool)[3] == 0x82)
    }

    @Test("a malformed query gets no answer, wherever it is cut")
    func malformed() {
        let question = query("a.test")
        for length in 0..<(question.count - 3) {
            #expect(NameQuery(Array(question.prefix(length))) == nil, "\(length)")
        }
        var response = question
        response[2] |= 0x80
        #expect(NameQuery(response) == nil)
        var pointer = question
        pointer[12] = 0xc0
        #expect(NameQuery(pointer) == nil)
        var two = question
        two[5] = 2
        #expect(NameQuery(two) == nil)
    }
}
