import PinholeModel

/// Makes fields from the lines that a ``HeadScanner`` found (RFC 9112 §5).
struct FieldParser: Sendable {
    let kind: HTTP1Failure.Kind

    /// Parses the lines in `bytes`.
    ///
    /// The fields share the memory of `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: The whole section, which was scanned before.
    ///   - ends: The ends of its lines, including the start line and the empty line.
    ///   - firstLine: The number of lines to skip: 1 for a head, 0 for trailers.
    /// - Returns: The fields, in their order.
    /// - Throws: ``HTTP1Failure`` for a line that is no field.
    func fields(
        _ bytes: [UInt8],
        lineEnds ends: ArraySlice<Int32>,
        skipping firstLine: Int
    ) throws(HTTP1Failure)
        -> HeaderFields
    {
        var fields = HeaderFields(sharing: bytes, lineCapacity: max(ends.count - firstLine - 1, 0))
        var start = firstLine == 0 ? 0 : Int(ends[firstLine - 1])
        var index = firstLine
        while index < ends.count - 1 {
            let end = Int(ends[index])
            try addLine(bytes.span, start, end, to: &fields)
            start = end
            index += 1
        }
        return fields
    }

    @inline(__always)
    private func addLine(
        _ bytes: Span<UInt8>,
        _ start: Int,
        _ end: Int,
        to fields: inout HeaderFields
    ) throws(HTTP1Failure) {
        let nameEnd = Grammar.tokenEnd(in: bytes, from: start)
        guard bytes[nameEnd] == Grammar.colon, nameEnd > start else {
            throw badName(bytes, start, end, at: nameEnd)
        }
        var first = nameEnd + 1
        var last = end - 2
        while first < last, Grammar.isBlank(bytes[first]) { first += 1 }
        while last > first, Grammar.isBlank(bytes[last - 1]) { last -= 1 }
        fields.addLine(start..<end, nameEnd: nameEnd, value: first..<last, isChecked: true)
    }

    private func badName(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, at index: Int) -> HTTP1Failure {
        var line: [UInt8] = []
        for position in start..<min(end - 2, start + 61) { line.append(bytes[position]) }
        var next = index
        while Grammar.isBlank(bytes[next]) { next += 1 }
        let (code, expected): (HTTP1Failure.Code, String) =
            if Grammar.isBlank(bytes[start]) {
                (.obsFold, "no white space at its start (obsolete folding)")
            } else if index > start, next > index, bytes[next] == Grammar.colon {
                (.whitespaceBeforeColon, "no white space before the colon")
            } else {
                (.badFieldName, "a name of token characters, then a colon")
            }
        return HTTP1Failure(
            .peer,
            code,
            in: kind,
            "The header line \(HTTP1Failure.excerpt(line)) is refused: expected \(expected)."
        )
    }
}
