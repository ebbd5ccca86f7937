import CZstd

/// Decodes Zstandard (RFC 8878), in which several frames in a row are one content, with the reference decoder.
final class Zstandard: ContentStage {
    let name = "zstd"
    private let context: OpaquePointer?
    /// The result of the last call of the decoder: 0 at the end of a frame, else a hint of how much input is missing.
    private var missing = 0

    private static let pieceBytes = 128 << 10
    /// RFC 9659: a content coding may use a window of at most 8 MiB.
    private static let windowLog: Int32 = 23

    init() {
        context = ZSTD_createDCtx()
        if let context { ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.windowLog) }
    }

    deinit { if let context { ZSTD_freeDCtx(context) } }

    var isAtEnd: Bool { missing == 0 }

    func decode(
        _ input: [UInt8],
        _ use: ([UInt8]) throws(ContentDecoder.Failure) -> Bool
    ) throws(ContentDecoder.Failure) {
        guard let context else { throw .malformed(name) }
        guard !input.isEmpty else { return }
        var position = 0
        var isFull = false
        repeat {
            let piece = input.withUnsafeBytes { bytes in
                var source = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: position)
                let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { room, count in
                    var output = ZSTD_outBuffer(dst: room.baseAddress, size: Self.pieceBytes, pos: 0)
                    missing = ZSTD_decompressStream(context, &output, &source)
                    count = output.pos
                }
                position = source.pos
                return piece
            }
            if !piece.isEmpty, try !use(piece) { return }
            guard ZSTD_isError(missing) == 0 else { throw .malformed(name) }
            isFull = piece.count == Self.pieceBytes
        } while position < input.count || (isFull && missing != 0)
    }
}
