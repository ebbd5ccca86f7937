import PinholeModel

/// The chunked coding (RFC 9112 §7.1).
extension HTTP1Reader {
    /// Reads as much chunk framing as there is at the front of the input.
    ///
    /// Correct framing is returned before a failure behind it is thrown, so that the elements do not depend
    /// on how the bytes were cut into pieces.
    mutating func readChunkFraming(_ input: inout ByteQueue) throws(HTTP1Failure) -> HTTP1Element? {
        var end = 0
        do throws(HTTP1Failure) {
            while let next = try framingEnd(input, from: end) { end = next }
        } catch {
            guard end > 0 else { throw error }
            phase = .failed(error)
        }
        if end == 0, case .trailers = phase { return try readTrailers(&input) }
        return end == 0 ? nil : .framing(end)
    }

    /// Reads the trailer section up to its final empty line.
    mutating func readTrailers(_ input: inout ByteQueue) throws(HTTP1Failure) -> HTTP1Element? {
        let section = HeadScanner.Section(
            kind: messageKind,
            isTrailers: true,
            byteLimit: limits.trailerBytes,
            lineLimit: limits.fieldCount + 2
        )
        guard case .complete = try scanner.scan(input.bytes, section) else { return nil }
        let bytes = input.prefix(scanner.position)
        let fields = try FieldParser(kind: messageKind).fields(bytes, lineEnds: scanner.lineEnds, skipping: 0)
        try TrailerRules.check(fields, in: messageKind, .peer)
        input.consume(bytes.count)
        scanner.reset()
        scanner.releaseMemory()
        phase = .ending
        return .trailers(Array(bytes.dropLast(2)), fields)
    }

    /// Reads one piece of framing at `start`, and enters the next phase.
    ///
    /// - Returns: The end of the piece; `nil` if it is incomplete, or if the next bytes are not framing.
    private mutating func framingEnd(_ input: ByteQueue, from start: Int) throws(HTTP1Failure) -> Int? {
        switch phase {
        case .chunkEnd:
            guard try hasLineEnd(input, at: start, after: "the data of a chunk") else { return nil }
            phase = .chunkSize
            return start + 2
        case .chunkSize:
            return try readSizeLine(input, from: start)
        case .lastChunk:
            guard start < input.count else { return nil }
            guard input[start] == Grammar.carriageReturn else {
                phase = .trailers
                return nil
            }
            guard try hasLineEnd(input, at: start, after: "the last chunk") else { return nil }
            phase = .ending
            return start + 2
        case .head, .body, .untilClose, .chunkData, .trailers, .ending, .failed:
            return nil
        }
    }

    private func hasLineEnd(
        _ input: ByteQueue,
        at start: Int,
        after what: String
    ) throws(HTTP1Failure) -> Bool {
        for (offset, expected) in [Grammar.carriageReturn, Grammar.lineFeed].enumerated() {
            guard start + offset < input.count else { return false }
            let byte = input[start + offset]
            guard byte == expected else {
                throw failure(
                    .badChunk,
                    "expected CRLF after \(what), but \(HTTP1Failure.excerpt([byte])) came"
                )
            }
        }
        return true
    }

    private mutating func readSizeLine(_ input: ByteQueue, from start: Int) throws(HTTP1Failure) -> Int? {
        let end = min(input.count, start + limits.chunkLineBytes)
        var index = start + chunkLineScanned
        while index < end {
            let byte = input[index]
            if byte == Grammar.carriageReturn {
                guard index + 1 < end else { break }
                guard input[index + 1] == Grammar.lineFeed else {
                    throw failure(.bareCarriageReturn, "a CR without LF came in a chunk-size line")
                }
                try finishSizeLine(input.slice(index)[(input.slice().startIndex + start)...])
                return index + 2
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

    private func checkSizeByte(_ byte: UInt8, isFirst: Bool) throws(HTTP1Failure) {
        if byte == Grammar.lineFeed {
            throw failure(.bareLineFeed, "an LF without CR came in a chunk-size line")
        }
        guard !Grammar.isControl(byte), !isFirst || ChunkLine.digit(byte) != nil else {
            throw failure(
                .badChunk,
                "expected a chunk size in hexadecimal digits, but \(HTTP1Failure.excerpt([byte])) came"
            )
        }
    }

    private mutating func finishSizeLine(_ line: ArraySlice<UInt8>) throws(HTTP1Failure) {
        chunkLineScanned = 0
        guard let size = ChunkLine.size(line) else {
            throw failure(
                .badChunk,
                "expected 1 to 16 hexadecimal digits [;extension], but \(HTTP1Failure.excerpt(line)) came"
            )
        }
        phase = size == 0 ? .lastChunk : .chunkData(size)
    }

    private func failure(_ code: HTTP1Failure.Code, _ reason: String) -> HTTP1Failure {
        HTTP1Failure(.peer, code, in: messageKind, "The chunked body is refused: \(reason).")
    }
}
