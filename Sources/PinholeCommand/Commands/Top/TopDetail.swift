import PinholeModel
import PinholeSession
import PinholeStore

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
        var side: BodyOwner? {
            switch self {
            case .request: .request
            case .response: .response
            case .overview, .tls, .messages: nil
            }
        }
    }

    /// The beginning of a body, as far as it had come to the capture and was asked for.
    private struct Body: Equatable, Sendable {
        let body: TopBody
        let recorded: Int64
        let limit: Int
    }

    let id: Int64
    private(set) var page = Page.overview
    private(set) var record: TopRecord?
    /// Whether bodies are shown as hexadecimal digits.
    private(set) var showsBytes = false
    /// Whether it has changed since it was read.
    var isStale = false
    private var texts: [Page: PagedText] = [:]
    private var bodies: [BodyOwner: Body] = [:]
    private var limits: [BodyOwner: Int] = [:]
    /// The number of messages that are asked for.
    private var wantedMessages = Self.messagesAtOnce
    private var asked: Set<TopQuestion> = []
    private var size = (width: 0, height: 0)

    /// The bytes of a body that are read at first.
    private static let firstBytes = 256 << 10
    /// The number of messages that are read at first, and then in addition.
    private static let messagesAtOnce = 200

    init(_ id: Int64) { self.id = id }

    /// Whether it is a connection without a request.
    var isFlow: Bool { record.map { $0.exchange == nil } ?? false }

    /// The pages that have something to show.
    var pages: [Page] {
        guard !isFlow else { return [.overview, .tls] }
        return Page.allCases.filter { $0 != .messages || messageCount > 0 }
    }

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
        guard let side = page.side, let body = bodies[side]?.body, Int64(body.bytes.count) < body.total else {
            return
        }
        limits[side] = min(TopQuestion.longestBody, limit(side) * 4)
    }

    mutating func take(_ question: TopQuestion, _ answer: TopAnswer) {
        switch (question, answer) {
        case (.record, .record(let found)):
            record = found
            if !pages.contains(page) { page = .overview }
        case (.body(_, let side, let limit), .body(let found)):
            bodies[side] = Body(body: found, recorded: recorded(side), limit: limit)
        // A refused question stays among the asked ones, so only ``forgetQuestions()`` repeats it.
        default: return
        }
        asked.remove(question)
        layOut()
    }

    /// Returns what must be read for the page, and counts it as asked for.
    mutating func takeQuestions() -> [TopQuestion] {
        if page == .messages, text.isAtEnd, Int64(wantedMessages) < messageCount {
            wantedMessages += Self.messagesAtOnce
            isStale = true
        }
        var wanted: [TopQuestion] = []
        let question = TopQuestion.record(id, messages: wantedMessages)
        if record == nil || isStale, !asked.contains(question) {
            isStale = false
            wanted.append(question)
        }
        if let side = page.side, recorded(side) > 0 {
            let body = bodies[side]
            if body?.limit != limit(side) || body?.recorded != recorded(side) {
                wanted.append(.body(id, side, limit: limit(side)))
            }
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

    private func limit(_ side: BodyOwner) -> Int { limits[side] ?? Self.firstBytes }

    private func recorded(_ side: BodyOwner) -> Int64 { record?.message(side)?.body.capturedLength ?? 0 }

    private var messageCount: Int64 { record?.messageCount ?? 0 }

    private mutating func layOut() {
        var text = text
        text.resize(width: size.width, height: size.height)
        text.replace(with: record.map(lines) ?? [StyledLine("reading …", .faint)])
        self.text = text
    }

    private func lines(_ record: TopRecord) -> [StyledLine] {
        switch page {
        case .overview: Self.painted(overview(record))
        case .request: message(record, .request)
        case .response: message(record, .response)
        case .tls: tls(record)
        case .messages: Self.painted(record.messages)
        }
    }

    private static func painted(_ lines: [String]) -> [StyledLine] {
        lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
            .map { StyledLine(painted: $0) }
    }

    private func text(of flow: FlowRecord) -> FlowText {
        FlowText(record: flow, style: Style(isColourful: true), width: size.width)
    }

    private func overview(_ record: TopRecord) -> [String] {
        let connection = record.flow.map { text(of: $0).connection } ?? []
        guard let exchange = record.exchange else { return connection }
        let details = ExchangeText(
            record: exchange,
            request: [],
            response: [],
            setUpBefore: exchange.timings.setUpBefore(record.flow),
            stream: nil,
            style: Style(isColourful: true),
            width: size.width
        )
        var lines = details.overview
        if let operation = exchange.graphQL { lines.append(details.row("GraphQL", operation)) }
        if record.note.isMarked { lines.append(details.row("marked", "yes")) }
        if let comment = record.note.comment { lines.append(details.row("comment", comment)) }
        for owner in [BodyOwner.request, .response] {
            guard let message = record.message(owner) else { continue }
            let start = TerminalText.lines(
                String(decoding: message.head.prefix { $0 != 0x0a }, as: UTF8.self)
            )
            let parts = [
                owner == .response ? start.first : nil, details.summary(of: message.body),
                message.fields.first("content-type"), message.fields.first("content-encoding"),
            ]
            lines.append(details.row(owner.rawValue, parts.compactMap(\.self).joined(separator: ", ")))
        }
        return lines + (connection.isEmpty ? [] : [""] + connection)
    }

    private func tls(_ record: TopRecord) -> [StyledLine] {
        let lines = record.flow.map { text(of: $0).tls } ?? []
        guard lines.isEmpty else { return Self.painted(lines) }
        return [StyledLine("This connection has no TLS that Pinhole has read.", .faint)]
    }

    private func message(_ record: TopRecord, _ side: BodyOwner) -> [StyledLine] {
        guard let message = record.message(side) else {
            return [StyledLine("No \(side.rawValue) has come.", .faint)]
        }
        let head = Self.lines(message.head)
        var lines = head.prefix(1).map { StyledLine($0, .bold) } + head.dropFirst().map(BodyLayout.field)
        lines += [StyledLine()] + body(message, side)
        let trailers = Self.lines(message.trailers)
        return trailers.isEmpty ? lines : lines + [StyledLine()] + trailers.map(BodyLayout.field)
    }

    private static func lines(_ section: [UInt8]) -> [String] {
        TerminalText.lines(String(decoding: section, as: UTF8.self), omittingEmpty: true)
    }

    private func body(_ message: MessageRecord, _ side: BodyOwner) -> [StyledLine] {
        guard recorded(side) > 0 else {
            let length = message.body.length
            return [
                StyledLine(length > 0 ? "[\(Plain.size(length)) were not recorded]" : "[no body]", .faint)
            ]
        }
        guard let body = bodies[side]?.body else { return [StyledLine("reading …", .faint)] }
        let isPart = Int64(body.bytes.count) < body.total
        var lines = BodyLayout.lines(
            body.bytes,
            type: message.fields.first("content-type") ?? "",
            isWhole: !isPart && !message.body.isTruncated && body.failure == nil,
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
        left.id == right.id && left.page == right.page && left.record == right.record
            && left.texts == right.texts && left.bodies == right.bodies
    }
}
