import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@Suite("ClientHello")
struct ClientHelloTests {
    /// What OpenSSL 3.0 sent for `www.Example.com` with ALPN h2 and http/1.1.
    private static let openSSL =
        bytes(
            """
            1603010200010001fc0303e8c811c5e84dc1b9559f5e9050c6b499c684b8cb2d979873340dedd5f3839deb209a0c33a7
            76d4aa67f6f5a5ad5732f326aaccc158364cb05c14b8b52ffcbaeb160024130213031301c02cc030c02bc02fcca9cca8
            c024c028c023c027009f009e006b006700ff0100018f00000014001200000f7777772e4578616d706c652e636f6d000b
            000403000102000a00160014001d0017001e0019001801000101010201030104002300000010000e000c026832086874
            74702f312e310016000000170000000d002a0028040305030603080708080809080a080b080408050806040105010601
            030303010302040205020602002b00050403040303002d00020101003300260024001d0020bffca9a3d38ae64ddcab18
            09e93d1461d08a22e80dd1ebf4a48f0a87f44f655f001500cc
            """
        ) + [UInt8](repeating: 0, count: 0xcc)

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private static func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xff), UInt8(value & 0xff)] }

    private static func vector(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count) + bytes }

    private static func list(_ numbers: [UInt16]) -> [UInt8] { vector(numbers.flatMap { number(Int($0)) }) }

    private static func message(extensions: [(UInt16, [UInt8])]?, suites: [UInt16] = [0x1301]) -> [UInt8] {
        var body: [UInt8] = [3, 3] + [UInt8](repeating: 7, count: 32) + [0]
        body += list(suites) + [1, 0]
        if let extensions { body += vector(extensions.flatMap { number(Int($0.0)) + vector($0.1) }) }
        return [1, 0] + number(body.count) + body
    }

    private static func records(_ message: [UInt8], cut: Int) -> [UInt8] {
        stride(from: 0, to: message.count, by: cut).flatMap {
            [22, 3, 1] + vector(Array(message[$0..<min($0 + cut, message.count)]))
        }
    }

    private static func name(_ text: String, type: UInt8 = 0) -> (UInt16, [UInt8]) {
        (0, vector([type] + vector(Array(text.utf8))))
    }

    private static func offer(_ extensions: [(UInt16, [UInt8])]) throws -> ClientHelloRecord {
        let peek = ClientHello.peek(records(message(extensions: extensions), cut: 10_000)[...])
        guard case .clientHello(let record) = peek else {
            Issue.record("\(peek)")
            return ClientHelloRecord()
        }
        return record
    }

    @Test("reads the output of OpenSSL")
    func realClient() throws {
        guard case .clientHello(let record) = ClientHello.peek(Self.openSSL[...]) else {
            Issue.record("\(ClientHello.peek(Self.openSSL[...]))")
            return
        }
        #expect(record.serverName == "www.example.com")
        #expect(record.applicationProtocols == ["h2", "http/1.1"])
        #expect(record.versions == [0x0304, 0x0303])
        #expect(record.cipherSuites.prefix(3) == [0x1302, 0x1303, 0x1301])
        #expect(record.cipherSuites.count == 18)
        #expect(record.extensions == [0, 11, 10, 35, 16, 22, 23, 13, 43, 45, 51, 21])
        #expect(record.groups == [29, 23, 30, 25, 24, 256, 257, 258, 259, 260])
        #expect(record.keyShares == [29])
        #expect(record.signatureSchemes.first == 0x0403)
        #expect(record.fingerprint.count == 16)
    }

    @Test("needs more bytes at every shorter length, and ignores the bytes around the ClientHello")
    func prefixes() {
        let whole = ClientHello.peek(Self.openSSL[...])
        for count in 0..<Self.openSSL.count {
            #expect(ClientHello.peek(Self.openSSL[..<count]) == .needsMore)
        }
        #expect(ClientHello.peek((Self.openSSL + [20, 3, 3, 0, 1, 1])[...]) == whole)
        let shifted = [9, 9, 9] + Self.openSSL
        #expect(ClientHello.peek(shifted[3...]) == whole)
    }

    @Test("puts together a message that is cut into records", arguments: [4, 7, 16, 100])
    func fragments(cut: Int) {
        let message = Self.message(extensions: [Self.name("a.example"), (16, Self.vector([2, 0x68, 0x32]))])
        let bytes = Self.records(message, cut: cut)
        guard case .clientHello(let record) = ClientHello.peek(bytes[...]) else {
            Issue.record("\(ClientHello.peek(bytes[...]))")
            return
        }
        #expect(record.serverName == "a.example")
        #expect(record.applicationProtocols == ["h2"])
        for count in bytes.indices { #expect(ClientHello.peek(bytes[..<count]) == .needsMore) }
    }

    @Test(
        "reads each recorded ClientHello, cut after any byte and into records of any size",
        arguments: RecordedClientHello.allCases
    )
    func programs(hello: RecordedClientHello) throws {
        let whole = ClientHello.peek(hello.record[...])
        guard case .clientHello(let record) = whole else {
            Issue.record("\(whole)")
            return
        }
        #expect(record.serverName == hello.serverName)
        #expect(record.versions.contains(0x0304))
        #expect((record.groups.first == 0x11ec) == hello.isPostQuantum)
        #expect((record.keyShares?.first == 0x11ec) == hello.isPostQuantum)
        #expect(record.extensions.contains(0xfe0d) == hello.offersECH)
        for count in hello.record.indices { #expect(ClientHello.peek(hello.record[..<count]) == .needsMore) }
        for most in 1..<(hello.record.count - 5) {
            #expect(ClientHello.peek(hello.records(of: most)[...]) == whole, "records of \(most)")
        }
        // A reader that sees the bytes one by one gives the same verdict, and begins anew.
        let single = hello.records(of: 1)
        var reader = ClientHelloReader()
        for _ in 1...2 {
            #expect(single.indices.allSatisfy { reader.read(single[..<$0], limits: Limits()) == .needsMore })
            #expect(reader.read(single[...], limits: Limits()) == whole)
        }
    }

    @Test("skips up to 32 empty records in a row, before the message and inside it", arguments: [0, 2, 10])
    func emptyRecords(place: Int) {
        let message = Array(Self.openSSL[5...])
        func hello(_ count: Int) -> [UInt8] {
            let empty = Array(repeating: [22, 3, 1, 0, 0] as [UInt8], count: count).flatMap(\.self)
            let start = place == 0 ? [] : Self.records(Array(message[..<place]), cut: place)
            return start + empty + Self.records(Array(message[place...]), cut: 1 << 14)
        }
        let whole = ClientHello.peek(Self.openSSL[...])
        #expect(ClientHello.peek(hello(1)[...]) == whole)
        #expect(ClientHello.peek(hello(32)[...]) == whole)
        #expect(
            ClientHello.peek(hello(33)[...]) == .malformed("More than 32 empty records follow each other.")
        )
    }

    @Test(
        "reads the largest message that OpenSSL reads, also in records of one byte",
        arguments: [1, 1 << 14]
    )
    func largest(cut: Int) {
        let limit = Limits().clientHelloBytes
        // All vectors have their largest length; the extensions are one.
        let suites = [UInt8](repeating: 0x5b, count: 65_534)
        let rest = 65_535 - 4
        var body: [UInt8] =
            [3, 3] + [UInt8](repeating: 7, count: 32) + [32] + [UInt8](repeating: 8, count: 32)
        body += Self.vector(suites) + [255] + [UInt8](repeating: 0, count: 255)
        body += Self.vector([0x7a, 0x7b] + Self.vector([UInt8](repeating: 0, count: rest)))
        #expect(body.count == limit)
        let message = [1, UInt8(limit >> 16)] + Self.number(limit & 0xffff) + body
        let peek = ClientHello.peek(Self.records(message, cut: cut)[...])
        guard case .clientHello(let record) = peek else {
            Issue.record("a ClientHello of \(limit) bytes was not read")
            return
        }
        #expect(record.cipherSuites.count == 32_767)
        #expect(record.extensions == [0x7a7b])
    }

    @Test("keeps the records of a usual ClientHello, and joins records that are larger than their content")
    func joining() throws {
        for hello in RecordedClientHello.allCases {
            let bytes = hello.records(of: 1)
            var queue = ByteQueue(bytes.dropLast())
            var reader = ClientHelloReader()
            #expect(reader.read(queue.slice(), limits: Limits()) == .needsMore)
            reader.join(&queue)
            #expect(queue.prefix() == bytes.dropLast())
        }
        let message = Self.message(extensions: [
            Self.name("a.example"), (21, [UInt8](repeating: 0, count: 65_000)),
        ])
        let bytes = Self.records(message, cut: 1)
        var queue = ByteQueue()
        var reader = ClientHelloReader()
        var most = 0
        for start in stride(from: 0, to: bytes.count, by: 1009) {
            queue.append(bytes[start..<min(start + 1009, bytes.count)])
            let peek = reader.read(queue.slice(), limits: Limits())
            reader.join(&queue)
            most = max(most, queue.count)
            #expect((peek == .needsMore) == (start + 1009 < bytes.count))
        }
        #expect(most < message.count + (1 << 14) + 1009, "\(most) of \(bytes.count)")
        let whole = ClientHello.peek(Self.records(message, cut: 1 << 14)[...])
        #expect(ClientHello.peek(queue.slice()) == whole)
        guard case .clientHello(let record) = whole else {
            Issue.record("\(whole)")
            return
        }
        #expect(record.serverName == "a.example")
    }

    @Test("takes the public name from a ClientHello that hides another (RFC 9849)")
    func publicName() {
        let hello = CraftedClientHello(postQuantumFor: "public.example", sharesX25519: true)
        guard case .clientHello(let record) = ClientHello.peek(hello.record[...]) else {
            Issue.record("\(ClientHello.peek(hello.record[...]))")
            return
        }
        #expect(record.serverName == "public.example")
        #expect(record.extensions.contains(0xfe0d))
    }

    @Test("recognises bytes that are not TLS")
    func notTLS() {
        let rows: [[UInt8]] = [
            Array("GET / HTTP/1.1\r\n".utf8), [0], [0x80, 0x2e, 1, 3, 1], [22, 2], [22, 0x20],
            [21, 3, 1, 0, 2, 1, 0],
            Array("SSH-2.0-x".utf8), [23, 3, 3],
        ]
        for bytes in rows { #expect(ClientHello.peek(bytes[...]) == .notTLS) }
    }

    @Test("says why a message is malformed, as soon as it is")
    func malformed() {
        var limits = Limits()
        limits.clientHelloBytes = 1000
        let rows: [[UInt8]] = [
            [22, 3, 1, 0, 0, 21], [22, 3, 1, 0x40, 1], [22, 3, 1, 0, 9, 2], [22, 3, 1, 0, 4, 1, 0, 3, 0xe9],
            [22, 3, 1, 0, 4, 1, 0, 0, 0], [22, 3, 1, 0, 2, 1, 0, 21, 3, 1],
            Self.records([1, 0, 0, 40] + [UInt8](repeating: 0xff, count: 40), cut: 50),
        ]
        for bytes in rows {
            guard case .malformed(let reason) = ClientHello.peek(bytes[...], limits: limits) else {
                Issue.record("\(bytes.prefix(20)): \(ClientHello.peek(bytes[...], limits: limits))")
                continue
            }
            #expect(reason.hasSuffix("."))
        }
        // Records that are mostly empty have a bound, too.
        let slow = (0..<1000).flatMap { _ in
            [22, 3, 1, 0, 1, 0] + Array(repeating: [22, 3, 1, 0, 0] as [UInt8], count: 32).flatMap(\.self)
        }
        let start = Self.records([1, 0, 3, 0xe8], cut: 4)
        #expect(
            ClientHello.peek((start + slow)[...], limits: limits)
                == .malformed("The ClientHello is not complete after 8003 bytes of records.")
        )
    }

    @Test("leaves out GREASE, and uses the legacy version if no other is offered")
    func grease() throws {
        let record = try Self.offer([
            (0x1a1a, []), (10, Self.list([0x2a2a, 29])), (13, Self.list([0xfafa, 0x0403])),
            (43, [6, 0x0a, 0x0a, 3, 4, 3, 3]),
            (16, Self.vector([2, 0x8a, 0x8a, 2, 0x68, 0x32])), (0xfafa, [0]),
        ])
        #expect(record.extensions == [10, 13, 43, 16])
        #expect(record.groups == [29])
        #expect(record.signatureSchemes == [0x0403])
        #expect(record.versions == [0x0304, 0x0303])
        #expect(record.applicationProtocols == ["h2"])
        #expect(try Self.offer([]).versions == [0x0303])
        let bare = ClientHello.peek(Self.records(Self.message(extensions: nil), cut: 99)[...])
        var expected = ClientHelloRecord()
        expected.versions = [0x0303]
        expected.cipherSuites = [0x1301]
        #expect(bare == .clientHello(expected))
    }

    @Test("takes only a valid DNS name from server_name")
    func serverName() throws {
        #expect(try Self.offer([Self.name("A.Example.")]).serverName == "a.example")
        for text in ["", "192.0.2.1", "a b", "a\0.example", "b\u{fc}cher.example", "::1", "a..b"] {
            #expect(try Self.offer([Self.name(text)]).serverName == nil)
        }
        #expect(try Self.offer([Self.name("a.example", type: 1)]).serverName == nil)
        #expect(try Self.offer([(0, [])]).serverName == nil)
        #expect(try Self.offer([(10, [0, 3, 0, 29, 0]), (13, [9]), (43, [])]).groups == [])
        let reserved: [UInt8] = [0x0a, 0x0a, 0, 1, 0]
        let shares: [UInt8] = reserved + [0x11, 0xec, 0, 2, 1, 2] + [0, 29, 0, 1, 7]
        #expect(try Self.offer([(51, [0, UInt8(shares.count)] + shares)]).keyShares == [4588, 29])
        #expect(try Self.offer([(51, [0, 0])]).keyShares == [])
        #expect(try Self.offer([(51, [0, 5, 0, 29, 0, 9, 1])]).keyShares == [])
        #expect(try Self.offer([(10, [0, 2, 0, 29])]).keyShares == nil)
    }

    @Test("recognises a client whatever the order of its extensions and the host")
    func fingerprint() throws {
        let groups = (UInt16(10), Self.list([29, 23]))
        let one = try Self.offer([Self.name("a.example"), groups, (23, [])])
        let two = try Self.offer([(23, []), (21, [0, 0]), groups])
        let other = try Self.offer([(23, []), (10, Self.list([23, 29]))])
        #expect(one.fingerprint == two.fingerprint)
        #expect(one.fingerprint != other.fingerprint)
        #expect(ClientHelloRecord().fingerprint == "3861201d8e94950b")
    }

    @Test("survives mutations, and gives the same verdict with more bytes")
    func mutations() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<1000 {
            var bytes = Self.openSSL
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255,
                    using: &random
                )
            }
            let cut = Int.random(in: 0...bytes.count, using: &random)
            let early = ClientHello.peek(bytes[..<cut])
            if early != .needsMore { #expect(early == ClientHello.peek(bytes[...])) }
        }
    }
}
