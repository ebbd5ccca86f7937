package import PinholeModel

/// Reads the messages of one peer: heads, trailers, and where bodies begin and end.
///
/// The reader never touches body bytes. It reports how many of the first bytes of the input are body, and the
/// caller passes them on. The elements depend only on the bytes and not on how they were cut into pieces,
/// except that neighbouring `body` and `framing` elements may be split differently.
///
/// ```
///          ┌──────────── 1xx ───────────┐
///          ▼                            │
///        head ──► body ──────────┐      │
///          │  ──► untilClose ────┤      │    next: readHead, pass, readChunkFraming, readTrailers
///          │  ──► chunkSize ◄─┐  │      │    endOfInput: the only way out of untilClose
///          │        │ chunkData  │      │
///          │        │   └► chunkEnd     │
///          │        └► lastChunk ┤      │
///          │              └► trailers   │
///          └───────────► ending ◄┘──────┘
/// ```
///
/// A failure is final: every later call throws it again.
package struct HTTP1Reader: ~Copyable, Sendable {
    /// The kind of messages that a peer sends.
    package enum Kind: Sendable {
        /// Requests of a client.
        case requests
        /// Responses of a server.
        case responses
    }

    enum Phase: Sendable {
        case head
        case body(Int64)
        case untilClose
        case chunkSize
        case chunkData(Int64)
        case chunkEnd
        case lastChunk
        case trailers
        case ending
        // The failure is stored apart, so that a phase has 9 bytes.
        indirect case failed(HTTP1Failure)
    }

    private enum StartLine: Sendable {
        case request(RequestLine)
        case status(StatusLine)
    }

    /// The limits that a reader needs.
    ///
    /// A copy of all limits would be most of its size.
    struct LineLimits: Sendable {
        let headBytes: Int
        let fieldCount: Int
        let trailerBytes: Int
        let chunkLineBytes: Int
    }

    let limits: LineLimits
    let messageKind: HTTP1Failure.Kind
    var phase = Phase.head
    var scanner = HeadScanner()
    var chunkLineScanned = 0
    private var startLine: StartLine?
    /// The target of the request line if it is no path.
    private var target: RequestTarget?
    private var hasSkippedEmptyLine = false
    /// Whether the current head or trailer section is read as ``SloppySection`` reads it.
    var isSloppy = false
    /// The rules that the current answer broke behind its head: in its chunks and trailers.
    package internal(set) var notes: [ExchangeNote] = []
    private var expectation = ResponseExpectation.nothing
    /// The last target in absolute-form.
    private var lastTarget: LastTarget?
    /// The Host of the last request.
    ///
    /// The value is nearly always the same on a connection, and parsing costs more than the rest of the head.
    private var lastHost: HostField?
    /// The value of the field of ``lastHost``.
    private var lastHostValue: [UInt8] = []

    /// The largest number of body bytes that one element reports.
    package var pieceLimit = Int.max

    /// Creates a reader at the start of the first message.
    package init(reading kind: Kind, limits: Limits) {
        messageKind = kind == .requests ? .request : .response
        self.limits = LineLimits(
            headBytes: limits.headBytes,
            fieldCount: limits.fieldCount,
            trailerBytes: limits.trailerBytes,
            chunkLineBytes: limits.chunkLineBytes
        )
    }

    /// Announces the method that the next response answers.
    ///
    /// Without this call, a response is refused as unexpected. The announcement holds until the final
    /// response's head. Only one response can be announced at a time.
    package mutating func expectResponse(toMethod method: String) {
        expectation =
            switch method {
            case "HEAD": .head
            case "CONNECT": .connect
            default: .other
            }
    }

    /// Reads the next element.
    ///
    /// - Parameter input: The bytes of the peer that are not consumed yet.
    /// - Returns: The next element; `nil` if more bytes are needed.
    /// - Throws: ``HTTP1Failure`` when the bytes are no message.
    package mutating func next(_ input: inout ByteQueue) throws(HTTP1Failure) -> HTTP1Element? {
        do throws(HTTP1Failure) {
            return try step(&input)
        } catch {
            phase = .failed(error)
            throw error
        }
    }

    /// Reads the next element after the peer closed its side.
    ///
    /// Call this until it returns `nil`.
    ///
    /// - Parameter input: The bytes of the peer that are not consumed yet.
    /// - Returns: The next element; `nil` between two messages.
    /// - Throws: ``HTTP1Failure``; `truncated` when the end came inside a message.
    package mutating func endOfInput(_ input: inout ByteQueue) throws(HTTP1Failure) -> HTTP1Element? {
        if let element = try next(&input) { return element }
        switch phase {
        case .untilClose:
            phase = .head
            return .end
        case .head where input.isEmpty: return nil
        case .head: throw truncated("its headers")
        case .trailers: throw truncated("its trailers")
        case .body(let remaining): throw truncated("its body, with \(remaining) bytes to come")
        case .chunkData, .chunkEnd, .chunkSize, .lastChunk: throw truncated("its chunked body")
        case .ending, .failed: return nil
        }
    }

    /// Whether nothing was read since the end of the last message.
    package var isBetweenMessages: Bool {
        guard case .head = phase else { return false }
        return scanner.position == 0
    }

    /// Whether a part of a head was read but not its end, as of the last call.
    package var isReadingHead: Bool {
        guard case .head = phase else { return false }
        return scanner.position > 0
    }

    /// Whether the next bytes are not content but a head, a chunk-size line, the CRLF after a chunk, or trailers.
    package var isReadingLines: Bool {
        switch phase {
        case .head, .chunkSize, .chunkEnd, .lastChunk, .trailers: true
        case .body, .untilClose, .chunkData, .ending, .failed: false
        }
    }

    private mutating func step(_ input: inout ByteQueue) throws(HTTP1Failure) -> HTTP1Element? {
        switch phase {
        case .head: return try readHead(&input)
        case .body(let remaining): return pass(&input, remaining) { $0 == 0 ? .ending : .body($0) }
        case .chunkData(let remaining):
            return pass(&input, remaining) { $0 == 0 ? .chunkEnd : .chunkData($0) }
        case .untilClose: return input.isEmpty ? nil : .body(min(input.count, pieceLimit))
        case .chunkSize, .chunkEnd, .lastChunk: return try readChunkFraming(&input)
        case .trailers: return try readTrailers(&input)
        case .ending:
            phase = .head
            return .end
        case .failed(let failure): throw failure
        }
    }

    private mutating func pass(
        _ input: inout ByteQueue,
        _ remaining: Int64,
        _ following: (Int64) -> Phase
    ) -> HTTP1Element? {
        guard !input.isEmpty else { return nil }
        let count = Int(min(remaining, Int64(min(input.count, pieceLimit))))
        phase = following(remaining - Int64(count))
        return .body(count)
    }

    private func truncated(_ place: String) -> HTTP1Failure {
        HTTP1Failure(
            .peer,
            .truncated,
            in: messageKind,
            "The peer closed in \(place): expected the whole \(messageKind == .request ? "request" : "response")."
        )
    }
}

extension HTTP1Reader {
    private var headSection: HeadScanner.Section {
        // The start line and the empty line add two to the number of fields.
        HeadScanner.Section(
            kind: messageKind,
            isTrailers: false,
            byteLimit: limits.headBytes,
            lineLimit: limits.fieldCount + 2
        )
    }

    private mutating func readHead(_ input: inout ByteQueue) throws(HTTP1Failure) -> HTTP1Element? {
        if isSloppy { return try readSloppyHead(&input) }
        do throws(HTTP1Failure) {
            return try readStrictHead(&input)
        } catch {
            guard mayCorrect(error, input) else { throw error }
            isSloppy = true
            startLine = nil
            scanner.reset()
            return try readSloppyHead(&input)
        }
    }

    private mutating func readStrictHead(
        _ input: inout ByteQueue
    ) throws(HTTP1Failure) -> HTTP1Element? {
        while !input.isEmpty {
            if scanner.position == 0 { try checkFirstByte(input[0]) }
            switch try scanner.scan(input.bytes, headSection) {
            case .needsMore: return nil
            case .startLine: try readStartLine(input)
            case .complete where scanner.lineCount == 1: try skipEmptyLine(&input)
            case .complete: return try finishHead(&input)
            }
        }
        return nil
    }

    /// Whether the head of an answer that the strict reader has refused is read again.
    private func mayCorrect(_ failure: HTTP1Failure, _ input: ByteQueue) -> Bool {
        guard SloppySection.mayCorrect(failure), expectation != .nothing, mayBeginAnswer(input) else {
            return false
        }
        guard failure.code == .badStatusLine, scanner.lineCount == 1 else { return true }
        return SloppySection.isStatusLine(input.slice(scanner.position - 2))
    }

    /// Whether the first bytes are the beginning of `HTTP/` in any case.
    private func mayBeginAnswer(_ input: ByteQueue) -> Bool {
        let start = input.slice(min(input.count, 5))
        return Grammar.matches(start, String("http/".prefix(start.count)))
    }

    private mutating func readSloppyHead(_ input: inout ByteQueue) throws(HTTP1Failure) -> HTTP1Element? {
        guard mayBeginAnswer(input) else { throw notHTTP(.badStatusLine, "“HTTP/1.1 …”", input[0]) }
        guard try scanner.scanLines(input.bytes, headSection) else { return nil }
        let raw = input.prefix(scanner.position)
        let section = SloppySection(raw, isTrailers: false)
        scanner.reset()
        _ = try scanner.scan(section.bytes.span, headSection.unbounded)
        startLine = .status(try StatusLine(section.bytes.span, to: scanner.position - 2))
        _ = try scanner.scan(section.bytes.span, headSection.unbounded)
        let element = try head(raw, section.bytes, section.notes)
        input.consume(raw.count)
        endHead()
        return element
    }

    /// Refuses bytes that cannot begin a head.
    ///
    /// A peer that speaks another protocol may never send a line end to wait for.
    private func checkFirstByte(_ byte: UInt8) throws(HTTP1Failure) {
        if Grammar.isControl(byte) { return }
        switch messageKind {
        case .request:
            guard Grammar.isToken(byte) else { throw notHTTP(.badRequestLine, "a request", byte) }
        case .response:
            guard expectation != .nothing else { throw notHTTP(.unexpectedResponse, "no response", byte) }
            guard byte == 0x48 else { throw notHTTP(.badStatusLine, "“HTTP/1.1 …”", byte) }
        }
    }

    private func notHTTP(_ code: HTTP1Failure.Code, _ expected: String, _ byte: UInt8) -> HTTP1Failure {
        HTTP1Failure(
            .peer,
            code,
            in: messageKind,
            "Expected \(expected), but bytes came that begin with \(HTTP1Failure.excerpt([byte]))."
        )
    }

    /// RFC 9112 §2.2: a server ignores an empty line before a request.
    ///
    /// Only one is accepted.
    private mutating func skipEmptyLine(_ input: inout ByteQueue) throws(HTTP1Failure) {
        guard messageKind == .request, !hasSkippedEmptyLine else {
            throw notHTTP(
                messageKind == .request ? .badRequestLine : .badStatusLine,
                "a start line",
                Grammar.carriageReturn
            )
        }
        hasSkippedEmptyLine = true
        input.consume(2)
        scanner.reset()
    }

    private mutating func readStartLine(_ input: ByteQueue) throws(HTTP1Failure) {
        let length = scanner.position - 2
        switch messageKind {
        case .request:
            let line = try RequestLine(input.bytes, to: length)
            if !line.isPath { try readTarget(of: line, input.slice(length)) }
            startLine = .request(line)
        case .response: startLine = .status(try StatusLine(input.bytes, to: length))
        }
    }

    /// Reads a target that is no path.
    private mutating func readTarget(of line: RequestLine, _ bytes: ArraySlice<UInt8>) throws(HTTP1Failure) {
        let text = line.targetBytes(in: bytes)
        if line.isWhole, let known = lastTarget?.target(for: text) {
            target = known
        } else {
            let read = try RequestTarget(line.rawTarget(in: bytes), method: line.method(in: bytes))
            lastTarget = LastTarget(read, in: text)
            target = read
        }
    }

    private mutating func finishHead(_ input: inout ByteQueue) throws(HTTP1Failure) -> HTTP1Element? {
        let raw = input.prefix(scanner.position)
        let element = try head(raw, raw, [])
        input.consume(raw.count)
        endHead()
        return element
    }

    /// Reads a complete head.
    ///
    /// - Parameters:
    ///   - raw: The received bytes.
    ///   - bytes: The bytes to read, which ``scanner`` has scanned.
    ///   - notes: The rules that the received bytes broke.
    /// - Returns: The head; `nil` if no start line was read.
    /// - Throws: ``HTTP1Failure`` if the bytes are no head.
    private mutating func head(
        _ raw: [UInt8],
        _ bytes: [UInt8],
        _ notes: [ExchangeNote]
    ) throws(HTTP1Failure) -> HTTP1Element? {
        let framingFields = FramingFields(scanner.framing, in: messageKind, .peer)
        let fields = try scanner.takeFields(of: bytes, in: messageKind)
        return switch startLine {
        case .request(let line): try request(line, raw, fields, framingFields)
        case .status(let line): try response(line, raw, fields, framingFields, notes)
        case nil: nil
        }
    }

    private mutating func endHead() {
        startLine = nil
        if target != nil { target = nil }
        hasSkippedEmptyLine = false
        isSloppy = false
        if !notes.isEmpty { notes = [] }
    }

    private mutating func request(
        _ line: RequestLine,
        _ raw: [UInt8],
        _ fields: HeaderFields,
        _ framingFields: FramingFields
    ) throws(HTTP1Failure) -> HTTP1Element {
        let host = try host(of: line, fields, framingFields)
        let framing = try framingFields.requestFraming(of: fields, line.version, isConnect: line.isConnect)
        enterBody(framing)
        return .request(
            RequestHead(
                line: line,
                target: target,
                raw: raw,
                fields: framing == .chunked ? framingFields.withPlainTransferEncoding(fields) : fields,
                framing: framing,
                host: host,
                isVerbatim: line.isExact && framingFields.isPlain(in: fields)
            )
        )
    }

    private mutating func host(
        of line: RequestLine,
        _ fields: HeaderFields,
        _ framingFields: FramingFields
    ) throws(HTTP1Failure) -> HostField? {
        guard framingFields.hosts == 1 else {
            try HostFieldRules.checkCount(framingFields.hosts, line)
            return nil
        }
        let place = fields.valueRange(at: framingFields.host)
        if let lastHost, lastHostValue.span.isEqual(to: fields.storage.extracting(place)) { return lastHost }
        let value = fields.slice(place)
        let field = try HostFieldRules.parse(value)
        lastHost = field
        lastHostValue = Array(value)
        return field
    }

    private mutating func response(
        _ line: StatusLine,
        _ raw: [UInt8],
        _ fields: HeaderFields,
        _ framingFields: FramingFields,
        _ notes: [ExchangeNote]
    ) throws(HTTP1Failure) -> HTTP1Element {
        let head: ResponseHead
        do throws(HTTP1Failure) {
            let framing = try framingFields.responseFraming(
                of: fields,
                line.version,
                status: line.status,
                to: expectation
            )
            var notes = notes
            // RFC 9112 §4: a space follows the status, also if no reason does.
            if notes.isEmpty, raw.count > 12, raw[12] == Grammar.carriageReturn {
                notes = [.answerStatusLine]
            }
            if case .length = framing, !framingFields.hasPlainContentLength(in: fields) {
                notes.append(.answerContentLength)
            }
            let isWritten = framingFields.hasTransferEncoding && expectation != .connect
            head = ResponseHead(
                line: line,
                raw: raw,
                fields: isWritten ? framingFields.withPlainTransferEncoding(fields) : fields,
                framing: framing,
                notes: notes,
                // The fields of an answer to CONNECT were not checked, because they are ignored.
                isVerbatim: line.isExact && notes.isEmpty && expectation != .connect
                    && framingFields.isPlain(in: fields)
            )
        } catch {
            guard
                let read = CorrectedFraming(fields, line.version, status: line.status, to: expectation)
            else { throw CorrectedFraming.failure(after: error) }
            var line = line
            line.version = read.version
            head = ResponseHead(
                line: line,
                raw: raw,
                fields: read.fields,
                framing: read.framing,
                notes: notes + read.notes
            )
        }
        let framing = head.framing
        guard !head.isInformational else { return .response(head) }
        expectation = .nothing
        enterBody(framing)
        return .response(head)
    }

    private mutating func enterBody(_ framing: BodyFraming) {
        phase =
            switch framing {
            case .none, .length(0): .ending
            case .length(let length): .body(length)
            case .chunked: .chunkSize
            case .untilClose: .untilClose
            }
    }
}
