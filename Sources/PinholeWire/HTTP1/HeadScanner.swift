/// Looks for the end of a section of lines (a head or trailers) as its bytes arrive.
///
/// The scanner remembers its position, so a head that arrives byte by byte costs as much as one that arrives
/// at once. It checks bytes in their order, so the result does not depend on how they were cut into pieces.
/// Every line must end in CRLF and contain no control character. The scanner keeps the line ends for the parser.
struct HeadScanner: Sendable {
    /// The state of the section after a scan.
    enum Result: Sendable {
        case needsMore
        /// The first line is complete.
        case startLine
        case complete
    }

    /// The kind of section, which decides the limits and the wording of failures.
    struct Section: Sendable {
        var kind: HTTP1Failure.Kind
        var isTrailers: Bool
        var byteLimit: Int
        var lineLimit: Int

        /// The same section for bytes whose number was already checked.
        var unbounded: Section {
            var section = self
            section.byteLimit = .max
            return section
        }
    }

    /// The index of the next byte to scan.
    private(set) var position = 0
    /// The index after the CRLF of each complete line.
    var lineEnds: ArraySlice<Int32> { ends.prefix(lineCount) }
    /// The number of complete lines.
    private(set) var lineCount = 0
    /// The memory for the ends of lines, of which the first ``lineCount`` are used.
    private var ends: [Int32] = []
    private var lineStart = 0

    /// Prepares the scanner for the next head.
    ///
    /// The memory is kept.
    mutating func reset() {
        position = 0
        lineStart = 0
        lineCount = 0
    }

    /// Frees the memory that a long head took, so that an idle connection stays small.
    mutating func releaseMemory() {
        guard ends.count > 128 else { return }
        ends = []
    }

    /// Continues the scan at ``position``.
    mutating func scan(_ bytes: Span<UInt8>, _ section: Section) throws(HTTP1Failure) -> Result {
        let end = min(bytes.count, section.byteLimit)
        var index = position
        while true {
            index = Grammar.firstControl(in: bytes, from: index, to: end)
            guard index < end else { break }
            let byte = bytes[index]
            if byte == Grammar.carriageReturn {
                // The LF must be within the limit too; otherwise the result would depend on how the bytes were cut.
                guard index + 1 < end else { break }
                guard bytes[index + 1] == Grammar.lineFeed else { throw failure(section, byte, at: index) }
                index += 2
                let isEmpty = index - lineStart == 2
                try finishLine(at: index, section)
                if isEmpty { return .complete }
                if lineCount == 1, !section.isTrailers { return .startLine }
            } else if byte == Grammar.tab {
                index += 1
            } else {
                throw failure(section, byte, at: index)
            }
        }
        position = index
        guard bytes.count < section.byteLimit else { throw tooLong(section) }
        return .needsMore
    }

    /// Continues the scan for a section of an answer whose lines may end with LF alone and contain any byte.
    ///
    /// - Returns: Whether the section is complete; ``position`` is its end then.
    mutating func scanLines(_ bytes: Span<UInt8>, _ section: Section) throws(HTTP1Failure) -> Bool {
        let end = min(bytes.count, section.byteLimit)
        while position < end {
            let byte = bytes[position]
            position += 1
            guard byte == Grammar.lineFeed else { continue }
            let length = position - lineStart
            if length == 1 || length == 2 && bytes[lineStart] == Grammar.carriageReturn { return true }
            lineStart = position
        }
        guard bytes.count < section.byteLimit else { throw tooLong(section) }
        return false
    }

    private mutating func finishLine(at end: Int, _ section: Section) throws(HTTP1Failure) {
        position = end
        lineStart = end
        if lineCount < ends.count { ends[lineCount] = Int32(end) } else { ends.append(Int32(end)) }
        lineCount += 1
        guard lineCount <= section.lineLimit else {
            throw HTTP1Failure(
                .peer,
                .tooManyFields,
                in: section.kind,
                "More than \(section.lineLimit - 2) headers came; raise the limit if that is meant."
            )
        }
    }

    private func tooLong(_ section: Section) -> HTTP1Failure {
        let isFirstLine = lineCount == 0 && section.kind == .request && !section.isTrailers
        return HTTP1Failure(
            .peer,
            section.isTrailers ? .trailersTooLong : isFirstLine ? .targetTooLong : .headTooLong,
            in: section.kind,
            """
            The \(section.isTrailers ? "trailer section" : isFirstLine ? "request line" : "head") is longer \
            than \(section.byteLimit) bytes; raise the limit if that is meant.
            """
        )
    }

    private func failure(_ section: Section, _ byte: UInt8, at index: Int) -> HTTP1Failure {
        let isFirstLine = lineCount == 0 && !section.isTrailers
        let (code, found): (HTTP1Failure.Code, String) =
            switch byte {
            case Grammar.carriageReturn: (.bareCarriageReturn, "a CR without LF")
            case Grammar.lineFeed: (.bareLineFeed, "an LF without CR")
            case 0: (.nul, "a NUL byte")
            default:
                (
                    !isFirstLine
                        ? .badFieldValue : section.kind == .request ? .badRequestLine : .badStatusLine,
                    "the control character 0x\(String(byte, radix: 16))"
                )
            }
        let place = isFirstLine ? "start line" : "line \(lineCount + 1)"
        return HTTP1Failure(
            .peer,
            code,
            in: section.kind,
            "Expected lines of text that end in CRLF, but \(found) came in the \(place), at byte \(index)."
        )
    }
}
