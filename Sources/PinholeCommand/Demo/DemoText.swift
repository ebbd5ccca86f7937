import PinholeModel

/// Numbers as people read them.
enum DemoText {
    /// `73 bytes`, `12.4 KiB`.
    static func size(_ bytes: Int64) -> String {
        if bytes == 1 { return "1 byte" }
        if bytes < 1024 { return "\(bytes) bytes" }
        if bytes < 1 << 20 { return "\(decimal(Double(bytes) / 1024)) KiB" }
        return "\(decimal(Double(bytes) / 1_048_576)) MiB"
    }

    /// `0.8 ms`, `512 ms`.
    static func time(_ duration: Duration) -> String {
        time(seconds: Double(duration.microseconds) / 1_000_000)
    }

    /// `0.8 ms`, `512 ms`.
    static func time(seconds: Double) -> String {
        let milliseconds = seconds * 1000
        return milliseconds < 10 ? "\(decimal(milliseconds)) ms" : "\(Int(milliseconds.rounded())) ms"
    }

    /// Two digits.
    static func hexadecimal(_ byte: UInt8) -> String {
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }

    /// `text` in a field of `width`, cut with an ellipsis where it is longer.
    static func fit(_ text: String, _ width: Int, right: Bool = false) -> String {
        guard text.count <= width else { return text.prefix(max(0, width - 1)) + "…" }
        let space = String(repeating: " ", count: width - text.count)
        return right ? space + text : text + space
    }

    /// `text` in lines of at most `width`, broken at spaces and commas, or where it must be.
    static func wrap(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var rest = paragraph
            while rest.count > width {
                let window = rest.prefix(width + 1)
                let space = window.lastIndex { $0 == " " }
                let comma = window.dropLast().lastIndex { $0 == "," }.map { rest.index(after: $0) }
                let cut = [space, comma].compactMap(\.self).max() ?? rest.startIndex
                let end = cut > rest.startIndex ? cut : rest.index(rest.startIndex, offsetBy: width)
                lines.append(String(rest[..<end]))
                rest = rest[end...].drop { $0 == " " }
            }
            lines.append(String(rest))
        }
        return lines
    }

    private static func decimal(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
