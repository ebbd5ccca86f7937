import PinholeModel

/// Numbers as text for users.
enum DemoText {
    /// Returns a size such as `73 bytes` or `12.4 KiB`.
    static func size(_ bytes: Int64) -> String {
        if bytes == 1 { return "1 byte" }
        if bytes < 1024 { return "\(bytes) bytes" }
        if bytes < 1 << 20 { return "\(decimal(Double(bytes) / 1024)) KiB" }
        return "\(decimal(Double(bytes) / 1_048_576)) MiB"
    }

    /// Returns a duration such as `0.8 ms` or `512 ms`.
    static func time(_ duration: Duration) -> String {
        time(seconds: Double(duration.microseconds) / 1_000_000)
    }

    /// Returns a duration in seconds as text such as `0.8 ms` or `512 ms`.
    static func time(seconds: Double) -> String {
        let milliseconds = seconds * 1000
        return milliseconds < 10 ? "\(decimal(milliseconds)) ms" : "\(Int(milliseconds.rounded())) ms"
    }

    /// Returns a byte as two hexadecimal digits.
    static func hexadecimal(_ byte: UInt8) -> String {
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }

    private static func decimal(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
