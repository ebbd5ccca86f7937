import PinholeLock
import PinholeModel
import PinholeRuntime
import PinholeStore
import PinholeWire

/// The control API: who asks for a path below `/api` is answered by it, everybody else by the files of the page.
final class ConsoleAPI: Sendable {
    let subject: ConsoleSubject
    let limits: ConsoleLimits
    let clock = LoopClock()
    let readers: CaptureReaders
    /// What is looked into one by one may take long, and what is quick must not wait behind it.
    let searchReaders: CaptureReaders
    /// Event streams compare what one connection to the file has seen, so they share one.
    let eventReaders: CaptureReaders
    let counter = CaptureCounter()
    let ledger = TrafficLedger()
    let lab = LabBoard()
    let classroom = ClassroomWorld()
    let edits = EditLog()
    let exports: ExportSlots
    let imports: ImportDesk
    private let editor = Lock<CaptureEditor?>(nil)

    /// Opens the capture.
    init(_ subject: ConsoleSubject, limits: ConsoleLimits) throws(CaptureFailure) {
        self.subject = subject
        self.limits = limits
        readers = try CaptureReaders(path: subject.capture)
        searchReaders = try CaptureReaders(path: subject.capture, count: 2)
        eventReaders = try CaptureReaders(path: subject.capture, count: 1)
        exports = ExportSlots(limits.exports)
        let target = subject.store.map { ImportTarget.live($0) } ?? .file(subject.capture)
        imports = ImportDesk(target, hostNames: InternationalName.ascii)
    }

    /// Answers, on any thread.
    func answer(_ request: ConsoleRequest, _ reply: @escaping @Sendable (ConsoleAnswer) -> Void) {
        for route in ConsoleRoute.all {
            guard let parameters = route.match(request.path) else { continue }
            let call = ConsoleCall(api: self, request: request, parameters: parameters)
            let method = request.isHead ? "GET" : request.head.method
            guard let operation = route.methods[method] else {
                return reply(Self.notAllowed(request, route.allowed).answer)
            }
            if let refusal = operation.refusal(of: request.query) { return reply(refusal.answer) }
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

    static func notAllowed(_ request: ConsoleRequest, _ allowed: [String]) -> Problem {
        var problem = Problem(
            405,
            "method not allowed",
            "expected \(allowed.joined(separator: ", ")), found \(request.head.method.prefix(40))"
        )
        problem.allowed = allowed
        return problem
    }

    private func perform(
        _ work: ConsoleOperation.Work,
        _ call: ConsoleCall,
        _ reply: @escaping @Sendable (ConsoleAnswer) -> Void
    ) {
        switch work {
        case .now(let make): reply(Self.caught { try make(call) })
        case .later(let make):
            Task { reply(await Self.caughtLater { try await make(call) }) }
        case .reading(let make):
            let abandonment = call.request.abandonment
            let isAsked = (call.isSearch ? searchReaders : readers).perform { reader in
                guard !abandonment.isAbandoned else { return }
                reply(Self.caught { try make(call, reader.until { abandonment.isAbandoned }) })
            }
            if !isAsked {
                reply(
                    Problem(503, "busy", "too many requests wait for the capture", remedy: "ask again").answer
                )
            }
        case .editing(let make):
            do throws(CaptureFailure) {
                try openEditor().perform { editor in reply(Self.caught { try make(call, editor) }) }
            } catch {
                reply(Self.problem(error).answer)
            }
        }
    }

    /// Opened when somebody changes something: it brings an old file up to date.
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
            return answer(to: error)
        }
    }

    private static func caughtLater(_ make: () async throws -> ConsoleAnswer) async -> ConsoleAnswer {
        do {
            return try await make()
        } catch {
            return answer(to: error)
        }
    }

    private static func answer(to error: any Error) -> ConsoleAnswer {
        switch error {
        case let problem as Problem: problem.answer
        case let failure as CaptureFailure: problem(failure).answer
        default: Problem(500, "failed", "\(error)").answer
        }
    }

    private static func problem(_ failure: CaptureFailure) -> Problem {
        // A search is cancelled only after its client has gone.
        failure == .cancelled
            ? Problem(499, "abandoned", "nobody waits for it")
            : Problem(500, "capture cannot be used", failure.description)
    }
}
