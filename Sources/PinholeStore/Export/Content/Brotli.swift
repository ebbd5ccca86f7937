import CBrotli

/// Brotli (RFC 7932), by the reference decoder.
enum Brotli {
    private static let pieceBytes = 64 << 10

    /// Decodes `body`.
    static func decode(_ body: [UInt8], _ limit: Int) throws(ContentDecoder.Failure) -> [UInt8] {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { throw .malformed("br") }
        defer { BrotliDecoderDestroyInstance(state) }
        var content: [UInt8] = []
        var result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT
        var left = 0
        body.withUnsafeBufferPointer { input in
            var next = input.baseAddress
            left = input.count
            while result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT, content.count <= limit {
                let piece = [UInt8](unsafeUninitializedCapacity: pieceBytes) { room, count in
                    var out = room.baseAddress
                    var space = pieceBytes
                    result = BrotliDecoderDecompressStream(state, &left, &next, &space, &out, nil)
                    count = pieceBytes - space
                }
                content.append(contentsOf: piece)
            }
        }
        guard content.count <= limit else { throw .tooLong(limit: limit) }
        guard result == BROTLI_DECODER_RESULT_SUCCESS, left == 0 else { throw .malformed("br") }
        return content
    }
}
