/// Makes sentences of what the library and the peer say.
enum HTTP2Text {
    /// At most 60 bytes in quotes, everything but printable ASCII escaped.
    static func excerpt(_ bytes: some Collection<UInt8>) -> String {
        var text = "“"
        for byte in bytes.prefix(60) {
            switch byte {
            case 0x20...0x7e: text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return text + (bytes.count > 60 ? "…”" : "”")
    }

    /// What the library complains about, without the value of a field, which may be secret.
    static func complaint(_ text: UnsafeRawBufferPointer) -> String {
        let text = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        return text.prefix(upTo: ", value:").map(String.init) ?? text
    }
}

extension String {
    /// What stands before the first `separator`; `nil` if there is none.
    fileprivate func prefix(upTo separator: String) -> Substring? {
        guard let first = separator.first else { return nil }
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            if self[start...].hasPrefix(separator) { return self[..<start] }
            rest = rest[start...].dropFirst()
        }
        return nil
    }
}
