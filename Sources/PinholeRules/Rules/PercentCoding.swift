/// Percent-encoding (RFC 3986 §2.1).
enum PercentCoding {
    /// What `bytes` mean; `nil` where a percent sign is not followed by two digits, or they are no UTF-8.
    static func decode(_ bytes: [UInt8]) -> String? {
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                result.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            result.append(high << 4 | low)
        }
        return String(validating: result, as: UTF8.self)
    }

    /// `text` as it stands in a query: what is not unreserved is written with percent signs.
    static func encode(_ text: String) -> String {
        let unreserved = Set("-._~".utf8)
        return escaped(text.utf8) { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                || unreserved.contains(byte)
        }
    }

    /// `bytes` with percent signs for those that are not plain, which have to be ASCII.
    static func escaped(_ bytes: some Sequence<UInt8>, isPlain: (UInt8) -> Bool) -> String {
        var result = ""
        for byte in bytes {
            if isPlain(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let hex = String(byte, radix: 16, uppercase: true)
                result += "%" + (hex.count == 1 ? "0" : "") + hex
            }
        }
        return result
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
