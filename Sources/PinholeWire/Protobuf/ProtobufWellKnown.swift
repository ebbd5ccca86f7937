import PinholeModel

/// Messages that the JSON of Protocol Buffers does not write as objects.
enum ProtobufWellKnown {
    /// The time or duration in `bytes`; `nil` if `type` is neither or the value is out of range.
    static func node(_ bytes: ArraySlice<UInt8>, _ type: String) throws(ProtobufFailure) -> ProtobufNode? {
        guard type == "google.protobuf.Timestamp" || type == "google.protobuf.Duration" else { return nil }
        let seconds = Int64(bitPattern: try DescriptorField.number(1, in: bytes) ?? 0)
        let nanoseconds = Int64(bitPattern: try DescriptorField.number(2, in: bytes) ?? 0)
        guard (-999_999_999...999_999_999).contains(nanoseconds) else { return nil }
        if type == "google.protobuf.Duration" {
            let sign = seconds < 0 || nanoseconds < 0 ? "-" : ""
            return .text("\(sign)\(seconds.magnitude)\(fraction(nanoseconds))s")
        }
        // 0001-01-01 to 9999-12-31.
        guard (-62_135_596_800...253_402_300_799).contains(seconds), nanoseconds >= 0 else { return nil }
        let text = Timestamp(seconds: seconds).iso8601
        return .text("\(text.dropLast())\(fraction(nanoseconds))Z")
    }

    /// The fraction with three, six or nine digits, as many as are needed.
    private static func fraction(_ nanoseconds: Int64) -> String {
        guard nanoseconds != 0 else { return "" }
        var digits = String(nanoseconds.magnitude)
        digits = String(repeating: "0", count: 9 - digits.count) + digits
        while digits.hasSuffix("000") { digits.removeLast(3) }
        return "." + digits
    }
}
