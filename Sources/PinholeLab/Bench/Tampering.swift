/// The tampering of an attacker on the way, who changes or stops bytes that he cannot read.
package enum Tampering: Sendable, Hashable {
    /// Hides an extension of the ClientHello: its type is replaced by an unknown one.
    case hidesExtension(UInt16)
    /// Closes a connection as soon as the ClientHello has come: one for that name, or every one.
    case dropsHandshake(String? = nil)
    /// Inserts a probe after the server's first record, another kind of probe in each connection.
    case injectsProbes
    /// Hands on the server's bytes in pieces of that size, each in a segment of its own.
    case fragments(Int)

    /// `supported_versions` (RFC 8446 §4.2.1), without which a client speaks TLS 1.2 at most.
    static let supportedVersions: UInt16 = 43
    /// `server_name` (RFC 6066 §3).
    static let serverName: UInt16 = 0

    /// The largest piece in which the server's bytes are handed on; `nil` for any size.
    var pieceSize: Int? {
        if case .fragments(let size) = self { size } else { nil }
    }

    /// A type that no specification knows.
    private static let unknown: [UInt8] = [0xfa, 0xfa]

    /// Returns the ClientHello with an unknown extension in the place of `type`.
    ///
    /// - Parameters:
    ///   - type: The extension's type.
    ///   - hello: The record of the ClientHello.
    /// - Returns: A record of the same length; the same record if the extension is missing.
    static func hiding(_ type: UInt16, in hello: [UInt8]) -> [UInt8] {
        guard let place = place(ofExtension: type, in: hello) else { return hello }
        var hello = hello
        hello.replaceSubrange(place..<place + 2, with: unknown)
        return hello
    }

    /// Finds the start of an extension in a ClientHello (RFC 8446 §4.1.2).
    private static func place(ofExtension type: UInt16, in hello: [UInt8]) -> Int? {
        func number(at index: Int, _ size: Int) -> Int? {
            guard index + size <= hello.count else { return nil }
            return hello[index..<index + size].reduce(0) { $0 << 8 | Int($1) }
        }
        // Record and message headers, version, random.
        var index = 5 + 4 + 2 + 32
        for size in [1, 2, 1] {
            guard let count = number(at: index, size) else { return nil }
            index += size + count
        }
        index += 2
        while let found = number(at: index, 2), let count = number(at: index + 2, 2) {
            if found == Int(type) { return index }
            index += 4 + count
        }
        return nil
    }
}
