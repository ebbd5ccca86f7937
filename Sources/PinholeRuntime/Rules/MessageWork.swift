import PinholeLock
import PinholeModel
import PinholeProxy
import PinholeRules

/// Does what rules want with one message that is held, one task after the other; a task may take its time.
final class MessageWork: Sendable {
    private enum Step {
        case decided(Decision)
        case hold(HeldAtBreakpoint, MessageTask)
    }

    private struct State {
        var tasks: ArraySlice<MessageTask>
        var content: HeldContent
        var change = MessageChange()
        var hits: [RuleHit] = []
        /// What takes the place of going on.
        var ending: Decision?
    }

    private let inquiry: Inquiry
    private let message: HeldMessage
    private let breakpoints: BreakpointBoard?
    private let state: Lock<State>

    init(_ message: HeldMessage, _ inquiry: Inquiry, breakpoints: BreakpointBoard?) {
        self.message = message
        self.inquiry = inquiry
        self.breakpoints = breakpoints
        state = Lock(State(tasks: message.tasks[...], content: HeldContent(message)))
    }

    /// Does the tasks that are left, up to one that takes its time.
    func goOn() {
        // One thread at a time is here, so nobody waits for the lock.
        while true {
            switch state.withLock({ step(&$0) }) {
            case .decided(let decision):
                inquiry.answer(decision)
                return
            case .hold(let held, let task):
                let obstacle =
                    breakpoints?.hold(held, for: task.patience, inquiry) { [self] verdict in
                        state.withLock { take(verdict, task, &$0) }
                        goOn()
                    } ?? (breakpoints == nil ? "there is nobody to decide" : nil)
                guard let obstacle else { return }
                state.withLock { $0.hits.append(task.hit("not applied: \(obstacle)")) }
            }
        }
    }

    /// Does tasks until one takes its time, or none is left.
    private func step(_ state: inout State) -> Step {
        while state.ending == nil, let task = state.tasks.popFirst() {
            switch task.work {
            case .edit(let edit): apply(edit, task, &state)
            case .breakpoint: return .hold(held(by: task, &state), task)
            }
        }
        let decision = state.ending ?? (state.change.isEmpty ? .proceed : .change(state.change))
        return .decided(state.hits.isEmpty ? decision : .noting(state.hits, then: decision))
    }

    // MARK: Edits

    private func apply(_ edit: BodyEdit, _ task: MessageTask, _ state: inout State) {
        guard message.mayHaveContent else {
            return state.hits.append(task.hit("not applied: the response has no body"))
        }
        do throws(FileFailure) {
            if case .file(let path) = edit.content {
                state.content.replace(with: try LocalFiles.content(of: path))
            }
        } catch {
            return state.hits.append(task.hit("not applied: \(error.detail)"))
        }
        guard let content = state.content.decoded(orElse: edit.content == nil ? nil : []) else {
            return state.hits.append(task.hit("not applied: \(state.content.trouble ?? "")"))
        }
        let fields = state.change.fields ?? message.fields
        let outcome = edit.applied(to: content, type: fields.first("content-type"))
        if let body = outcome.body {
            state.content.replace(with: body)
            state.change.body = body
        }
        state.hits.append(task.hit(outcome.effect))
    }

    // MARK: Breakpoints

    /// The message as people see it.
    private func held(by task: MessageTask, _ state: inout State) -> HeldAtBreakpoint {
        let fields = state.change.fields ?? message.fields
        let body = state.content.decoded(orElse: nil) ?? message.body
        var request = message.request
        request.path = state.change.path ?? request.path
        return HeldAtBreakpoint(
            exchange: message.exchange?.rawValue,
            rule: task.rule,
            method: state.change.method ?? request.method,
            url: request.url,
            path: request.path,
            status: message.response.map { state.change.status ?? $0.status },
            fields: fields.indices.filter { !fields.isOwn(at: $0) }.map { index in
                (
                    name: String(decoding: fields.name(at: index), as: UTF8.self),
                    value: String(decoding: fields.value(at: index), as: UTF8.self)
                )
            },
            body: body,
            trouble: state.content.trouble
        )
    }

    private func take(_ verdict: BreakpointVerdict?, _ task: MessageTask, _ state: inout State) {
        guard let verdict else {
            let waited = "went on: nobody decided for \(task.patience.milliseconds / 1000) s"
            return state.hits.append(task.hit(waited))
        }
        switch verdict.way {
        case .proceed: state.hits.append(task.hit(edited(verdict, &state)))
        case .respond:
            let answer = verdict.answer(reason: "answered at the breakpoint “\(task.rule)”")
            state.ending = .answer(answer)
            state.hits.append(task.hit("answered with \(answer.status)"))
        case .drop(let isReset):
            state.ending = .cut(isReset: isReset, "dropped at the breakpoint “\(task.rule)”")
            state.hits.append(task.hit("dropped"))
        }
    }

    /// Lets the message be what somebody made of it.
    ///
    /// - Returns: What is different, in a few words.
    private func edited(_ verdict: BreakpointVerdict, _ state: inout State) -> String {
        let isLowercased = message.response?.isLowercased ?? message.request.isLowercased
        let change = verdict.change(of: state.change.fields ?? message.fields, isLowercased: isLowercased)
        var changed: [String] = []
        // What an earlier breakpoint made of it is what was shown. The answer to HEAD has another shape than that to others.
        let method = state.change.method ?? message.request.method
        if let new = change.method, new != method, message.request.method != "HEAD" {
            state.change.method = new
            changed.append("method \(method) to \(new)")
        }
        let path = state.change.path ?? message.request.path
        if let new = change.path, new != path {
            state.change.path = new
            changed.append("path \(path) to \(new)")
        }
        if let new = change.status, let response = message.response,
            new != state.change.status ?? response.status
        {
            changed.append("status \(state.change.status ?? response.status) to \(new)")
            state.change.status = new
        }
        if let fields = change.fields, fields != state.change.fields ?? message.fields {
            state.change.fields = fields
            changed.append("fields")
        }
        if let body = change.body, mayHaveContent(state.change), body != state.content.decoded(orElse: nil) {
            state.change.body = body
            state.content.replace(with: body)
            changed.append("the body to \(body.count) bytes")
        }
        return changed.isEmpty ? "continued" : "continued with changed " + changed.joined(separator: ", ")
    }

    private func mayHaveContent(_ change: MessageChange) -> Bool {
        guard let response = message.response else { return true }
        return message.request.method != "HEAD" && ![204, 304].contains(change.status ?? response.status)
    }
}
