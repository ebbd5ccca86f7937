import PinholeModel

/// Finds the lines of a section (a head or trailers) as its bytes arrive (RFC 9112 §5).
///
/// The scanner remembers its position, so a head that arrives byte by byte costs as much as one that arrives
/// at once. It checks bytes in their order, so the result does not depend on how they were cut into pieces.
/// Every line must end in CRLF and contain no control character. A line that is no field is reported when the section
/// is complete.
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

    private var place = ScanPlace()
    private var lines = FieldLines()

    /// The index of the next byte to scan.
    var position: Int { place.position }
    /// The number of complete lines.
    var lineCount: Int { place.lineCount }
    /// The framing fields among the lines.
    var framing: FramingPlaces { place.framing }

    /// Prepares the scanner for the next section.
    mutating func reset() {
        place = ScanPlace()
        if !lines.isEmpty { lines = FieldLines() }
    }

    /// Returns the fields of a complete section, which consists of `bytes`, and prepares the scanner for the next one.
    ///
    /// - Throws: ``HTTP1Failure`` for a line that is no field.
    mutating func takeFields(
        of bytes: [UInt8],
        in kind: HTTP1Failure.Kind
    ) throws(HTTP1Failure) -> HeaderFields {
        guard place.badLine.isEmpty else { throw Self.failure(bytes[place.badLine], in: kind) }
        place = ScanPlace()
        var taken = FieldLines()
        swap(&taken, &lines)
        return HeaderFields(taken, of: bytes)
    }

    /// Continues the scan at ``position``.
    mutating func scan(_ bytes: Span<UInt8>, _ section: Section) throws(HTTP1Failure) -> Result {
        var place = place
        var end = ScanPlace.End.room
        if place.lineCount == 0, !section.isTrailers {
            end = place.findStartLine(in: bytes, section)
        } else {
            while end == .room { end = lines.add { place.findFields(in: bytes, section, &$0, &$1) } }
        }
        self.place = place
        switch end {
        case .startLine: return .startLine
        case .emptyLine: return .complete
        case .tooManyLines: throw Self.tooManyFields(section)
        case .bytes, .room: break
        }
        let limit = min(bytes.count, section.byteLimit)
        if position < limit, bytes[position] != Grammar.carriageReturn || position + 1 < limit {
            throw failure(section, bytes[position])
        }
        guard bytes.count < section.byteLimit else { throw tooLong(section) }
        return .needsMore
    }

    /// Continues the scan for a section of an answer whose lines may end with LF alone and contain any byte.
    ///
    /// - Returns: Whether the section is complete; ``position`` is its end then.
    mutating func scanLines(_ bytes: Span<UInt8>, _ section: Section) throws(HTTP1Failure) -> Bool {
        let end = min(bytes.count, section.byteLimit)
        while place.position < end {
            let byte = bytes[place.position]
            place.position += 1
            guard byte == Grammar.lineFeed else { continue }
            let length = place.position - place.lineStart
            if length == 1 || length == 2 && bytes[place.lineStart] == Grammar.carriageReturn { return true }
            place.lineStart = place.position
        }
        guard bytes.count < section.byteLimit else { throw tooLong(section) }
        return false
    }

    private static func failure(_ line: ArraySlice<UInt8>, in kind: HTTP1Failure.Kind) -> HTTP1Failure {
        let rest = line.drop(while: Grammar.isToken)
        let (code, expected): (HTTP1Failure.Code, String) =
            if line.first.map(Grammar.isBlank) ?? false {
                (.obsFold, "no white space at its start (obsolete folding)")
            } else if rest.startIndex > line.startIndex, rest.first.map(Grammar.isBlank) ?? false,
                rest.drop(while: Grammar.isBlank).first == Grammar.colon
            {
                (.whitespaceBeforeColon, "no white space before the colon")
            } else {
                (.badFieldName, "a name of token characters, then a colon")
            }
        return HTTP1Failure(
            .peer,
            code,
            in: kind,
            "The header line \(HTTP1Failure.excerpt(line.prefix(61))) is refused: expected \(expected)."
        )
    }

    private static func tooManyFields(_ section: Section) -> HTTP1Failure {
        HTTP1Failure(
            .peer,
            .tooManyFields,
            in: section.kind,
            "More than \(section.lineLimit - 2) headers came; raise the limit if that is meant."
        )
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

    private func failure(_ section: Section, _ byte: UInt8) -> HTTP1Failure {
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
            "Expected lines of text that end in CRLF, but \(found) came in the \(place), at byte \(position)."
        )
    }
}

/// A place in a section of lines.
private struct ScanPlace {
    /// The reason why a scan ends.
    enum End {
        /// The bytes end inside a line, or something else than a line comes.
        case bytes
        /// There is no room for another line.
        case room
        case startLine, emptyLine, tooManyLines
    }

    /// The index of the next byte to scan.
    var position = 0
    /// The number of complete lines.
    var lineCount = 0
    /// The start of the line that is not complete.
    var lineStart = 0
    /// The end of the token characters at the start of that line, as far as they have arrived.
    private var nameEnd = 0
    /// The first line that is no field, without its CRLF; empty if there is none.
    private(set) var badLine = 0..<0
    private(set) var framing = FramingPlaces()

    /// Scans the first line of a head.
    mutating func findStartLine(in bytes: Span<UInt8>, _ section: HeadScanner.Section) -> End {
        guard findLineEnd(in: bytes, to: min(bytes.count, section.byteLimit)) else { return .bytes }
        let length = position - lineStart
        lineCount = 1
        lineStart = position
        guard section.lineLimit >= 1 else { return .tooManyLines }
        return length == 2 ? .emptyLine : .startLine
    }

    /// Scans field lines.
    mutating func findFields(
        in bytes: Span<UInt8>,
        _ section: HeadScanner.Section,
        _ room: inout OutputSpan<FieldLines.Line>,
        _ names: inout UInt64
    ) -> End {
        let end = min(bytes.count, section.byteLimit)
        let firstField = section.isTrailers ? 0 : 1
        while !room.isFull {
            if position == lineStart, position < end, bytes[position] != Grammar.carriageReturn {
                nameEnd = Grammar.tokenEnd(in: bytes, from: position)
                position = nameEnd
            }
            guard findLineEnd(in: bytes, to: end) else { return .bytes }
            let start = lineStart
            let index = lineCount &- firstField
            lineStart = position
            lineCount &+= 1
            guard lineCount <= section.lineLimit else { return .tooManyLines }
            guard position &- start > 2 else { return .emptyLine }
            guard bytes[nameEnd] == Grammar.colon || isNameContinued(in: bytes), nameEnd > start else {
                if badLine.isEmpty { badLine = start..<position - 2 }
                continue
            }
            var first = nameEnd &+ 1
            var last = position &- 2
            // No line has a character below a space except tabs.
            while first < last, bytes[first] <= Grammar.space { first &+= 1 }
            while last > first, bytes[last &- 1] <= Grammar.space { last &-= 1 }
            let line = FieldLines.Line(
                start..<position,
                nameEnd: nameEnd,
                value: first..<last,
                of: bytes,
                names: &names,
                isChecked: true
            )
            if line.role != .other { framing.add(line.role, at: index) }
            room.append(line)
        }
        return .room
    }

    /// Continues to the end of a line; `false` if it has not arrived before `end`, or if something else comes.
    @inline(__always)
    private mutating func findLineEnd(in bytes: Span<UInt8>, to end: Int) -> Bool {
        repeat {
            position = Grammar.firstControl(in: bytes, from: position, to: end)
        } while position < end && skipTab(in: bytes)
        // The LF must be within the limit too; otherwise the result would depend on how the bytes were cut.
        guard position &+ 1 < end, bytes[position] == Grammar.carriageReturn,
            bytes[position &+ 1] == Grammar.lineFeed
        else { return false }
        position &+= 2
        return true
    }

    /// Whether a colon follows the whole name, of which a part had arrived before.
    @inline(never)
    private mutating func isNameContinued(in bytes: Span<UInt8>) -> Bool {
        nameEnd = Grammar.tokenEnd(in: bytes, from: nameEnd)
        return bytes[nameEnd] == Grammar.colon
    }

    @inline(__always)
    private mutating func skipTab(in bytes: Span<UInt8>) -> Bool {
        guard bytes[position] == Grammar.tab else { return false }
        position &+= 1
        return true
    }
}
