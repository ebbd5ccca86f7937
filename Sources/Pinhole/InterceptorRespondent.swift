import PinholeModel
import PinholeRules
import PinholeRuntime

/// Asks an ``Interceptor`` about held messages.
final class InterceptorRespondent: MessageRespondent {
    private let interceptor: any Interceptor

    init(_ interceptor: any Interceptor) { self.interceptor = interceptor }

    func ask(
        _ question: MessageQuestion,
        _ reply: @escaping @Sendable (Result<MessageDecision, MessageFailure>) -> Void
    ) {
        Task { [self] in
            await withTaskGroup(of: Result<MessageDecision, MessageFailure>.self) { group in
                group.addTask { [self] in await result(of: question) }
                let patience = interceptor.patience
                group.addTask {
                    try? await Task.sleep(for: patience)
                    return .failure(MessageFailure("it took longer than \(patience.secondsText)"))
                }
                // The first result counts: the decision or the timeout. The other task is cancelled.
                if let first = await group.next() { reply(first) }
                group.cancelAll()
            }
        }
    }

    private func result(of question: MessageQuestion) async -> Result<MessageDecision, MessageFailure> {
        do {
            let verdict = try await decide(question)
            try question.check(verdict)
            return .success(verdict)
        } catch let failure as DecisionFailure {
            return .failure(MessageFailure("\(failure)"))
        } catch {
            return .failure(MessageFailure("it threw: \(error)"))
        }
    }

    private func decide(_ question: MessageQuestion) async throws -> MessageDecision {
        let asked = Request(question)
        var request = asked
        guard let head = question.message.response else {
            let decision = try await interceptor.decide(&request)
            return MessageDecision(endingBy: decision) ?? MessageDecision(request, insteadOf: asked)
        }
        let fields = head.fields.shown.map { Field($0.name, $0.value) }
        let came = Response(status: head.status, fields: fields, body: question.body ?? [])
        var response = came
        let decision = try await interceptor.decide(&response, to: request)
        return MessageDecision(endingBy: decision) ?? MessageDecision(response, insteadOf: came)
    }
}

extension Request {
    fileprivate init(_ question: MessageQuestion) {
        let request = question.message.request
        self.init(
            method: request.method,
            url: request.url,
            path: request.path,
            fields: request.fields.shown.map { Field($0.name, $0.value) },
            body: question.status == nil ? question.body ?? [] : []
        )
    }
}

extension MessageDecision {
    /// Creates a verdict that ends the exchange here; `nil` if the message goes on.
    fileprivate init?(endingBy decision: Decision) {
        switch decision {
        case .proceed: return nil
        case .drop: self.init(.drop(isReset: false))
        case .respond(let response):
            self.init(.respond)
            status = response.status
            take(response.fields)
            body = response.body
        }
    }

    /// Creates a verdict that lets the request go on with the interceptor's changes.
    fileprivate init(_ made: Request, insteadOf asked: Request) {
        self.init(.proceed)
        if made.method != asked.method { method = made.method }
        if made.path != asked.path { path = made.path }
        if made.fields != asked.fields { take(made.fields) }
        if made.body != asked.body { body = made.body }
    }

    /// Creates a verdict that lets the response go on with the interceptor's changes.
    fileprivate init(_ made: Response, insteadOf came: Response) {
        self.init(.proceed)
        if made.status != came.status { status = made.status }
        if made.fields != came.fields { take(made.fields) }
        if made.body != came.body { body = made.body }
    }

    private mutating func take(_ lines: [Pinhole.Field]) {
        fields = lines.map { HeaderLine($0.name, $0.value) }
    }
}
