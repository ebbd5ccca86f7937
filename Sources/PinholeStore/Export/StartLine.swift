import PinholeModel

/// The parts of a recorded start line (RFC 9112 §3, §4).
struct StartLine {
    /// The line without its end.
    let text: String

    /// Reads the first line of `head`.
    init(_ head: [UInt8]) {
        text = String(decoding: head.prefix { $0 != 0x0d && $0 != 0x0a }, as: UTF8.self)
    }

    /// The bytes between method and version of a request line.
    static func target(of head: [UInt8]) -> [UInt8]? {
        let line = head.prefix { $0 != 0x0d && $0 != 0x0a }
        guard let first = line.firstIndex(of: 0x20), let last = line.lastIndex(of: 0x20), first < last else {
            return nil
        }
        return Array(line[(first + 1)..<last])
    }

    /// The version at the end of a request line.
    var requestVersion: String {
        text.split(separator: " ").last.map(String.init) ?? ""
    }

    /// The version at the start of a status line.
    var responseVersion: String {
        text.split(separator: " ").first.map(String.init) ?? ""
    }

    /// The reason phrase of a status line.
    var reason: String {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count > 2 ? String(parts[2]) : ""
    }
}

extension ExchangeRecord {
    /// The path with its query, in the bytes that were sent where the record's text is made of these: what is no UTF-8
    /// stands in the text as U+FFFD.
    var pathBytes: [UInt8] {
        guard let target = StartLine.target(of: request.head) else { return Array(path.utf8) }
        // In absolute-form (RFC 9112 §3.2.2) it begins behind the authority.
        let authority = target.firstRange(of: Array("://".utf8)).map { target[$0.upperBound...] }
        let inURL = authority.flatMap { rest in
            rest.firstIndex { $0 == 0x2f || $0 == 0x3f }.map { rest[$0...] }
        }
        for bytes in [target[...], inURL ?? []] where String(decoding: bytes, as: UTF8.self) == path {
            return Array(bytes)
        }
        return Array(path.utf8)
    }
}

/// Percent-encoding (RFC 3986 §2.1).
enum Percent {
    /// The text that `text` encodes; the text itself where that would be no UTF-8.
    static func decode(_ text: Substring, plusIsSpace: Bool) -> String {
        let utf8 = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < utf8.count {
            if utf8[index] == 0x25, index + 2 < utf8.count,
                let high = digit(utf8[index + 1]), let low = digit(utf8[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
                continue
            }
            bytes.append(plusIsSpace && utf8[index] == 0x2b ? 0x20 : utf8[index])
            index += 1
        }
        return String(validating: bytes, as: UTF8.self) ?? String(text)
    }

    /// The text as a name or value of a form (`application/x-www-form-urlencoded`).
    static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = text.utf8.reduce(into: [UInt8]()) { bytes, byte in
            switch byte {
            case 0x20: bytes.append(0x2b)
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2a, 0x2d, 0x2e, 0x5f: bytes.append(byte)
            default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A URL, or a part of one, with what no URL holds percent-encoded; what is encoded stays so.
    static func url(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let marks = Set("-._~:/?#[]@!$&'()*+,;=%".utf8)
        let encoded = bytes.reduce(into: [UInt8]()) { encoded, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: encoded.append(byte)
            case _ where marks.contains(byte): encoded.append(byte)
            default: encoded += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
