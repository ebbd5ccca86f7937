import COpenSSL

/// Collects the output of functions that write to a `BIO`.
enum MemoryBIO {
    /// The bytes that `write` put into a BIO; `nil` if it did not return 1.
    static func bytes(writtenBy write: (OpaquePointer) -> Int32) -> [UInt8]? {
        guard let bio = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(bio) }
        guard write(bio) == 1 else { return nil }
        let pending = BIO_ctrl_pending(bio)
        return [UInt8](unsafeUninitializedCapacity: pending) { buffer, count in
            count = max(0, Int(BIO_read(bio, buffer.baseAddress, Int32(clamping: pending))))
        }
    }

    /// The text that `write` put into a BIO; `nil` if it did not return 1.
    static func text(writtenBy write: (OpaquePointer) -> Int32) -> String? {
        bytes(writtenBy: write).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The bytes that an `i2d_…` function writes to the given output; `nil` if it fails.
func encoded(by encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32) -> [UInt8]? {
    var output: UnsafeMutablePointer<UInt8>?
    let count = encode(&output)
    guard count > 0, let output else { return nil }
    defer { pinhole_OPENSSL_free(output) }
    return Array(UnsafeBufferPointer(start: output, count: Int(count)))
}

/// Parses one value in DER; `nil` if the bytes are none, or if others follow.
///
/// - Parameters:
///   - der: The encoding.
///   - parse: The parser of OpenSSL, which moves its cursor behind the value.
///   - release: Frees a value that is not returned.
/// - Returns: The value, which the caller owns.
func parsed(
    _ der: [UInt8],
    by parse: (
        UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Int
    ) -> OpaquePointer?,
    release: (OpaquePointer?) -> Void
) -> OpaquePointer? {
    der.withUnsafeBufferPointer { buffer in
        var cursor = buffer.baseAddress
        guard let value = parse(nil, &cursor, buffer.count) else { return nil }
        guard cursor == buffer.baseAddress.map({ $0 + buffer.count }) else {
            release(value)
            return nil
        }
        return value
    }
}
