/// The server's side of a protocol that begins in the clear, until the client asks for TLS.
///
/// The value holds no state: each message of a client has one answer.
package struct StartTLS: Sendable, Hashable {
    /// The protocols, by the names that `openssl s_client -starttls` gives them.
    package enum Name: String, Sendable, Hashable, CaseIterable {
        case smtp, lmtp, imap, pop3, ftp, nntp, xmpp, postgres
    }

    /// The answer to one message of a client.
    enum Answer: Hashable {
        /// The server says this, and the dialogue goes on.
        case goesOn(String)
        /// The server says this, and TLS begins.
        case startsTLS(String)
        /// The client sends in the clear what TLS would protect; the server says this.
        case refuses(String)
        /// The server says this and closes the connection.
        case closes(String)
    }

    /// The protocol.
    package let name: Name
    /// Whether the server offers TLS; a man in the middle hides the offer.
    package var isOffered = true

    /// The longest message of a client, in bytes.
    static let longestMessage = 8 << 10

    /// Creates a protocol whose server offers TLS.
    package init(_ name: Name) { self.name = name }

    /// The text that the server sends first; empty if the client begins.
    var greeting: String {
        switch name {
        case .smtp, .lmtp: "220 mail ESMTP\r\n"
        case .imap: "* OK [CAPABILITY \(imapCapabilities)] ready\r\n"
        case .pop3: "+OK ready\r\n"
        case .ftp: "220 ready\r\n"
        case .nntp: "200 ready\r\n"
        case .xmpp, .postgres: ""
        }
    }

    /// Finds the end of the first message of a client.
    ///
    /// - Parameter bytes: The bytes that came.
    /// - Returns: The length of the message; `nil` while it is incomplete.
    func messageLength(in bytes: ArraySlice<UInt8>) -> Int? {
        switch name {
        case .smtp, .lmtp, .imap, .pop3, .ftp, .nntp:
            bytes.firstIndex(of: 0x0a).map { $0 - bytes.startIndex + 1 }
        case .xmpp: xmppLength(bytes)
        case .postgres: postgresLength(bytes)
        }
    }

    /// Answers a message.
    ///
    /// - Parameter message: A whole message, as ``messageLength(in:)`` finds it.
    /// - Returns: The answer.
    func answer(to message: ArraySlice<UInt8>) -> Answer {
        let words = words(of: message)
        let first = words.first ?? ""
        let second = words.dropFirst().first?.uppercased()
        return switch name {
        case .smtp, .lmtp: mail(first.uppercased(), second)
        case .imap: imap(tag: first, second ?? "")
        case .pop3: pop3(first.uppercased(), second)
        case .ftp: ftp(first.uppercased(), second)
        case .nntp: nntp(first.uppercased())
        case .xmpp: xmpp(first)
        case .postgres: postgres(message)
        }
    }

    /// Names the command of a message, without its arguments, which may be secret.
    ///
    /// - Parameter message: A whole message.
    /// - Returns: The command in printable ASCII.
    func command(of message: ArraySlice<UInt8>) -> String {
        guard name != .postgres else { return "StartupMessage" }
        let words = words(of: message)
        let word = name == .imap ? words.dropFirst().first ?? "" : words.first ?? ""
        return String(word.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(20))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0d || byte == 0x0a
    }

    private func words(of message: ArraySlice<UInt8>) -> [String] {
        message.split(whereSeparator: Self.isSpace).prefix(2)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

// MARK: Lines

extension StartTLS {
    /// SMTP (RFC 3207) and LMTP (RFC 2033).
    private func mail(_ command: String, _ argument: String?) -> Answer {
        switch command {
        case "EHLO", "LHLO": .goesOn(isOffered ? "250-mail\r\n250 STARTTLS\r\n" : "250 mail\r\n")
        case "STARTTLS" where isOffered: .startsTLS("220 go ahead\r\n")
        case "STARTTLS": .goesOn("502 5.5.1 not implemented\r\n")
        case "HELO", "NOOP", "RSET": .goesOn("250 OK\r\n")
        case "QUIT": .closes("221 bye\r\n")
        case "AUTH" where argument != nil, "MAIL", "RCPT", "DATA", "BDAT", "VRFY", "EXPN":
            .refuses("530 5.7.0 Must issue a STARTTLS command first\r\n")
        default: .goesOn("500 5.5.1 unknown command\r\n")
        }
    }

    private var imapCapabilities: String { isOffered ? "IMAP4rev1 STARTTLS" : "IMAP4rev1" }

    /// IMAP (RFC 9051 §6.2.1).
    private func imap(tag: String, _ command: String) -> Answer {
        switch command {
        case "CAPABILITY": .goesOn("* CAPABILITY \(imapCapabilities)\r\n\(tag) OK done\r\n")
        case "STARTTLS" where isOffered: .startsTLS("\(tag) OK go ahead\r\n")
        case "STARTTLS": .goesOn("\(tag) BAD unknown command\r\n")
        case "ID": .goesOn("* ID NIL\r\n\(tag) OK done\r\n")
        case "NOOP": .goesOn("\(tag) OK done\r\n")
        case "LOGOUT": .closes("* BYE\r\n\(tag) OK done\r\n")
        case "LOGIN", "AUTHENTICATE", "SELECT", "EXAMINE", "STATUS", "LIST", "APPEND":
            .refuses("\(tag) NO [PRIVACYREQUIRED] not without TLS\r\n")
        default: .goesOn("\(tag.isEmpty ? "*" : tag) BAD unknown command\r\n")
        }
    }

    /// POP3 (RFC 2595 §4).
    private func pop3(_ command: String, _ argument: String?) -> Answer {
        switch command {
        case "CAPA": .goesOn("+OK\r\n\(isOffered ? "STLS\r\n" : "")USER\r\n.\r\n")
        case "STLS" where isOffered: .startsTLS("+OK go ahead\r\n")
        case "QUIT": .closes("+OK bye\r\n")
        case "AUTH" where argument != nil, "USER", "PASS", "APOP": .refuses("-ERR not without TLS\r\n")
        default: .goesOn("-ERR unknown command\r\n")
        }
    }

    /// FTP (RFC 4217).
    private func ftp(_ command: String, _ argument: String?) -> Answer {
        switch command {
        case "AUTH" where isOffered:
            ["TLS", "TLS-C", "SSL", "TLS-P"].contains(argument)
                ? .startsTLS("234 go ahead\r\n") : .goesOn("504 unknown mechanism\r\n")
        case "AUTH": .goesOn("502 not implemented\r\n")
        case "FEAT": .goesOn(isOffered ? "211-Features\r\n AUTH TLS\r\n211 End\r\n" : "211 none\r\n")
        case "SYST": .goesOn("215 UNIX Type: L8\r\n")
        case "NOOP", "OPTS": .goesOn("200 OK\r\n")
        case "QUIT": .closes("221 bye\r\n")
        case "USER", "PASS", "ACCT", "RETR", "STOR", "STOU", "APPE": .refuses("530 not without TLS\r\n")
        default: .goesOn("500 unknown command\r\n")
        }
    }

    /// NNTP (RFC 4642).
    private func nntp(_ command: String) -> Answer {
        switch command {
        case "CAPABILITIES":
            .goesOn("101 list\r\nVERSION 2\r\nREADER\r\n\(isOffered ? "STARTTLS\r\n" : "").\r\n")
        case "STARTTLS" where isOffered: .startsTLS("382 go ahead\r\n")
        case "MODE": .goesOn("200 ready\r\n")
        case "DATE": .goesOn("111 20000101000000\r\n")
        case "QUIT": .closes("205 bye\r\n")
        case "AUTHINFO", "POST", "IHAVE", "CHECK", "TAKETHIS", "GROUP", "LISTGROUP", "ARTICLE", "HEAD",
            "BODY", "STAT", "OVER", "XOVER", "HDR", "XHDR", "NEWNEWS":
            .refuses("483 not without TLS\r\n")
        default: .goesOn("500 unknown command\r\n")
        }
    }
}

// MARK: Other messages

extension StartTLS {
    /// The messages are tags; `<starttls>` may have an end tag of its own.
    private func xmppLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let end = bytes.firstIndex(of: 0x3e) else { return nil }
        let tag = bytes.drop(while: Self.isSpace)
        let isOpen = tag.starts(with: "<starttls".utf8) && bytes[..<end].last != 0x2f
        guard isOpen else { return end - bytes.startIndex + 1 }
        return bytes.firstRange(of: Array("</starttls>".utf8)).map { $0.upperBound - bytes.startIndex }
    }

    /// XMPP (RFC 6120 §5.4), tag by tag.
    private func xmpp(_ tag: String) -> Answer {
        if tag.hasPrefix("<?xml") { return .goesOn("") }
        if tag.hasPrefix("<starttls") {
            return isOffered
                ? .startsTLS("<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
                : .closes("<failure xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:stream>")
        }
        if tag.hasPrefix("<stream:stream") {
            return .goesOn(
                """
                <stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' id='1' \
                version='1.0'><stream:features>\(xmppOffer)</stream:features>
                """
            )
        }
        guard !tag.hasPrefix("</stream") else { return .closes("</stream:stream>") }
        let isProtected = Self.stanzas.contains { tag.hasPrefix($0) }
        return isProtected ? .refuses("</stream:stream>") : .goesOn("")
    }

    /// The beginnings of tags with logins and messages.
    private static let stanzas = ["<auth", "<iq", "<message", "<presence", "<handshake", "<response", "<db:"]

    private var xmppOffer: String {
        isOffered
            ? "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>"
            : "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mechanism></mechanisms>"
    }

    /// The length stands in the first four bytes (PostgreSQL's documentation, “Message Formats”).
    private func postgresLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= 8 else { return nil }
        let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return length <= bytes.count ? max(8, length) : nil
    }

    /// PostgreSQL: SSLRequest, GSSENCRequest, or a StartupMessage in the clear.
    private func postgres(_ message: ArraySlice<UInt8>) -> Answer {
        switch message.dropFirst(4).prefix(4).reduce(0, { $0 << 8 | Int($1) }) {
        case 80_877_103: isOffered ? .startsTLS("S") : .goesOn("N")
        case 80_877_104: .goesOn("N")
        default: .refuses("E\0\0\0\u{24}SFATAL\0C28000\0Mnot without TLS\0\0")
        }
    }
}
