import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeWire

@Suite("SOCKSAcceptor")
struct SOCKSAcceptorTests {
    /// What an acceptor made of bytes.
    private struct Run: Equatable {
        var output: [UInt8] = []
        var credentials: String?
        var request: String?
        var failure: SOCKSFailure.Code?
        var rest = 0
    }

    /// Feeds `bytes` in pieces; credentials are right where they are `alice` and `secret`.
    private static func run(
        _ bytes: [UInt8],
        _ version: SOCKSVersion = .socks5,
        asksForPassword: Bool = false,
        chunk: Int = 4096
    ) -> Run {
        var acceptor = SOCKSAcceptor(version, asksForPassword: asksForPassword)
        var run = Run()
        var input = ByteQueue()
        for piece in Chunking.chunks(of: bytes, size: chunk) {
            input.append(piece)
            do throws(SOCKSFailure) {
                while run.failure == nil, let event = try acceptor.next(&input, into: &run.output) {
                    switch event {
                    case .credentials(let user, let password):
                        let pair = String(decoding: user + [0x3a] + password, as: UTF8.self)
                        run.credentials = pair
                        run.output += acceptor.judge(areRight: pair == "alice:secret")
                    case .request(let authority): run.request = authority.description
                    }
                }
            } catch {
                run.failure = error.code
            }
        }
        run.rest = input.count
        return run
    }

    private static let connect: [UInt8] = [5, 1, 0, 3, 6] + Array("a.test".utf8) + [1, 0xbb]
    private static let password: [UInt8] = [1, 5] + Array("alice".utf8) + [6] + Array("secret".utf8)

    @Test("takes a name, an IPv4 and an IPv6 address, in pieces of any size", arguments: Chunking.sizes)
    func hosts(chunk: Int) throws {
        let loopback6 = [UInt8](repeating: 0, count: 15) + [1]
        let requests: [([UInt8], String)] = [
            (Self.connect, "a.test:443"), ([5, 1, 0, 1, 192, 0, 2, 1, 0, 80], "192.0.2.1:80"),
            ([5, 1, 0, 4] + loopback6 + [0x1f, 0x90], "[::1]:8080"),
            ([5, 1, 0, 3, 9] + Array("127.0.0.1".utf8) + [0, 1], "127.0.0.1:1"),
        ]
        for (bytes, authority) in requests {
            let run = Self.run([5, 1, 0] + bytes, chunk: chunk)
            #expect(run == Run(output: [5, 0], request: authority))
        }
    }

    @Test(
        "asks for a password where one is needed, and lets any pass where none is",
        arguments: Chunking.sizes
    )
    func passwords(chunk: Int) {
        let right = Self.run(
            [5, 2, 0, 2] + Self.password + Self.connect,
            asksForPassword: true,
            chunk: chunk
        )
        #expect(right == Run(output: [5, 2, 1, 0], credentials: "alice:secret", request: "a.test:443"))
        let wrong = Self.run(
            [5, 1, 2, 1, 1, 0x61, 1, 0x62] + Self.connect,
            asksForPassword: true,
            chunk: chunk
        )
        #expect(wrong == Run(output: [5, 2, 1, 1], credentials: "a:b", rest: Self.connect.count))
        let unasked = Self.run([5, 1, 2] + Self.password + Self.connect, chunk: chunk)
        #expect(unasked.output == [5, 2, 1, 0] && unasked.request == "a.test:443")
        #expect(Self.run([5, 2, 0, 2] + Self.connect, chunk: chunk).output == [5, 0])
    }

    @Test("accepts names of 1 to 253 bytes, and refuses longer and invalid ones")
    func names() {
        func run(_ name: [UInt8], port: [UInt8] = [0, 80]) -> Run {
            Self.run([5, 1, 0, 5, 1, 0, 3, UInt8(name.count)] + name + port)
        }
        let label = Array(String(repeating: "a", count: 61).utf8) + [0x2e]
        let long = label + label + label + label + Array("abcde".utf8)
        #expect(long.count == 253 && run(long).request?.count == 256)
        let refused: [UInt8] = [5, 0, 5, 1, 0, 1, 0, 0, 0, 0, 0, 0]
        for name in [
            long + Array("ab".utf8), [UInt8](repeating: 0x61, count: 255), [], [0], Array("a b".utf8),
            [0xff, 0xfe], Array("127.1".utf8), Array("0x7f000001".utf8), Array("[::1".utf8),
            Array("a.test\r\nX: y".utf8),
        ] {
            let run = run(name)
            #expect(run.output == refused && run.failure == .badDestination && run.request == nil, "\(name)")
        }
        #expect(run(Array("a.test".utf8), port: [0, 0]).failure == .badDestination)
    }

    @Test("answers each fault by its code, in pieces of any size", arguments: Chunking.sizes)
    func faults(chunk: Int) {
        let faults: [([UInt8], [UInt8], SOCKSFailure.Code)] = [
            ([5, 0], [5, 0xff], .noCommonMethod), ([5, 1, 1], [5, 0xff], .noCommonMethod),
            ([5, 1, 0, 4, 1, 0, 1], [5, 0, 5, 1, 0, 1, 0, 0, 0, 0, 0, 0], .badRequest),
            ([5, 1, 0, 5, 1, 1, 1], [5, 0, 5, 1, 0, 1, 0, 0, 0, 0, 0, 0], .badRequest),
            ([5, 1, 0, 5, 2, 0, 1], [5, 0, 5, 7, 0, 1, 0, 0, 0, 0, 0, 0], .badCommand),
            ([5, 1, 0, 5, 3, 0, 1], [5, 0, 5, 7, 0, 1, 0, 0, 0, 0, 0, 0], .badCommand),
            ([5, 1, 0, 5, 9, 0, 1], [5, 0, 5, 7, 0, 1, 0, 0, 0, 0, 0, 0], .badCommand),
            ([5, 1, 0, 5, 1, 0, 2], [5, 0, 5, 8, 0, 1, 0, 0, 0, 0, 0, 0], .badAddressType),
            ([5, 1, 2, 5, 0, 0], [5, 2, 1, 1], .badSubnegotiation),
        ]
        for (bytes, output, code) in faults {
            let run = Self.run(bytes, chunk: chunk)
            #expect(run.output == output && run.failure == code, "\(bytes)")
        }
        let withoutPassword = Self.run([5, 1, 0], asksForPassword: true, chunk: chunk)
        #expect(withoutPassword.output == [5, 0xff] && withoutPassword.failure == .noCommonMethod)
    }

    @Test("waits for missing bytes at every length, and reports nothing twice")
    func truncated() {
        let whole = [5, 1, 2] + Self.password + Self.connect
        for length in 0..<whole.count {
            let run = Self.run(Array(whole.prefix(length)), asksForPassword: true)
            #expect(run.request == nil && run.failure == nil, "\(length)")
        }
    }

    @Test("takes SOCKS4 and 4a, in pieces of any size", arguments: Chunking.sizes)
    func version4(chunk: Int) {
        let head: [UInt8] = [4, 1, 0, 80]
        let address = Self.run(head + [192, 0, 2, 1] + Array("me".utf8) + [0], .socks4, chunk: chunk)
        #expect(address == Run(request: "192.0.2.1:80"))
        let name = Self.run(head + [0, 0, 0, 7, 0] + Array("a.test".utf8) + [0, 9], .socks4, chunk: chunk)
        #expect(name == Run(request: "a.test:80", rest: 1))
        let bind = Self.run([4, 2, 0, 80, 1, 2, 3, 4], .socks4, chunk: chunk)
        #expect(bind.failure == .badCommand && bind.output == [0, 0x5b, 0, 0, 0, 0, 0, 0])
        let locked = Self.run(head + [192, 0, 2, 1, 0], .socks4, asksForPassword: true, chunk: chunk)
        #expect(locked.failure == .noCommonMethod && locked.output.prefix(2) == [0, 0x5b])
        let endless = Self.run(head + [UInt8](repeating: 0x61, count: 2000), .socks4, chunk: chunk)
        #expect(endless.failure == .tooLong && endless.request == nil)
    }

    @Test("answers a request in its version of SOCKS, and refuses before a request")
    func replies() throws {
        for reply in SOCKSReply.allCases {
            var acceptor = SOCKSAcceptor(.socks5, asksForPassword: false)
            var input = ByteQueue([5, 1, 0] + Self.connect)
            var output: [UInt8] = []
            #expect(try acceptor.next(&input, into: &output) != nil)
            #expect(acceptor.reply(reply) == [5, reply.rawValue, 0, 1, 0, 0, 0, 0, 0, 0])
            #expect(!reply.meaning.isEmpty)
            var older = SOCKSAcceptor(.socks4, asksForPassword: false)
            #expect(older.reply(reply)[1] == (reply == .succeeded ? 0x5a : 0x5b))
        }
        var early = SOCKSAcceptor(.socks5, asksForPassword: true)
        #expect(early.reply(.notAllowed) == [5, 0xff])
    }

    @Test("survives everything: each byte changed, and noise")
    func noise() {
        let whole = [5, 2, 0, 2] + Self.password + Self.connect
        for index in whole.indices {
            for value in UInt8.min...UInt8.max {
                var changed = whole
                changed[index] = value
                let run = Self.run(changed, asksForPassword: true)
                #expect(run.output.count <= 14)
            }
        }
        var random = SeededRandom(seed: 1928)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 1...600, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            for version in [SOCKSVersion.socks4, .socks5] {
                let run = Self.run([version.rawValue] + bytes, version, asksForPassword: bytes.count % 2 == 0)
                #expect(run.output.count <= 14)
            }
        }
    }
}
