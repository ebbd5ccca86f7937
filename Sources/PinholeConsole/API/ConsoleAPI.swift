import PinholeFilter
import PinholeLock
package import PinholeModel
package import PinholeRuntime
package import PinholeSession
package import PinholeStore
import PinholeWire

/// The control API, which answers every request for a path below `/api`.
package final class ConsoleAPI: Sendable {
    /// The capture and the proxy that the API shows.
    package let subject: ConsoleSubject
    /// The paths of every console, and those of the subject.
    let routes: [ConsoleRoute]
    let limits: ConsoleLimits
    let clock = LoopClock()
    let readers: CaptureReaders
    /// The readers for searches that examine exchanges one by one, so that quick requests do not wait for a search.
    let searchReaders: CaptureReaders
    /// The reader of all event streams, which share one connection to the file, because they compare what it has seen.
    let eventReaders: CaptureReaders
    let counter = CaptureCounter()
    let index = TrafficIndex()
    let lab = LabRuns()
    /// Raised after each change of the capture by the recorder of this process, or by a request.
    let changes: ChangeSignal
    /// Raised after each change of the saved filters, so that a filter that refers to them may select other traffic.
    let filterChanges = ChangeSignal()
    /// Raised when recording was switched, or when rules or settings of the proxy changed.
    let settingChanges = ChangeSignal()
    let exports: AnswerSlots
    /// The streams of events, of which each keeps a connection.
    let streams: AnswerSlots
    let imports: ImportQueue
    let recordings: ComparedRecordings
    /// The collections, variables and sent requests of the page Compose.
    let library: ComposeLibrary
    /// Answers agents, which see no secrets and change nothing.
    let agents: AgentServer
    private let editor = Lock<CaptureEditor?>(nil)
    /// The description of the routes, which is made at the first request for it.
    private let description = Lock<[UInt8]?>(nil)
    /// The saved filters of a console without a proxy, which last as long as the console runs.
    private let keptFilters: Shared<Lock<SavedFilters>>

    /// The threads for work on behalf of clients, which the students of a class share.
    package struct Budgets: Sendable {
        /// The threads for checks and experiments.
        let checks: WorkBudget
        /// The threads for requests that read files of a user.
        package let pages: WorkBudget

        /// Creates the threads of a server.
        ///
        /// - Parameters:
        ///   - label: The name for debuggers.
        ///   - checks: The bounds of checks and experiments.
        package init(_ label: String, checks: WorkBounds = .answers) {
            self.checks = WorkBudget(label, checks)
            pages = WorkBudget("\(label).pages", .pages)
        }
    }

    /// The threads for work on behalf of the clients.
    let budgets: Budgets
    /// The user that the work is for.
    let user: Admission.Holder

    /// Opens the capture.
    ///
    /// - Parameters:
    ///   - subject: The capture and the proxy.
    ///   - limits: The bounds on what a client may use.
    ///   - budgets: The threads for work on behalf of the clients.
    ///   - user: The user that the work is for.
    /// - Throws: ``CaptureFailure`` if the capture cannot be opened.
    package init(
        _ subject: ConsoleSubject,
        limits: ConsoleLimits,
        budgets: Budgets = Budgets("pinhole.console"),
        user: Admission.Holder = .account(ConsoleGate.owner)
    ) throws(CaptureFailure) {
        self.budgets = budgets
        self.user = user
        self.subject = subject
        routes = ConsoleRoute.all + subject.routes
        self.limits = limits
        readers = try CaptureReaders(path: subject.capture)
        searchReaders = try CaptureReaders(path: subject.capture, count: 2)
        eventReaders = try CaptureReaders(path: subject.capture, count: 1)
        changes = subject.store?.changes ?? ChangeSignal()
        exports = AnswerSlots(limits.exports)
        streams = AnswerSlots(limits.streams)
        let kept = Shared(Lock(subject.filters))
        keptFilters = kept
        let control = subject.control
        let agent = AgentCapture(subject.capture) { control?.savedFilters ?? kept.value.withLock { $0 } }
        agents = AgentServer(tools: agent.tools, version: "1", instructions: AgentCapture.instructions)
        let target = subject.store.map { ImportTarget.live($0) } ?? .file(subject.capture)
        imports = ImportQueue(target, hostNames: InternationalName.ascii)
        library = ComposeLibrary(beside: subject.capture)
        recordings = ComparedRecordings(beside: subject.capture, hostNames: InternationalName.ascii)
    }

    /// The filters that are saved under names.
    var savedFilters: SavedFilters { subject.control?.savedFilters ?? keptFilters.value.withLock { $0 } }

    /// Saves a filter under a name, or removes it if the text is `nil`.
    func saveFilter(_ name: String, _ text: String?) async throws(Problem) {
        if let control = subject.control {
            try await control.saveFilter(name, text)
        } else {
            try keptFilters.value.withLock { filters throws(Problem) in
                filters = try filters.setting(name, to: text)
            }
        }
        filterChanges.raise()
    }

    /// Returns the description of the routes.
    func describe() throws -> ConsoleAnswer {
        let text = try description.withLock { text in
            let made = try text ?? JSONText.laidOut(try ConsoleDescription.document(routes))
            text = made
            return made
        }
        return ConsoleAnswer(200, fields: [("Content-Type", "application/json")], body: .bytes(text))
    }

    /// Answers a request, on any thread.
    package func answer(_ request: ConsoleRequest, _ reply: @escaping @Sendable (ConsoleAnswer) -> Void) {
        for route in routes {
            guard let parameters = route.match(request.path) else { continue }
            let method = request.isHead ? "GET" : request.head.method
            guard let operation = route.methods[method] else {
                return reply(Problem.notAllowed(request, route.allowed).answer)
            }
            let call = ConsoleCall(
                api: self,
                request: request,
                parameters: parameters,
                body: operation.body
            )
            if let refusal = operation.refusal(of: request.query) { return reply(refusal.answer) }
            if subject.isReadOnly, method != "GET", !route.isForReaders { return reply(Self.readOnly.answer) }
            return perform(operation.work, call, reply)
        }
        let problem = Problem(
            404,
            "not found",
            "there is no \(request.head.target.path.prefix(200))",
            remedy: "GET /api/openapi.json lists what there is"
        )
        reply(problem.answer)
    }

    private static let readOnly = Problem(
        403,
        "read-only",
        "this console changes neither the capture nor the proxy"
    )

    private func perform(
        _ work: ConsoleOperation.Work,
        _ call: ConsoleCall,
        _ reply: @escaping @Sendable (ConsoleAnswer) -> Void
    ) {
        switch work {
        case .now(let make): reply(Self.caught { try make(call) })
        case .later(let make):
            Task { reply(await Self.caughtLater { try await make(call) }) }
        case .working(let kind, let make):
            let abandonment = call.request.abandonment
            let budget = kind == .checks ? budgets.checks : budgets.pages
            Task { [user] in
                let answer = await Self.caughtLater {
                    let isAbandoned: @Sendable () -> Bool = { abandonment.isAbandoned }
                    do {
                        return try await budget.perform(for: user, until: isAbandoned) { meter in
                            try await make(call, meter)
                        }
                    } catch let failure as WorkFailure {
                        throw Problem(failure, kind)
                    }
                }
                reply(answer)
            }
        case .reading(let make):
            let abandonment = call.request.abandonment
            let isAsked = (call.isSearch ? searchReaders : readers).perform { reader in
                guard !abandonment.isAbandoned else { return }
                reply(Self.caught { try make(call, reader.until { abandonment.isAbandoned }) })
            }
            if !isAsked {
                reply(Problem.manyQuestions.answer)
            }
        case .editing(let make):
            do throws(CaptureFailure) {
                try openEditor().perform { editor in reply(Self.caught { try make(call, editor) }) }
            } catch {
                reply(Problem(error).answer)
            }
        }
    }

    /// Opens the editor on the first change, since opening upgrades a file of an older version.
    private func openEditor() throws(CaptureFailure) -> CaptureEditor {
        if let editor = editor.withLock({ $0 }) { return editor }
        let new = try CaptureEditor(path: subject.capture)
        return editor.withLock { editor in
            editor = editor ?? new
            return editor ?? new
        }
    }

    private static func caught(_ make: () throws -> ConsoleAnswer) -> ConsoleAnswer {
        do {
            return try make()
        } catch {
            return Problem(error).answer
        }
    }

    private static func caughtLater(_ make: () async throws -> ConsoleAnswer) async -> ConsoleAnswer {
        do {
            return try await make()
        } catch {
            return Problem(error).answer
        }
    }
}

extension Problem {
    /// Creates the problem of work on behalf of somebody that was not done.
    package init(_ failure: WorkFailure, _ budget: ConsoleOperation.Budget) {
        let isCheck = budget == .checks
        switch failure {
        case .busy:
            self.init(
                503,
                "busy",
                "too many \(isCheck ? "checks" : "requests") wait already",
                remedy: "wait for the result of the last one"
            )
        case .abandoned: self.init(499, "abandoned", "nobody waits for it")
        case .tooLong(let limit, let isProcessor):
            self.init(
                422,
                "too long",
                "the \(isCheck ? "check" : "request") took longer than \(limit.secondsText)"
                    + (isProcessor ? " of a processor" : ""),
                remedy: isCheck
                    ? "make the file that is checked smaller: fewer policies, pins or certificates"
                    : "ask again when the machine is less busy"
            )
        }
    }
}
