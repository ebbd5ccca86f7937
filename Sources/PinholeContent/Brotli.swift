import CBrotli

/// Decodes Brotli (RFC 7932) with the reference decoder.
final class Brotli: ContentStage {
    let name = "br"
    private let state: OpaquePointer?
    private var result = BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT
    private var isBegun = false

    private static let pieceBytes = 64 << 10

    init() { state = BrotliDecoderCreateInstance(nil, nil, nil) }

    deinit { if let state { BrotliDecoderDestroyInstance(state) } }

    var isAtEnd: Bool { result == BROTLI_DECODER_RESULT_SUCCESS || !isBegun }

    func decode(
        _ input: [UInt8],
        _ use: ([UInt8]) throws(ContentDecoder.Failure) -> Bool
    ) throws(ContentDecoder.Failure) {
        guard !input.isEmpty else { return }
        isBegun = true
        var position = 0
        repeat {
            guard result != BROTLI_DECODER_RESULT_SUCCESS else { throw .malformed(name) }
            let piece = next(input, from: &position)
            if !piece.isEmpty, try !use(piece) { return }
            guard result != BROTLI_DECODER_RESULT_ERROR else { throw .malformed(name) }
        } while position < input.count || result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT
    }

    private func next(_ input: [UInt8], from position: inout Int) -> [UInt8] {
        guard let state else {
            result = BROTLI_DECODER_RESULT_ERROR
            return []
        }
        return input.withUnsafeBufferPointer { bytes in
            var left = bytes.count - position
            var next = bytes.baseAddress.map { $0 + position }
            let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { room, count in
                var out = room.baseAddress
                var space = Self.pieceBytes
                result = BrotliDecoderDecompressStream(state, &left, &next, &space, &out, nil)
                count = Self.pieceBytes - space
            }
            position = bytes.count - left
            return piece
        }
    }
}
