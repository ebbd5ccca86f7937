/// A ClientHello of TLS 1.3 that is written byte by byte, with offers that OpenSSL 3.0 cannot make.
package struct CraftedClientHello: Sendable {
    /// A key share (RFC 8446 §4.2.8).
    package struct KeyShare: Sendable {
        /// The number of the group at IANA.
        package var group: UInt16
        /// The public key.
        package var key: [UInt8]

        /// Creates a share.
        package init(group: UInt16, key: [UInt8]) {
            self.group = group
            self.key = key
        }

        /// X25519, whose base point is a valid public key (RFC 7748 §4.1).
        package static let x25519 = KeyShare(group: 0x1d, key: [9] + [UInt8](repeating: 0, count: 31))

        /// X25519MLKEM768: an encapsulation key of 1,184 bytes, then a public key of X25519
        /// (draft-ietf-tls-ecdhe-mlkem).
        ///
        /// All coefficients are less than 3,329, which OpenSSL 3.5 checks (FIPS 203 §7.2).
        package static let x25519MLKEM768 = KeyShare(
            group: 0x11ec,
            key: (0..<1184).map { UInt8($0 % 13) * 0x11 } + x25519.key
        )
    }

    /// The name in SNI; `nil` to send none.
    package var serverName: String?
    /// The protocols in ALPN.
    package var applicationProtocols: [String]
    /// The groups, best first.
    package var groups: [UInt16]
    /// The key shares.
    package var shares: [KeyShare]

    /// Creates the ClientHello of a browser that prefers X25519MLKEM768 and also supports X25519 and P-256.
    ///
    /// - Parameters:
    ///   - serverName: The name in SNI; `nil` to send none.
    ///   - applicationProtocols: The protocols in ALPN.
    ///   - sharesX25519: Whether a share of X25519 follows that of X25519MLKEM768. Without it, a server that does not
    ///     know X25519MLKEM768 answers with a HelloRetryRequest.
    package init(
        postQuantumFor serverName: String?,
        applicationProtocols: [String] = ["http/1.1"],
        sharesX25519: Bool
    ) {
        self.serverName = serverName
        self.applicationProtocols = applicationProtocols
        groups = [KeyShare.x25519MLKEM768.group, KeyShare.x25519.group, 0x17]
        shares = sharesX25519 ? [.x25519MLKEM768, .x25519] : [.x25519MLKEM768]
    }

    /// The ClientHello that follows a HelloRetryRequest for X25519, behind the change_cipher_spec that middleboxes want
    /// (RFC 8446 §D.4).
    package var retriedRecords: [UInt8] {
        var second = self
        second.shares = [.x25519]
        return [20, 3, 3, 0, 1, 1] + second.record
    }

    /// The ClientHello in one record.
    package var record: [UInt8] { [22, 3, 1] + Self.vector(message) }

    private var message: [UInt8] {
        var body: [UInt8] = [3, 3] + [UInt8](repeating: 0x5a, count: 32)
        body += [32] + [UInt8](repeating: 0xa5, count: 32)
        body += Self.list([0x1301, 0x1302, 0x1303, 0xc02b, 0xc02f, 0xc02c, 0xc030]) + [1, 0]
        body += Self.vector(extensions)
        return [1, 0] + Self.number(body.count) + body
    }

    private var extensions: [UInt8] {
        var all: [UInt8] = []
        let add = { (type: Int, bytes: [UInt8]) in all += Self.number(type) + Self.vector(bytes) }
        // The order is that of RFC 8446 §4.2; 0xfe0d is encrypted_client_hello with 208 bytes that no server can read.
        if let serverName { add(0, Self.vector([0] + Self.vector(Array(serverName.utf8)))) }
        add(5, [1, 0, 0, 0, 0])
        add(10, Self.list(groups))
        add(11, [1, 0])
        add(13, Self.list([0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601]))
        let names = applicationProtocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !names.isEmpty { add(16, Self.vector(names)) }
        add(23, [])
        add(35, [])
        add(43, [4, 3, 4, 3, 3])
        add(45, [1, 1])
        add(51, Self.vector(shares.flatMap { Self.number(Int($0.group)) + Self.vector($0.key) }))
        add(0xfe0d, [UInt8](repeating: 0xec, count: 208))
        add(0xff01, [0])
        return all
    }

    private static func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xff), UInt8(value & 0xff)] }

    private static func vector(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count) + bytes }

    private static func list(_ numbers: [UInt16]) -> [UInt8] { vector(numbers.flatMap { number(Int($0)) }) }
}
