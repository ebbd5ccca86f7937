import PinholeModel
import PinholeRules
import PinholeRuntime

/// Asks an ``Interceptor`` about held messages.
final class InterceptorRespondent: MessageRespondent {
    private let interceptor: any Interceptor

    init(_ interceptor: any Interceptor) { self.interceptor = interceptor }

    func ask(
        _ question: MessageQuestion,
        _ reply: @escaping @Sendable (Result<MessageReply, MessageFailure>) -> Void
    ) {
        Task { [self] in
            await withTaskGroup(of: Result<MessageReply, MessageFailure>.self) { group in
                group.addTask { [self] in await result(of: question) }
                let patience = interceptor.patience
                group.addTask {
                    try? await Task.sleep(for: patience)
                    return .failure(MessageFailure("it took longer than \(patience.secondsText)"))
                }
                // Whichever is first; the other one is told to end.
                if let first = await group.next() { reply(first) }
                group.cancelAll()
            }
        }
    }

    private func result(of question: MessageQuestion) async -> Result<MessageReply, MessageFailure> {
        do {
            return .success(try await decide(question))
        } catch let failure as MessageFailure {
            return .failure(failure)
        } catch {
            return .failure(MessageFailure("it threw: \(error)"))
        }
    }

    private func decide(_ question: MessageQuestion) async throws -> MessageReply {
        var request = Request(question)
        guard let head = question.response else {
            let before = request
            return switch try await interceptor.decide(&request) {
            case .proceed: try question.reply(request, insteadOf: before)
            case .respond(let response): try question.reply(response)
            case .drop: MessageReply(BreakpointVerdict(.drop(isReset: false)))
            }
        }
        var response = Response(status: head.status, fields: question.fields, body: question.body ?? [])
        let before = response
        return switch try await interceptor.decide(&response, to: request) {
        case .proceed: try question.reply(response, insteadOf: before)
        case .respond(let own): try question.reply(own)
        case .drop: MessageReply(BreakpointVerdict(.drop(isReset: false)))
        }
    }
}

extension Request {
    fileprivate init(_ question: MessageQuestion) {
        let request = question.request
        self.init(
            method: request.method,
            url: request.url,
            path: request.path,
            fields: request.fields.shown.map { Field($0.name, $0.value) },
            body: question.response == nil ? question.body ?? [] : []
        )
    }
}

extension MessageQuestion {
    /// The fields of the response.
    fileprivate var fields: [Field] {
        response.map { $0.fields.shown.map { Field($0.name, $0.value) } } ?? []
    }

    /// The request goes on as it was made.
    fileprivate func reply(_ made: Request, insteadOf before: Request) throws -> MessageReply {
        var verdict = BreakpointVerdict(.proceed)
        if made.method != before.method {
            guard BreakpointVerdict.isMethod(made.method), before.method != "HEAD" else {
                throw MessageFailure("a request cannot get the method “\(made.method)”")
            }
            verdict.method = made.method
        }
        if made.path != before.path {
            guard BreakpointVerdict.isPath(made.path) else {
                throw MessageFailure("a request cannot get the path “\(made.path)”")
            }
            verdict.path = made.path
        }
        if made.fields != before.fields { verdict.fields = try Self.lines(made.fields) }
        if made.body != before.body { verdict.body = try content(made.body) }
        return MessageReply(verdict)
    }

    /// The response goes on as it was made.
    fileprivate func reply(_ made: Response, insteadOf before: Response) throws -> MessageReply {
        var verdict = BreakpointVerdict(.proceed)
        if made.status != before.status {
            let isSameKind =
                BreakpointVerdict.hasContent(made.status) == BreakpointVerdict.hasContent(before.status)
            guard 200...599 ~= made.status, made.status != 205, point.wantsBody || isSameKind else {
                throw MessageFailure("a response cannot get the status \(made.status)")
            }
            verdict.status = made.status
        }
        if made.fields != before.fields { verdict.fields = try Self.lines(made.fields) }
        if made.body != before.body { verdict.body = try content(made.body) }
        return MessageReply(verdict)
    }

    /// The client gets `own`.
    fileprivate func reply(_ own: Response) throws -> MessageReply {
        guard 200...599 ~= own.status else {
            throw MessageFailure("expected a status of 200 to 599, found \(own.status)")
        }
        guard own.body.isEmpty || BreakpointVerdict.hasContent(own.status) else {
            throw MessageFailure("expected no content with status \(own.status)")
        }
        var verdict = BreakpointVerdict(.respond)
        verdict.status = own.status
        verdict.fields = try Self.lines(own.fields)
        verdict.body = own.body
        return MessageReply(verdict)
    }

    private func content(_ body: [UInt8]) throws -> [UInt8] {
        guard point.wantsBody else {
            throw MessageFailure("the body passes as it comes, since only heads are asked about")
        }
        return body
    }

    private static func lines(_ fields: [Field]) throws -> [BreakpointVerdict.Field] {
        try fields.map { field in
            guard let line = BreakpointVerdict.Field(field.name, field.value) else {
                throw MessageFailure(
                    "expected fields that do not frame the message and have no control characters, found “\(field.name)”"
                )
            }
            return line
        }
    }
}
