import PinholeLock
import PinholeModel
import PinholeRuntime
import PinholeTestKit
import Testing

@testable import PinholeLab

@Suite("Protocols with STARTTLS")
struct StartTLSTests {
    private func answers(_ name: StartTLS.Name, isOffered: Bool = true, _ text: String) -> [StartTLS.Answer] {
        var startTLS = StartTLS(name)
        startTLS.isOffered = isOffered
        var rest = Array(text.utf8)[...]
        var answers: [StartTLS.Answer] = []
        while let length = startTLS.messageLength(in: rest) {
            answers.append(startTLS.answer(to: rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        #expect(rest.isEmpty)
        return answers
    }

    /// The words of a client that comes to TLS, as curl, Python and OpenSSL send them.
    private static let comings: [(StartTLS.Name, String)] = [
        (.smtp, "EHLO me\r\nSTARTTLS\r\n"), (.lmtp, "LHLO me\r\nstarttls\r\n"),
        (.imap, "A1 CAPABILITY\r\nA2 STARTTLS\r\n"), (.pop3, "CAPA\r\nSTLS\r\n"),
        (.ftp, "FEAT\r\nAUTH TLS\r\n"), (.nntp, "CAPABILITIES\r\nSTARTTLS\r\n"),
        (.xmpp, "<?xml version='1.0'?><stream:stream to='a'><starttls xmlns='b'/>"),
        (.xmpp, "<stream:stream to='a'><starttls xmlns='b'></starttls>"),
        (.xmpp, "<stream:stream to='a'>\n <starttls xmlns='b'></starttls>"),
        (.smtp, "HELP\r\nAUTH\r\n\r\nEHLO me\r\nSTARTTLS\r\n"), (.imap, "\r\nA1 ENABLE\r\nA2 STARTTLS\r\n"),
        (.pop3, "AUTH\r\nUTF8\r\nCAPA\r\nSTLS\r\n"), (.nntp, "HELP\r\nCAPABILITIES\r\nSTARTTLS\r\n"),
        (.ftp, "HOST a\r\nCLNT b\r\nAUTH GSSAPI\r\nFEAT\r\nAUTH ssl\r\n"),
    ]

    @Test("a client that asks for TLS gets it", arguments: comings)
    func upgrade(_ name: StartTLS.Name, _ text: String) {
        let answers = answers(name, text)
        guard case .startsTLS = answers.last else { return #expect(Bool(false), "\(answers)") }
        #expect(answers.dropLast().allSatisfy { if case .goesOn = $0 { true } else { false } })
    }

    @Test("the offer is in the greeting or in an answer, unless it is hidden", arguments: comings)
    func hidden(_ name: StartTLS.Name, _ text: String) {
        for isOffered in [true, false] {
            var said = answers(name, isOffered: isOffered, text).dropLast().map { "\($0)" }
            var startTLS = StartTLS(name)
            startTLS.isOffered = isOffered
            said.append(startTLS.greeting)
            let offers = ["STARTTLS", "STLS", "AUTH TLS", "<starttls"]
            #expect(said.contains { line in offers.contains { line.contains($0) } } == isOffered)
            if case .startsTLS = answers(name, isOffered: isOffered, text).last { #expect(isOffered) }
        }
    }

    @Test(
        "a command that TLS would protect is refused and named without its arguments",
        arguments: [
            (StartTLS.Name.smtp, "MAIL FROM:<a@b>\r\n", "MAIL"), (.smtp, "auth PLAIN c2VjcmV0\r\n", "AUTH"),
            (.imap, "A1 LOGIN me secret\r\n", "LOGIN"), (.pop3, "USER me\r\n", "USER"),
            (.ftp, "PASS secret\r\n", "PASS"), (.nntp, "GROUP a\r\n", "GROUP"),
            (.xmpp, "<auth mechanism='PLAIN'>", "AUTH"),
            (.postgres, "\0\0\0\u{09}\0\u{03}\0\0\0", "StartupMessage"),
        ]
    )
    func unprotected(_ name: StartTLS.Name, _ text: String, _ command: String) {
        let message = Array(text.utf8)[...]
        guard case .refuses = StartTLS(name).answer(to: message) else { return #expect(Bool(false)) }
        #expect(StartTLS(name).command(of: message) == command)
    }

    @Test("FTP starts TLS for the mechanisms of TLS alone")
    func mechanisms() {
        for mechanism in ["GSSAPI", "KERBEROS_V4", ""] {
            #expect(answers(.ftp, "AUTH \(mechanism)\r\n") == [.goesOn("504 unknown mechanism\r\n")])
        }
    }

    @Test("a client that floods the server is reported once, and its connection ends")
    func flood() async throws {
        let entry = try await DirectEntry.start(on: SocketAddress(.loopback, port: 0))
        defer { entry.stop() }
        let signals = Lock<[WireSignal]>([])
        var target = DirectEntry.Target(proxy: SocketAddress(.loopback, port: 1), authority: "a.test:443")
        target.startTLS = StartTLS(.pop3)
        target.tell = { signal in signals.withLock { $0.append(signal) } }
        for line in ["USER a\r\n", "\n"] {
            signals.withLock { $0 = [] }
            entry.lead(to: target)
            var client = try RawClient(entry.address)
            // A connection that comes before the target is closed.
            while client.read(until: "ready\r\n").isEmpty { client = try RawClient(entry.address) }
            client.send(String(repeating: line, count: 10_000))
            #expect(client.readAll().text.utf8.count < 10_000)
            let commands = signals.withLock(\.self).filter {
                if case .unprotected = $0 { true } else { false }
            }
            #expect(commands == (line == "\n" ? [] : [.unprotected(command: "USER")]))
        }
    }

    @Test("PostgreSQL's request for TLS is eight bytes; one for GSSAPI is answered with no")
    func postgres() {
        let request: [UInt8] = [0, 0, 0, 8, 4, 0xd2, 0x16, 0x2f]
        var startTLS = StartTLS(.postgres)
        #expect(startTLS.messageLength(in: request.prefix(7)) == nil)
        #expect(startTLS.messageLength(in: request[...]) == 8)
        #expect(startTLS.answer(to: request[...]) == .startsTLS("S"))
        #expect(startTLS.answer(to: (request.dropLast() + [0x30])[...]) == .goesOn("N"))
        startTLS.isOffered = false
        #expect(startTLS.answer(to: request[...]) == .goesOn("N"))
    }

    @Test("a message is whole at its end alone")
    func incomplete() {
        for (name, text) in Self.comings {
            let bytes = Array(text.utf8)
            let length = StartTLS(name).messageLength(in: bytes[...])
            #expect(length.map { StartTLS(name).messageLength(in: bytes.prefix($0 - 1)) } == .some(nil))
        }
    }
}
