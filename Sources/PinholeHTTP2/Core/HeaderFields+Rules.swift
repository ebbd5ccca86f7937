import PinholeModel

extension HeaderFields {
    /// The part of a message as which a list of fields is sent.
    enum Section {
        /// The head of a request.
        case request
        /// The head of a response.
        case response
        /// The trailers behind a body.
        case trailers
    }

    /// Checks the rules of RFC 9113 §8 that a recipient checks, too, before the fields are sent.
    ///
    /// - Parameter section: The part of a message as which the fields are sent.
    /// - Throws: ``HTTP2Failure``, which names the first field that must not be sent.
    func checkSendable(as section: Section) throws(HTTP2Failure) {
        var mayBePseudo = section != .trailers
        for index in indices {
            let start = lineRange(at: index).lowerBound
            let isPseudo = isPseudo(at: index)
            guard !isPseudo || mayBePseudo else {
                throw .misuse(
                    "expected pseudo-fields at the start of a head alone, but \(excerpt(index)) came later"
                )
            }
            mayBePseudo = isPseudo
            let name = start + (isPseudo ? 1 : 0)..<start + nameLength(at: index)
            guard !name.isEmpty, isToken(name), isPlain(valueRange(at: index)) else {
                throw .misuse("expected a field of plain characters, but \(excerpt(index)) holds others")
            }
            guard !isConnectionSpecific(index) else {
                throw .misuse(
                    "expected fields that HTTP/2 has, but \(excerpt(index)) belongs to one connection"
                )
            }
        }
        let first = section == .request ? ":method" : section == .response ? ":status" : nil
        if let first, !contains(first) { throw .misuse("expected a head with \(first), but it has none") }
    }

    private func excerpt(_ index: Int) -> String { HTTP2Text.excerpt(name(at: index)) }

    /// Whether all bytes are allowed in a name (RFC 9110 §5.6.2).
    private func isToken(_ range: Range<Int>) -> Bool {
        storage.withUnsafeBufferPointer { bytes in
            var allowed: UInt64 = 1
            for byte in UnsafeBufferPointer(rebasing: bytes[range]) {
                let half = byte < 64 ? Self.lowTokens : byte < 128 ? Self.highTokens : 0
                allowed &= half >> UInt64(byte & 63)
            }
            return allowed == 1
        }
    }

    /// A bit mask of the token characters below 64: `! # $ % & ' * + - .` and digits.
    private static var lowTokens: UInt64 { 0x03ff_6cfa_0000_0000 }
    /// A bit mask of the token characters from 64 on: letters and ``^ _ ` | ~``.
    private static var highTokens: UInt64 { 0x57ff_ffff_c7ff_fffe }

    /// Whether all bytes are allowed in a value (RFC 9110 §5.5).
    ///
    /// The loop has no early exit, so that the compiler can check several bytes at once.
    private func isPlain(_ range: Range<Int>) -> Bool {
        storage.withUnsafeBufferPointer { bytes in
            var foreign: UInt8 = 0
            for byte in UnsafeBufferPointer(rebasing: bytes[range]) {
                foreign |= (byte < 0x20 ? 1 : 0) & (byte == 0x09 ? 0 : 1) | (byte == 0x7f ? 1 : 0)
            }
            return foreign == 0
        }
    }

    private func isConnectionSpecific(_ index: Int) -> Bool {
        switch nameLength(at: index) {
        case 2: isNamed("te", at: index) && value(at: index).map { $0 | 0x20 } != Array("trailers".utf8)
        case 7: isNamed("upgrade", at: index)
        case 10: isNamed("connection", at: index) || isNamed("keep-alive", at: index)
        case 16: isNamed("proxy-connection", at: index)
        case 17: isNamed("transfer-encoding", at: index)
        default: false
        }
    }
}
