import CZstd

/// Zstandard (RFC 8878), by the reference decoder.
enum Zstandard {
    private static let pieceBytes = 128 << 10
    /// RFC 9659: a content coding may use a window of at most 8 MiB.
    private static let windowLog: Int32 = 23

    /// Decodes `body`; several frames in a row are one content.
    static func decode(_ body: [UInt8], _ limit: Int) throws(ContentDecoder.Failure) -> [UInt8] {
        guard let context = ZSTD_createDCtx() else { throw .malformed("zstd") }
        defer { ZSTD_freeDCtx(context) }
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, windowLog)
        var content: [UInt8] = []
        // What is still missing of the frame; zero at its end.
        var missing = 0
        body.withUnsafeBytes { bytes in
            var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
            var isFull = false
            repeat {
                let piece = [UInt8](unsafeUninitializedCapacity: pieceBytes) { room, count in
                    var output = ZSTD_outBuffer(dst: room.baseAddress, size: pieceBytes, pos: 0)
                    missing = ZSTD_decompressStream(context, &output, &input)
                    count = output.pos
                }
                content.append(contentsOf: piece)
                isFull = piece.count == pieceBytes
            } while ZSTD_isError(missing) == 0 && content.count <= limit
                && (input.pos < input.size || (isFull && missing != 0))
        }
        guard content.count <= limit else { throw .tooLong(limit: limit) }
        guard missing == 0 else { throw .malformed("zstd") }
        return content
    }
}
