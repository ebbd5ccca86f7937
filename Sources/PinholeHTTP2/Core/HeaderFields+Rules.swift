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
        storage.withUnsafeBytes { bytes in
            for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
                let word = Self.word(of: bytes, place..<range.upperBound)
                guard Self.isLowercase(word) || Self.all(word, where: Self.isTokenByte) else { return false }
            }
            return true
        }
    }

    /// Whether all bytes are allowed in a value (RFC 9110 §5.5).
    private func isPlain(_ range: Range<Int>) -> Bool {
        storage.withUnsafeBytes { bytes in
            for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
                let word = Self.word(of: bytes, place..<range.upperBound)
                guard Self.isPrintable(word) || Self.all(word, where: Self.isPlainByte) else { return false }
            }
            return true
        }
    }

    /// Returns the first eight bytes at `range`; hyphens stand for bytes that it does not have.
    @inline(__always)
    private static func word(of bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> UInt64 {
        let hyphens: UInt64 = 0x2d2d_2d2d_2d2d_2d2d
        let count = range.count
        guard range.lowerBound + 8 <= bytes.count else {
            return bytes[range].reversed().reduce(hyphens) { $0 << 8 | UInt64($1) }
        }
        let loaded = bytes.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self)
        let word = UInt64(littleEndian: loaded)
        guard count < 8 else { return word }
        let mask: UInt64 = 1 << UInt64(8 * count) &- 1
        return word & mask | hyphens & ~mask
    }

    /// Whether all of eight bytes are lower-case letters or hyphens, as those of nearly every name.
    @inline(__always)
    private static func isLowercase(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs = ones &* 0x80
        guard word & highs == 0 else { return false }
        let isLetter = (word &+ ones &* (0x80 - 0x61)) & ~(word &+ ones &* (0x80 - 0x7b))
        let isHyphen = ~((word ^ ones &* 0x2d) &+ ones &* 0x7f)
        return (isLetter | isHyphen) & highs == highs
    }

    /// Whether none of eight bytes is a control character or a tab.
    @inline(__always)
    private static func isPrintable(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let isDelete = word ^ ones &* 0x7f
        let isLow = (word &- ones &* 0x20) & ~word
        return (isLow | (isDelete &- ones) & ~isDelete) & (ones &* 0x80) == 0
    }

    private static func all(_ word: UInt64, where isAllowed: (UInt8) -> Bool) -> Bool {
        (0..<8).allSatisfy { isAllowed(UInt8(truncatingIfNeeded: word >> UInt64(8 * $0))) }
    }

    private static func isPlainByte(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7f || byte == 0x09 }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        let half = byte < 64 ? lowTokens : byte < 128 ? highTokens : 0
        return half >> UInt64(byte & 63) & 1 == 1
    }

    /// A bit mask of the token characters below 64: `! # $ % & ' * + - .` and digits.
    private static var lowTokens: UInt64 { 0x03ff_6cfa_0000_0000 }
    /// A bit mask of the token characters from 64 on: letters and ``^ _ ` | ~``.
    private static var highTokens: UInt64 { 0x57ff_ffff_c7ff_fffe }

    private func isConnectionSpecific(_ index: Int) -> Bool {
        switch role(at: index) {
        case .te: value(at: index).map { $0 | 0x20 } != Array("trailers".utf8)
        case .connection, .keepAlive, .proxyConnection, .transferEncoding, .upgrade: true
        case .contentLength, .host, .other, .proxyAuthorization: false
        }
    }
}
