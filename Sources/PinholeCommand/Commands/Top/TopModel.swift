import PinholeConsole
import PinholeModel
import PinholeSession
import PinholeStore

/// The state of `pinhole top`: events come in, wishes go out, and ``grid`` shows it.
///
/// The model knows no terminal, clock, file or socket. The capture is followed first, and the list is read when it is, so
/// that nothing is missed between both. Each filter has a number; changes for an older one are dropped.
struct TopModel: Sendable {
    /// The content of the screen.
    enum Page: Equatable, Sendable {
        case list
        case detail
        case held
        case heldMessage
        case help
    }

    /// Whether changes of the capture come.
    enum Connection: Equatable, Sendable {
        case opening
        case live
        case lost(String)
    }

    /// A remark in the last line, until the next key.
    struct Remark: Equatable, Sendable {
        let text: String
        var isFault = false
    }

    /// The name of the capture, for the first line.
    let capture: String
    private(set) var size = (width: 80, height: 24)
    private(set) var connection = Connection.opening
    private(set) var filter: String
    private(set) var sort = TopSort.number
    private(set) var isDescending = false
    private(set) var state: ConsoleState?
    /// The reason why the proxy does not answer; `nil` while it does.
    private(set) var proxyProblem: String?
    /// Whether the list was read since the filter or the order has changed.
    private(set) var isListRead = false
    /// The messages that are held at breakpoints.
    private(set) var held: [HeldListing] = []
    /// The texts of held messages that were edited and could not be used.
    private(set) var drafts: [Int64: [UInt8]] = [:]
    private(set) var now = Timestamp(seconds: 0)
    var page = Page.list
    var list = TopList()
    var detail: TopDetail?
    var prompt: TopPrompt?
    var remark: Remark?
    var heldCursor = 0
    var heldText = PagedText()
    var helpText = PagedText()
    /// The page below the help.
    var pageBeforeHelp = Page.list
    /// The last text that was searched.
    var searched = ""
    private var heldMessage: Int64?
    private var stream = 0
    private var indexAsked: TopQuestion?
    private var isIndexStale = false
    private var isStreamLost = false

    /// The longest sorted list that is read again by itself while traffic comes.
    private static let longestSorted = 20_000

    /// Creates the state before anything has happened.
    ///
    /// - Parameters:
    ///   - capture: The file of the capture.
    ///   - filter: The filter to begin with; empty for everything.
    init(capture: String, filter: String) {
        self.capture = capture
        self.filter = filter
    }

    /// Whether a proxy is behind the console, and not a file alone.
    var hasProxy: Bool { !(state?.proxy.isEmpty ?? true) }

    /// Whether the proxy records.
    var isRecording: Bool { state?.isRecording ?? true }

    /// Begins.
    ///
    /// - Returns: The first wishes.
    mutating func begin() -> [TopEffect] { [open()] }

    /// Takes an event.
    ///
    /// - Parameter event: What happened.
    /// - Returns: What must be done.
    mutating func handle(_ event: TopEvent) -> [TopEffect] {
        var asks: [TopEffect] = []
        switch event {
        case .keys(let keys): for key in keys { asks += press(key) }
        case .resized(let width, let height):
            size = (width, height)
            asks.append(.repaint)
        case .tick(let moment): asks += tick(moment)
        case .opened(let number) where number == stream: asks += begun()
        case .changes(let number, let step) where number == stream: asks += take(step)
        case .lost(let number, let problem) where number == stream: lose(problem)
        case .opened, .changes, .lost: break
        case .proxy(let proxy): asks += take(proxy)
        case .noProxy(let problem):
            proxyProblem = problem.detail
            held = []
        case .answer(let question, let answer): asks += take(question, answer)
        case .changed(let change, let problem): take(change, problem)
        case .edited(let message, let text): asks += take(message, text)
        case .told(let text, let isFault): remark = Remark(text: text, isFault: isFault)
        case .ended: asks.append(.quit)
        }
        layOut()
        return asks + questions()
    }

    /// Reads the list with another filter.
    mutating func apply(filter: String) -> [TopEffect] {
        self.filter = filter
        list.isFollowing = sort == .number
        return [open()]
    }

    /// Reads the list in another order; the same order again is turned round.
    mutating func order(by sort: TopSort) -> [TopEffect] {
        isDescending = sort == self.sort ? !isDescending : [.size, .duration, .time].contains(sort)
        if sort == .number { isDescending = false }
        self.sort = sort
        list.isFollowing = sort == .number
        return readIndex()
    }

    /// Reads everything on the screen again.
    mutating func readAgain() -> [TopEffect] {
        list.forgetItems()
        detail?.forgetQuestions()
        guard connection == .live else { return [open()] }
        return readIndex()
    }

    /// Shows an exchange or a flow in full.
    mutating func show(_ id: Int64) {
        var new = TopDetail(id)
        if let page = detail?.page { new.open(page) }
        detail = new
        page = .detail
    }

    /// Asks for a message that is held.
    mutating func showHeld(_ id: Int64) -> [TopEffect] {
        heldMessage = id
        heldText = PagedText()
        heldText.replace(with: [StyledLine("reading …", .faint)])
        page = .heldMessage
        return [.get(.held(id))]
    }

    /// The held message that is selected.
    var selectedHeld: HeldListing? { held.indices.contains(heldCursor) ? held[heldCursor] : nil }

    private mutating func open() -> TopEffect {
        stream += 1
        isStreamLost = false
        connection = .opening
        isListRead = false
        indexAsked = nil
        list.forgetQuestions()
        return .follow(stream, filter: filter)
    }

    private mutating func begun() -> [TopEffect] {
        connection = .live
        detail?.forgetQuestions()
        list.forgetItems()
        return readIndex()
    }

    private mutating func readIndex() -> [TopEffect] {
        let question = TopQuestion.index(filter: filter, sort: sort, isDescending: isDescending)
        // The index that is being read may be older than this wish.
        guard indexAsked == nil else {
            isIndexStale = true
            return []
        }
        isIndexStale = false
        indexAsked = question
        return [.get(question)]
    }

    private mutating func lose(_ problem: Problem) {
        connection = .lost(problem.detail)
        // A wrong filter does not become right by itself.
        if problem.column != nil {
            prompt = .filter(LineEditor(filter), problem: problem)
        } else {
            isStreamLost = true
        }
    }

    private mutating func tick(_ moment: Timestamp) -> [TopEffect] {
        now = moment
        if isStreamLost, case .lost(let reason) = connection {
            let ask = open()
            // The reason stays on the screen until the stream is open again.
            connection = .lost(reason)
            return [ask]
        }
        if list.isStale, connection == .live, list.ids.count <= Self.longestSorted { return readIndex() }
        return []
    }

    private mutating func take(_ step: TrafficChanges.Step) -> [TopEffect] {
        list.take(step.rows)
        if let id = detail?.id, step.rows.contains(where: { $0.id == id }) { detail?.isStale = true }
        if let last = step.goneUpTo { list.removeAll(upTo: last) }
        if step.isBehind { list.forgetItems() }
        return step.isBehind || step.hasRemovals ? readIndex() : []
    }

    private mutating func take(_ proxy: TopProxy) -> [TopEffect] {
        state = proxy.state
        held = proxy.held
        heldCursor = max(0, min(heldCursor, held.count - 1))
        drafts = drafts.filter { id, _ in held.contains { $0.id == id } }
        if page == .heldMessage, !held.contains(where: { $0.id == heldMessage }) { page = .held }
        guard proxyProblem != nil else { return [] }
        proxyProblem = nil
        // A new proxy may record into a new file.
        return [open()]
    }

    private mutating func take(_ change: TopChange, _ problem: Problem?) {
        guard let problem else {
            remark = Remark(text: change.remark)
            detail?.isStale = true
            return
        }
        remark = Remark(
            text: problem.detail + (problem.remedy.map { "; \($0)" } ?? ""),
            isFault: true
        )
    }

    private mutating func take(_ message: HeldListing, _ text: [UInt8]) -> [TopEffect] {
        do throws(Problem) {
            drafts[message.id] = nil
            guard let verdict = try message.verdict(of: text) else {
                remark = Remark(text: "nothing was changed; a lets the message go on")
                return []
            }
            return [.change(.decide(message.id, verdict))]
        } catch {
            drafts[message.id] = text
            remark = Remark(text: "\(error.detail); e goes on editing", isFault: true)
            return []
        }
    }

    private mutating func take(_ question: TopQuestion, _ answer: TopAnswer) -> [TopEffect] {
        switch (question, answer) {
        case (.index, _): return takeIndex(question, answer)
        case (.rows(let ids), .rows(let found)): list.fill(found, asked: ids)
        case (.record(let id, _), _), (.body(let id, _, _), _):
            guard id == detail?.id else { break }
            detail?.take(question, answer)
            if case .problem(let problem) = answer { remark = Remark(text: problem.detail, isFault: true) }
        case (.filter(let text), .filter(let problem)):
            guard case .filter(let editor, _)? = prompt, editor.text == text else { break }
            prompt = .filter(editor, problem: problem)
        case (.curl(_, let file), .bytes(let bytes)): return takeCurl(file, bytes)
        case (.wholeBody(_, _, let file), .bytes(let bytes)): return [.write(path: file, bytes)]
        case (.held(let id), .held(let message)):
            guard id == heldMessage, let message else { break }
            heldText.replace(with: message.lines)
        default: return fail(answer)
        }
        return []
    }

    private mutating func takeIndex(_ question: TopQuestion, _ answer: TopAnswer) -> [TopEffect] {
        // A wish of an older filter or order was replaced by a newer one.
        guard question == indexAsked else { return [] }
        indexAsked = nil
        let wanted = TopQuestion.index(filter: filter, sort: sort, isDescending: isDescending)
        guard question == wanted, !isIndexStale else { return readIndex() }
        guard case .index(let ids) = answer else { return fail(answer) }
        list.replace(with: ids, isSorted: sort != .number)
        isListRead = true
        return []
    }

    private mutating func takeCurl(_ file: String?, _ bytes: [UInt8]) -> [TopEffect] {
        if let file { return [.write(path: file, bytes)] }
        guard bytes.count <= ScreenPainter.clipboardLimit else {
            remark = Remark(
                text:
                    "the command has \(Plain.size(Int64(bytes.count))), more than a terminal copies; Y writes it to a file",
                isFault: true
            )
            return []
        }
        remark = Remark(
            text:
                "the curl command is in the clipboard, if your terminal permits that (OSC 52); Y writes a file"
        )
        return [.copy(String(decoding: bytes, as: UTF8.self))]
    }

    private mutating func fail(_ answer: TopAnswer) -> [TopEffect] {
        if case .problem(let problem) = answer { remark = Remark(text: problem.detail, isFault: true) }
        return []
    }

    private mutating func layOut() {
        let (width, height) = (size.width, textHeight)
        list.height = listHeight
        detail?.resize(width: width, height: height)
        heldText.resize(width: width, height: height)
        if page == .help {
            helpText.replace(with: TopHelp.lines)
            helpText.resize(width: width, height: height)
        }
    }

    private mutating func questions() -> [TopEffect] {
        guard connection == .live else { return [] }
        var asks: [TopEffect] = []
        let missing = list.takeQuestions()
        if !missing.isEmpty { asks.append(.get(.rows(missing))) }
        if page == .detail, let questions = detail?.takeQuestions() { asks += questions.map { .get($0) } }
        return asks
    }
}
