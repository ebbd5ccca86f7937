/// Makes readable sentences from the words of the library and from bytes of the peer.
enum HTTP2Text {
    /// Returns at most 60 bytes in quotes; bytes that are not printable ASCII are escaped.
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

    /// Returns the library's complaint without the value of a field, which may be secret.
    static func complaint(_ text: UnsafeRawBufferPointer) -> String {
        let text = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        return text.prefix(upTo: ", value:").map(String.init) ?? text
    }
}

extension String {
    /// Returns the text before the first `separator`; `nil` if there is none.
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
