import Dispatch
import PinholeContent
import PinholeLock
import PinholeModel
import PinholeProxy
import PinholeRules

/// Applies the rules' tasks to one held message, one task after another.
///
/// A task may take some time.
final class MessageWork: Sendable {
    private enum Step {
        case decided(ExchangeDecision)
        case hold(MessageQuestion, MessageTask)
        case ask(MessageQuestion, ProgramCall, MessageTask)
        case look(Consultation, any ExchangeInterceptor)
    }

    private struct State {
        var tasks: ArraySlice<MessageTask>
        /// The decoded content; `nil` until it is first needed, or if it cannot be decoded.
        var content: [UInt8]?
        /// The reason why the content cannot be decoded; `nil` if it can, or if no task has needed it yet.
        var trouble: String?
        var change = MessageChange()
        var hits: [RuleHit] = []
        /// The decision that replaces forwarding; `nil` if the message goes on.
        var ending: ExchangeDecision?
    }

    private let inquiry: Inquiry
    private let message: HeldMessage
    private let breakpoints: HeldMessages?
    private let respondents: @Sendable (String) -> (any MessageRespondent)?
    private let others: (any ExchangeInterceptor)?
    private let state: Lock<State>

    init(
        _ message: HeldMessage,
        _ inquiry: Inquiry,
        breakpoints: HeldMessages?,
        respondents: @escaping @Sendable (String) -> (any MessageRespondent)?,
        others: (any ExchangeInterceptor)?
    ) {
        self.others = others
        self.respondents = respondents
        self.message = message
        self.inquiry = inquiry
        self.breakpoints = breakpoints
        state = Lock(State(tasks: message.tasks[...]))
    }

    /// Runs the remaining tasks up to one that takes time.
    func run() {
        // Only one thread at a time runs this, so nothing waits for the lock.
        while true {
            switch state.withLock({ step(&$0) }) {
            case .decided(let decision):
                inquiry.answer(decision)
                return
            case .hold(let held, let task):
                let obstacle =
                    breakpoints?.hold(held, for: task.patience, inquiry) { [self] verdict in
                        state.withLock { take(verdict, task, &$0) }
                        run()
                    } ?? (breakpoints == nil ? "there is nobody to decide" : nil)
                guard let obstacle else { return }
                state.withLock { $0.hits.append(task.hit("not applied: \(obstacle)")) }
            case .ask(let question, let call, let task):
                return ask(question, call, task)
            case .look(let question, let interceptor):
                let home = Inquiry(question) { [self] decision in
                    if decision != .proceed { state.withLock { $0.ending = decision } }
                    run()
                }
                interceptor.decide(home)
                return
            }
        }
    }

    /// Runs tasks until one takes time or none is left.
    private func step(_ state: inout State) -> Step {
        while state.ending == nil, let task = state.tasks.popFirst() {
            switch task.work {
            case .edit(let edit): apply(edit, task, &state)
            case .breakpoint:
                let point: ProgramCall.Point = message.response == nil ? .request : .response
                return .hold(self.question(at: point, for: task, &state), task)
            case .replay(let replay):
                guard let others else { continue }
                return .look(question(about: replay, task, state), others)
            case .operations:
                guard let body = decoded(&state),
                    let operations = message.request.operations(in: body)
                else {
                    let trouble = state.trouble ?? "the body is not JSON that can be read"
                    let tasks = [task] + state.tasks
                    return .decided(.noting(tasks.map { $0.hit("not applied: \(trouble)") }, then: .proceed))
                }
                return .decided(.learned(operations))
            case .program(let call, let point):
                return .ask(self.question(at: point, for: task, &state), call, task)
            }
        }
        let decision = state.ending ?? (state.change.isEmpty ? .proceed : .change(state.change))
        return .decided(state.hits.isEmpty ? decision : .noting(state.hits, then: decision))
    }

    /// The question for a recorded response to the request, as the previous tasks have changed it.
    private func question(
        about replay: CaptureReplay,
        _ task: MessageTask,
        _ state: State
    ) -> Consultation {
        let message = message.changed(by: state.change)
        return .replay(
            replay,
            message.request,
            body: message.body,
            reason: "the rule “\(task.rule)” looked for in \(replay.file)"
        )
    }

    // MARK: Edits

    /// Returns the content without its codings, as earlier tasks have changed it; `nil` if it cannot be decoded.
    private func decoded(_ state: inout State) -> [UInt8]? {
        if let content = state.content { return content }
        let codings = message.fields.list("content-encoding").map { $0.lowercased() }
        if codings.isEmpty { return message.body }
        do throws(ContentDecoder.Failure) {
            state.content = try ContentDecoder.decode(message.body, codings: codings, limit: BodyEdit.limit)
        } catch {
            state.trouble = error.description
        }
        return state.content
    }

    private func apply(_ edit: BodyEdit, _ task: MessageTask, _ state: inout State) {
        guard message.mayHaveContent(as: state.change.status) else {
            return state.hits.append(task.hit("not applied: the response has no body"))
        }
        do throws(FileFailure) {
            if case .file(let path) = edit.content {
                state.content = try LocalFiles.content(of: path)
            }
        } catch {
            return state.hits.append(task.hit("not applied: \(error.detail)"))
        }
        guard let content = decoded(&state) ?? (edit.content == nil ? nil : []) else {
            return state.hits.append(task.hit("not applied: \(state.trouble ?? "")"))
        }
        let type = message.changed(by: state.change).fields.first("content-type")
        let outcome = edit.applied(to: content, type: type)
        if let body = outcome.body {
            state.content = body
            state.change.body = body
        }
        state.hits.append(task.hit(outcome.effect))
    }

    // MARK: Breakpoints

    private func take(_ verdict: MessageDecision?, _ task: MessageTask, _ state: inout State) {
        guard let verdict else {
            let waited = "went on: nobody decided for \(task.patience.milliseconds / 1000) s"
            return state.hits.append(task.hit(waited))
        }
        state.hits.append(task.hit(follow(verdict, "at the breakpoint “\(task.rule)”", &state)))
    }

    /// Carries out a verdict.
    ///
    /// - Returns: A short description of the effect.
    private func follow(_ verdict: MessageDecision, _ place: String, _ state: inout State) -> String {
        switch verdict.way {
        case .proceed: return edited(verdict, &state)
        case .respond:
            let answer = verdict.answer(reason: "answered \(place)")
            state.ending = .answer(answer)
            return "answered with \(answer.status)"
        case .drop(let isReset):
            state.ending = .cut(isReset: isReset, "dropped \(place)")
            return "dropped"
        }
    }

    // MARK: Programs

    private func ask(_ question: MessageQuestion, _ call: ProgramCall, _ task: MessageTask) {
        guard let respondent = respondents(call.name) else {
            return take(.failure(MessageFailure("it is not declared any more")), call, task)
        }
        respondent.ask(question) { [self] result in
            // The next tasks may take time, and other answers wait behind this one.
            DispatchQueue.global().async { [self] in take(result, call, task) }
        }
    }

    private func take(
        _ result: Result<MessageDecision, MessageFailure>,
        _ call: ProgramCall,
        _ task: MessageTask
    ) {
        state.withLock { state in
            let place = "by the program “\(call.name)”"
            switch result {
            case .success(let verdict):
                let effect = follow(verdict, place, &state)
                state.hits.append(task.hit(verdict.note.map { "\(effect): \($0)" } ?? effect))
            case .failure(let failure) where call.failure == .close:
                state.ending = .cut(isReset: false, "no answer \(place): \(failure)")
                state.hits.append(task.hit("closed: \(failure)"))
            case .failure(let failure): state.hits.append(task.hit("not applied: \(failure)"))
            }
        }
        run()
    }

    /// The question for a person or a program.
    private func question(
        at point: ProgramCall.Point,
        for task: MessageTask,
        _ state: inout State
    ) -> MessageQuestion {
        var message = message.changed(by: state.change)
        guard point.wantsBody else { return MessageQuestion(point: point, rule: task.rule, message: message) }
        message.body = decoded(&state) ?? message.body
        return MessageQuestion(point: point, rule: task.rule, message: message, trouble: state.trouble)
    }

    // MARK: Edits by a person or a program

    /// Changes the message according to a verdict.
    ///
    /// - Returns: A short description of the changes.
    private func edited(_ verdict: MessageDecision, _ state: inout State) -> String {
        // The verdict refers to the message as it was shown, so changes of earlier tasks count.
        let message = message.changed(by: state.change)
        let isLowercased = message.response?.isLowercased ?? message.request.isLowercased
        let change = verdict.change(of: message.fields, isLowercased: isLowercased)
        var changed: [String] = []
        if let new = change.method, new != message.request.method {
            state.change.method = new
            changed.append("method \(message.request.method) to \(new)")
        }
        if let new = change.path, new != message.request.path {
            state.change.path = new
            changed.append("path \(message.request.path) to \(new)")
        }
        if let new = change.status, let response = message.response, new != response.status {
            state.change.status = new
            changed.append("status \(response.status) to \(new)")
        }
        if let fields = change.fields, fields != message.fields {
            state.change.fields = fields
            changed.append("fields")
        }
        if let body = change.body, body != decoded(&state) {
            state.change.body = body
            state.content = body
            changed.append("the body to \(body.count) bytes")
        }
        return changed.isEmpty ? "continued" : "continued with changed " + changed.joined(separator: ", ")
    }
}
