import PinholeModel

/// The second reading of a section of an answer (a head or trailers) that the strict reader has refused.
///
/// RFC 9112 lets a user agent read more than it lets a server write, and clients do. This type writes such a section
/// anew, in a form that has one reading only, for the strict reader. It leaves every line as it is that two clients
/// may read differently, so that the strict reader refuses the section.
///
/// | the server wrote | the section becomes |
/// |---|---|
/// | LF alone at the end of a line (RFC 9112 §2.2) | CRLF |
/// | a bare CR inside a line (§2.2) | a space |
/// | a version in lower case, or other blanks than one space in the status line (§4) | `HTTP/1.1 200 OK` |
/// | white space before a colon (§5.1) | none; refused in Transfer-Encoding |
/// | a folded line (§5.2) | one line; refused in a framing field |
/// | a control character (RFC 9110 §5.5) | a space; NUL is refused, and any in a framing field |
/// | a name that is no token (RFC 9110 §5.1) | no line; refused if it resembles a framing field |
struct SloppySection {
    /// The section in its new form: lines that end in CRLF, and the empty line.
    private(set) var bytes: [UInt8] = []
    /// The rules that the server broke.
    private(set) var notes: [ExchangeNote] = []
    /// The name of the last field; `nil` if there is none, or if the field was left out.
    private var lastName: ArraySlice<UInt8>?
    private var wasLeftOut = false

    /// Whether a failure of the strict reader may be one of form alone, so that the section is read again.
    static func mayCorrect(_ failure: HTTP1Failure) -> Bool {
        switch failure.code {
        case .bareCarriageReturn, .bareLineFeed, .obsFold, .whitespaceBeforeColon, .badFieldName,
            .badFieldValue,
            .badStatusLine:
            failure.kind == .response
        default: false
        }
    }

    /// Writes a section anew.
    ///
    /// - Parameters:
    ///   - section: The received bytes, up to and including the LF of the empty line.
    ///   - isTrailers: Whether the section has no start line.
    init(_ section: [UInt8], isTrailers: Bool) {
        bytes.reserveCapacity(section.count + 16)
        var rest = section[...]
        var isFirst = true
        while let end = rest.firstIndex(of: Grammar.lineFeed) {
            var line = rest[..<end]
            rest = rest[(end + 1)...]
            if line.last == Grammar.carriageReturn { line.removeLast() } else { note(.answerLineEnds) }
            if isFirst, !isTrailers {
                append(statusLine(line))
            } else if !line.isEmpty {
                add(line)
            }
            isFirst = false
        }
        append([])
    }

    /// Whether a line can be read as a status line.
    static func isStatusLine(_ line: ArraySlice<UInt8>) -> Bool {
        var section = SloppySection([], isTrailers: true)
        let written = section.statusLine(line)
        return (try? StatusLine(written.span, to: written.count)) != nil
    }

    private mutating func note(_ note: ExchangeNote) {
        if !notes.contains(note) { notes.append(note) }
    }

    private mutating func append(_ line: some Collection<UInt8>) {
        bytes += line
        bytes += [Grammar.carriageReturn, Grammar.lineFeed]
    }

    // MARK: The status line

    /// Returns the line with one space between its parts; unchanged if it has no parts.
    ///
    /// RFC 9112 §4 lets a recipient take any white space for the spaces, a bare CR included.
    private mutating func statusLine(_ line: ArraySlice<UInt8>) -> [UInt8] {
        let isBlank = { (byte: UInt8) in
            Grammar.isBlank(byte) || byte == 0x0b || byte == 0x0c || byte == Grammar.carriageReturn
        }
        let rest = line.dropFirst(8)
        guard let first = rest.first, isBlank(first) else { return Array(line) }
        let status = rest.drop(while: isBlank).prefix { !isBlank($0) }
        let reason = line[status.endIndex...].drop(while: isBlank)
        let version = line.prefix(8).map { (0x61...0x7a).contains($0) ? $0 - 0x20 : $0 }
        let start = version + [Grammar.space] + status
        if !line.starts(with: start) || reason.startIndex > status.endIndex + 1 { note(.answerStatusLine) }
        return start + [Grammar.space] + cleaned(reason)
    }

    // MARK: Field lines

    private mutating func add(_ line: ArraySlice<UInt8>) {
        guard !line.contains(0) else { return append(line) }
        if Grammar.isBlank(line[line.startIndex]) { return fold(line) }
        guard let colon = line.firstIndex(of: Grammar.colon) else { return append(line) }
        var name = line[..<colon]
        while let last = name.last, Grammar.isBlank(last) { name.removeLast() }
        let isSpaced = name.endIndex < colon
        guard Grammar.isToken(name) else { return leaveOut(line, name) }
        if isSpaced, Grammar.matches(name, "transfer-encoding") { return append(line) }
        var value = line[(colon + 1)...]
        // Some servers end lines with CR CR LF.
        while value.last == Grammar.carriageReturn {
            value.removeLast()
            note(.answerLineEnds)
        }
        if Self.isFraming(name), value.contains(where: Grammar.isControl) { return append(line) }
        if isSpaced { note(.answerFieldNames) }
        lastName = name
        wasLeftOut = false
        append(name + [Grammar.colon] + cleaned(value))
    }

    /// Leaves out a line whose name is no token, as browsers do.
    private mutating func leaveOut(_ line: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) {
        let letters = name.filter { (0x41...0x5a).contains($0 & 0xdf) }
        guard !["transferencoding", "contentlength"].contains(where: { Grammar.matches(letters[...], $0) })
        else { return append(line) }
        note(.answerFieldNames)
        lastName = nil
        wasLeftOut = true
    }

    /// Joins a line that begins with white space to the line before it.
    private mutating func fold(_ line: ArraySlice<UInt8>) {
        var text = line.drop(while: Grammar.isBlank)
        while let last = text.last, Grammar.isBlank(last) { text.removeLast() }
        if wasLeftOut { return note(.answerFolding) }
        // Before the first field, some recipients skip such a line and others take it for a field.
        guard let lastName, text.isEmpty || !Self.isFraming(lastName) else { return append(line) }
        // A line of white space and CR ends the head for some recipients.
        guard text.isEmpty || !text.allSatisfy({ $0 == Grammar.carriageReturn }) else { return append(line) }
        note(.answerFolding)
        bytes.removeLast(2)
        append([Grammar.space] + cleaned(text))
    }

    private mutating func cleaned(_ text: ArraySlice<UInt8>) -> [UInt8] {
        text.map { byte in
            guard Grammar.isControl(byte), byte != 0 else { return byte }
            note(byte == Grammar.carriageReturn ? .answerLineEnds : .answerControls)
            return Grammar.space
        }
    }

    private static func isFraming(_ name: ArraySlice<UInt8>) -> Bool {
        Grammar.matches(name, "transfer-encoding") || Grammar.matches(name, "content-length")
    }
}
