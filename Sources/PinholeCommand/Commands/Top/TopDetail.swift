import PinholeModel

/// The exchange or flow that is shown in full.
struct TopDetail: Equatable, Sendable {
    /// A part of what is shown.
    enum Page: String, CaseIterable, Sendable {
        case overview = "Overview"
        case request = "Request"
        case response = "Response"
        case tls = "TLS"
        case messages = "Messages"

        /// The message that the page shows; `nil` for another page.
        var side: TopSide? {
            switch self {
            case .request: .request
            case .response: .response
            case .overview, .tls, .messages: nil
            }
        }
    }

    /// The beginning of a body.
    private struct Body: Equatable, Sendable {
        let bytes: [UInt8]
        /// The number of bytes without content codings, as far as they are known.
        let total: Int64
        /// The reason why there are no more bytes; `nil` if there is none.
        let failure: String?
        /// The number of bytes that had come to the capture.
        let recorded: Int64
        /// The number of bytes that were asked for.
        let limit: Int
    }

    let id: Int64
    private(set) var page = Page.overview
    private(set) var document: JSONValue?
    /// Whether bodies are shown as hexadecimal digits.
    private(set) var showsBytes = false
    /// Whether it has changed since it was read.
    var isStale = false
    private var texts: [Page: PagedText] = [:]
    private var bodies: [TopSide: Body] = [:]
    private var limits: [TopSide: Int] = [:]
    private var messages: [JSONValue] = []
    /// The number of messages for which the console had no further one.
    private var messagesEnd: Int64?
    private var asked: Set<TopQuestion> = []
    private var size = (width: 0, height: 0)

    /// The bytes of a body that are read at first.
    private static let firstBytes = 256 << 10

    init(_ id: Int64) { self.id = id }

    /// Whether it is a connection without a request.
    var isFlow: Bool { document.map { $0["exchange"] == nil } ?? false }

    /// The pages that have something to show.
    var pages: [Page] {
        guard !isFlow else { return [.overview, .tls] }
        return Page.allCases.filter { $0 != .messages || messageCount > 0 }
    }

    /// The text of the page.
    var text: PagedText {
        get { texts[page] ?? PagedText() }
        set { texts[page] = newValue }
    }

    /// Shows another page.
    mutating func open(_ page: Page) {
        guard pages.contains(page) else { return }
        self.page = page
        layOut()
    }

    /// Shows the next page, or the one before.
    mutating func turn(_ distance: Int) {
        guard let index = pages.firstIndex(of: page) else { return }
        open(pages[(index + distance + pages.count) % pages.count])
    }

    /// Sets the size of the text.
    mutating func resize(width: Int, height: Int) {
        // A body is laid out again only where it must be, since events come many times a second.
        guard size != (width, height) else { return }
        size = (width, height)
        layOut()
    }

    /// Shows bodies as hexadecimal digits, or laid out again.
    mutating func toggleBytes() {
        showsBytes.toggle()
        layOut()
    }

    /// Asks for four times as much of the body.
    mutating func readMore() {
        guard let side = page.side, let body = bodies[side], Int64(body.bytes.count) < body.total else {
            return
        }
        limits[side] = min(TopQuestion.longestBody, limit(side) * 4)
    }

    /// Takes an answer to one of its questions.
    mutating func take(_ question: TopQuestion, _ answer: TopAnswer) {
        // A refused question stays among the asked ones, so only ``forgetQuestions()`` repeats it.
        guard answer.problem == nil else { return }
        asked.remove(question)
        switch question {
        case .detail:
            guard let found = answer.json else { return }
            document = found
            if !pages.contains(page) { page = .overview }
        case .body(_, let side, let limit):
            guard case .content(let bytes, let fields) = answer else { return }
            bodies[side] = Body(
                bytes: bytes,
                total: fields["pinhole-total"].flatMap { Int64($0) } ?? Int64(bytes.count),
                failure: fields["pinhole-failure"],
                recorded: recorded(side),
                limit: limit
            )
        case .messages(_, let after):
            guard let found = answer.json, after == lastMessage else { return }
            let new = found["messages"]?.elements ?? []
            messages += new
            messagesEnd = new.isEmpty ? messageCount : nil
        default: return
        }
        layOut()
    }

    /// Returns what must be read for the page, and counts it as asked for.
    mutating func takeQuestions() -> [TopQuestion] {
        var wanted: [TopQuestion] = []
        if document == nil || isStale, !asked.contains(.detail(id)) {
            isStale = false
            wanted.append(.detail(id))
        }
        if let side = page.side, recorded(side) > 0 {
            let body = bodies[side]
            if body?.limit != limit(side) || body?.recorded != recorded(side) {
                wanted.append(.body(id, side, limit: limit(side)))
            }
        }
        if page == .messages, text.isAtEnd, Int64(messages.count) < messageCount, messagesEnd != messageCount
        {
            wanted.append(.messages(id, after: lastMessage))
        }
        let new = wanted.filter { !asked.contains($0) }
        asked.formUnion(new)
        return new
    }

    /// Forgets what was asked for, since no answer comes any more.
    mutating func forgetQuestions() {
        asked = []
        isStale = true
    }

    private func limit(_ side: TopSide) -> Int { limits[side] ?? Self.firstBytes }

    private func recorded(_ side: TopSide) -> Int64 {
        document?[side.rawValue]?["recordedBytes"]?.integer ?? 0
    }

    private var messageCount: Int64 { document?["messageCount"]?.integer ?? 0 }

    private var lastMessage: Int64 { messages.last?["number"]?.integer ?? 0 }

    private mutating func layOut() {
        var text = text
        text.resize(width: size.width, height: size.height)
        text.replace(with: document.map(lines) ?? [StyledLine("reading …", .faint)])
        self.text = text
    }

    private func lines(_ document: JSONValue) -> [StyledLine] {
        switch page {
        case .overview: DetailText.overview(document)
        case .request: message(document, .request)
        case .response: message(document, .response)
        case .tls: DetailText.handshakes(document)
        case .messages: messages.flatMap(DetailText.message)
        }
    }

    private func message(_ document: JSONValue, _ side: TopSide) -> [StyledLine] {
        guard let message = document[side.rawValue] else {
            return [StyledLine("No \(side.rawValue) has come.", .faint)]
        }
        var lines = DetailText.head(message) + [StyledLine()] + body(message, side)
        if let trailers = message["trailers"]?.text {
            lines += [StyledLine()] + TerminalText.lines(trailers, omittingEmpty: true).map { StyledLine($0) }
        }
        return lines
    }

    private func body(_ message: JSONValue, _ side: TopSide) -> [StyledLine] {
        guard recorded(side) > 0 else {
            let length = message["bodyBytes"]?.integer ?? 0
            return [
                StyledLine(length > 0 ? "[\(Plain.size(length)) were not recorded]" : "[no body]", .faint)
            ]
        }
        guard let body = bodies[side] else { return [StyledLine("reading …", .faint)] }
        let isPart = Int64(body.bytes.count) < body.total
        let isRecorded = recorded(side) >= message["bodyBytes"]?.integer ?? 0
        var lines = BodyLayout.lines(
            body.bytes,
            type: message["body"]?["type"]?.text ?? "",
            isWhole: !isPart && isRecorded && body.failure == nil,
            asBytes: showsBytes
        )
        if isPart {
            lines.append(
                StyledLine(
                    "[\(Plain.size(Int64(body.bytes.count))) of \(Plain.size(body.total)); + reads more]",
                    .of(.yellow)
                )
            )
        }
        if let failure = body.failure { lines.append(StyledLine("[\(failure)]", .of(.yellow))) }
        return lines
    }

    static func == (left: TopDetail, right: TopDetail) -> Bool {
        left.id == right.id && left.page == right.page && left.document == right.document
            && left.texts == right.texts && left.bodies == right.bodies && left.messages == right.messages
    }
}
