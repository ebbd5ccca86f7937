import PinholeModel

/// The chunked coding (RFC 9112 §7.1).
extension HTTP1Reader {
    /// Reads as much chunk framing as there is at the front of the input.
    ///
    /// Correct framing is returned before a failure behind it is thrown, so that the elements do not depend
    /// on how the bytes were cut into pieces.
    mutating func readChunkFraming(_ input: inout ByteQueue) throws(HTTP1Failure) -> HTTP1Element? {
        var end = 0
        var anew: [UInt8]?
        do throws(HTTP1Failure) {
            while let piece = try framingPiece(input, from: end) {
                if let text = piece.text {
                    anew = (anew ?? input.prefix(end)) + text
                } else if anew != nil {
                    anew? += input.slice(piece.end).suffix(piece.end - end)
                }
                end = piece.end
            }
        } catch {
            guard end > 0 else { throw error }
            phase = .failed(error)
        }
        if end == 0, case .trailers = phase { return try readTrailers(&input) }
        if let anew { return .reframed(end, anew) }
        return end == 0 ? nil : .framing(end)
    }

    /// Adds a note about an answer.
    mutating func note(_ note: ExchangeNote) {
        if !notes.contains(note) { notes.append(note) }
    }

    /// Reads the trailer section up to its final empty line.
    mutating func readTrailers(_ input: inout ByteQueue) throws(HTTP1Failure) -> HTTP1Element? {
        if isSloppy { return try readSloppyTrailers(&input) }
        do throws(HTTP1Failure) {
            return try readStrictTrailers(&input)
        } catch {
            guard SloppySection.mayCorrect(error) else { throw error }
            isSloppy = true
            scanner.reset()
            return try readSloppyTrailers(&input)
        }
    }

    private mutating func readStrictTrailers(
        _ input: inout ByteQueue
    ) throws(HTTP1Failure) -> HTTP1Element? {
        guard case .complete = try scanner.scan(input.bytes, trailerSection) else { return nil }
        let bytes = input.prefix(scanner.position)
        return try finishTrailers(bytes, bytes, &input)
    }

    private mutating func readSloppyTrailers(
        _ input: inout ByteQueue
    ) throws(HTTP1Failure) -> HTTP1Element? {
        guard try scanner.scanLines(input.bytes, trailerSection) else { return nil }
        let raw = input.prefix(scanner.position)
        let section = SloppySection(raw, isTrailers: true)
        scanner.reset()
        _ = try scanner.scan(section.bytes.span, trailerSection.unbounded)
        for broken in section.notes { note(broken) }
        return try finishTrailers(raw, section.bytes, &input)
    }

    private var trailerSection: HeadScanner.Section {
        HeadScanner.Section(
            kind: messageKind,
            isTrailers: true,
            byteLimit: limits.trailerBytes,
            lineLimit: limits.fieldCount + 2
        )
    }

    /// Reads complete trailers: `raw` was received, and `bytes` is read.
    private mutating func finishTrailers(
        _ raw: [UInt8],
        _ bytes: [UInt8],
        _ input: inout ByteQueue
    ) throws(HTTP1Failure) -> HTTP1Element {
        var fields = try scanner.takeFields(of: bytes, in: messageKind)
        if messageKind == .response {
            if TrailerRules.removeForbidden(from: &fields) { note(.answerTrailers) }
        } else {
            try TrailerRules.check(fields, in: messageKind, .peer)
        }
        input.consume(raw.count)
        isSloppy = false
        phase = .ending
        let isLong = raw.dropLast().last == Grammar.carriageReturn
        return .trailers(Array(raw.dropLast(isLong ? 2 : 1)), fields)
    }

    /// A piece of chunk framing.
    private struct Piece {
        /// The end of the piece in the input.
        var end: Int
        /// The bytes that say the same and are sent on; `nil` for the piece as it came.
        var text: [UInt8]?
    }

    /// Reads one piece of framing at `start`, and enters the next phase.
    ///
    /// - Returns: The piece; `nil` if it is incomplete, or if the next bytes are not framing.
    private mutating func framingPiece(
        _ input: ByteQueue,
        from start: Int
    ) throws(HTTP1Failure) -> Piece? {
        switch phase {
        case .chunkEnd:
            guard let piece = try lineEnd(input, at: start, after: "the data of a chunk") else { return nil }
            phase = .chunkSize
            return piece
        case .chunkSize:
            return try readSizeLine(input, from: start)
        case .lastChunk:
            guard start < input.count else { return nil }
            guard input[start] == Grammar.carriageReturn || mayEndLine(input[start]) else {
                phase = .trailers
                return nil
            }
            guard let piece = try lineEnd(input, at: start, after: "the last chunk") else { return nil }
            phase = .ending
            return piece
        case .head, .body, .untilClose, .chunkData, .trailers, .ending, .failed:
            return nil
        }
    }

    /// Whether a byte is an LF that ends a line without CR, as clients read it in answers.
    private func mayEndLine(_ byte: UInt8) -> Bool { byte == Grammar.lineFeed && messageKind == .response }

    private mutating func lineEnd(
        _ input: ByteQueue,
        at start: Int,
        after what: String
    ) throws(HTTP1Failure) -> Piece? {
        guard start < input.count else { return nil }
        if mayEndLine(input[start]) {
            note(.answerChunks)
            return Piece(end: start + 1, text: [Grammar.carriageReturn, Grammar.lineFeed])
        }
        for (offset, expected) in [Grammar.carriageReturn, Grammar.lineFeed].enumerated() {
            guard start + offset < input.count else { return nil }
            let byte = input[start + offset]
            guard byte == expected else {
                throw failure(
                    .badChunk,
                    "expected CRLF after \(what), but \(HTTP1Failure.excerpt([byte])) came"
                )
            }
        }
        return Piece(end: start + 2)
    }

    private mutating func readSizeLine(_ input: ByteQueue, from start: Int) throws(HTTP1Failure) -> Piece? {
        let end = min(input.count, start + limits.chunkLineBytes)
        var index = start + chunkLineScanned
        while index < end {
            let byte = input[index]
            if byte == Grammar.carriageReturn {
                guard index + 1 < end else { break }
                guard input[index + 1] == Grammar.lineFeed else {
                    throw failure(.bareCarriageReturn, "a CR without LF came in a chunk-size line")
                }
                return try finishSizeLine(input.slice(index).suffix(index - start), end: index + 2)
            }
            if mayEndLine(byte), index > start {
                let line = input.slice(index).suffix(index - start)
                // Some recipients end an extension at LF, others at CRLF.
                guard !line.contains(0x3b) else { throw bareLineFeed }
                note(.answerChunks)
                return try finishSizeLine(line, end: index + 1, isSloppy: true)
            }
            try checkSizeByte(byte, isFirst: index == start)
            index += 1
        }
        guard end < start + limits.chunkLineBytes else {
            throw failure(
                .chunkLineTooLong,
                "a chunk-size line is longer than \(limits.chunkLineBytes) bytes"
            )
        }
        chunkLineScanned = index - start
        return nil
    }

    private var bareLineFeed: HTTP1Failure {
        failure(.bareLineFeed, "an LF without CR came in a chunk-size line")
    }

    private func checkSizeByte(_ byte: UInt8, isFirst: Bool) throws(HTTP1Failure) {
        guard byte != Grammar.lineFeed else { throw bareLineFeed }
        guard !Grammar.isControl(byte), !isFirst || ChunkLine.digit(byte) != nil else {
            throw failure(
                .badChunk,
                "expected a chunk size in hexadecimal digits, but \(HTTP1Failure.excerpt([byte])) came"
            )
        }
    }

    private mutating func finishSizeLine(
        _ line: ArraySlice<UInt8>,
        end: Int,
        isSloppy: Bool = false
    ) throws(HTTP1Failure) -> Piece {
        chunkLineScanned = 0
        guard let read = ChunkLine.size(line, in: messageKind) else {
            throw failure(
                .badChunk,
                "expected 1 to 16 hexadecimal digits [;extension], but \(HTTP1Failure.excerpt(line)) came"
            )
        }
        if read.isSloppy { note(.answerChunks) }
        phase = read.size == 0 ? .lastChunk : .chunkData(read.size)
        guard isSloppy || !read.isPlain else { return Piece(end: end) }
        return Piece(end: end, text: Array("\(String(read.size, radix: 16))\r\n".utf8))
    }

    private func failure(_ code: HTTP1Failure.Code, _ reason: String) -> HTTP1Failure {
        HTTP1Failure(.peer, code, in: messageKind, "The chunked body is refused: \(reason).")
    }
}
