import PinholeModel
import PinholeRules
import PinholeWire

/// What rules do with exchanges.
extension Tunnel {
    /// What rules have to do with the exchange; boxed, since most have nothing.
    final class Ruling: Sendable, Equatable {
        /// The request as the client sent it.
        let original: RuleRequest
        /// What is still to be done.
        let plan: RequestPlan
        /// The number of the question for whose answer the exchange is held.
        let question: Int?

        init(original: RuleRequest, plan: RequestPlan, question: Int? = nil) {
            self.original = original
            self.plan = plan
            self.question = question
        }

        static func == (left: Ruling, right: Ruling) -> Bool {
            left === right
                || left.original == right.original && left.plan == right.plan
                    && left.question == right.question
        }
    }

    /// Asks the rules about a request.
    ///
    /// - Returns: Whether one means it, so that it goes on as the rule says.
    mutating func rule(
        on head: RequestHead,
        _ scheme: Scheme,
        _ authority: Authority,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) -> Bool {
        guard !policy.rules.isEmpty else { return false }
        let request = RuleRequest(head, scheme, authority)
        guard let plan = policy.rules.plan(request, flow: { flow }) else { return false }
        commands.append(.noteRules(plan.hits))
        follow(plan, of: request, at: now, into: &commands)
        return true
    }

    /// Does what a plan says, as far as that goes without an answer from elsewhere.
    private mutating func follow(
        _ plan: RequestPlan,
        of request: RuleRequest,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        var plan = plan
        let step = plan.nextStep()
        switch step {
        case .consult(let question):
            consultations += 1
            exchange?.ruling = Ruling(original: request, plan: plan, question: consultations)
            commands.append(.arm(.idle, policy.limits.idleTimeout + question.patience))
            commands.append(.consult(consultations, question))
        case .answer(let answer): self.answer(answer, at: now, into: &commands)
        case .cut(let isReset, let reason): cut(isReset: isReset, reason, at: now, into: &commands)
        case .proceed:
            exchange?.ruling = Ruling(original: request, plan: plan)
            exchange?.apply(plan)
            commands.append(.arm(.idle, policy.limits.idleTimeout))
            proceed(at: now, into: &commands)
        }
    }

    /// What was asked about the exchange is decided; an answer that comes too late finds another question.
    mutating func decided(
        _ number: Int,
        _ decision: Decision,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        guard phase == .exchanging, let ruling = exchange?.ruling, ruling.question == number else { return }
        switch decision {
        case .proceed: follow(ruling.plan, of: ruling.original, at: now, into: &commands)
        case .answer(let answer): self.answer(answer, at: now, into: &commands)
        }
    }

    /// Ends the exchange, and the connection, without an answer.
    private mutating func cut(
        isReset: Bool,
        _ reason: String,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        exchange = nil
        commands.append(.endExchange(.answeredByProxy(reason)))
        guard isReset else { return close(at: now, into: &commands) }
        if case .ready = link { commands.append(.releaseServer) }
        link = .none
        commands.append(.resetClient)
        finish(Outcome(.completed, detail: reason), at: now, into: &commands)
        commands.append(.abort)
    }

    /// The response as rules want it to be.
    mutating func ruled(_ head: ResponseHead, into commands: inout [TunnelCommand]) -> ResponseHead {
        guard !policy.rules.isEmpty, let exchange else { return head }
        let request = exchange.ruling?.original ?? RuleRequest(exchange.request, askedScheme, shownAuthority)
        let response = RuleResponse(status: head.status, fields: head.fields)
        guard let plan = policy.rules.plan(response, to: request, flow: { flow }) else { return head }
        commands.append(.noteRules(plan.hits))
        guard plan.isChanged else { return head }
        // A switch of protocols is one whatever rules say.
        let status = head.status == 101 ? 101 : plan.response.status
        return head.changed(status: status, fields: plan.response.fields, to: exchange.request.method)
    }

    /// How the server of the exchange is shown.
    private var shownAuthority: Authority {
        exchange?.request.authority(for: askedScheme) ?? authority
            ?? Authority(host: policy.ownHost, port: scheme.defaultPort)
    }
}

extension Tunnel.Exchange {
    /// Lets the request be what a plan says.
    fileprivate mutating func apply(_ plan: RequestPlan) {
        if plan.isChanged || plan.shownAuthority != nil {
            let isSamePath = plan.request.path == request.target.path
            request = request.changed(plan, path: isSamePath ? nil : plan.request.path)
            if !isSamePath { path = nil }
        }
        if let target = plan.target(offering: ["http/1.1"]) { self.target = target }
    }
}

extension RequestHead {
    fileprivate func changed(_ plan: RequestPlan, path: String?) -> RequestHead {
        var fields = plan.request.fields
        if let host = plan.shownAuthority, let line = FieldLine("Host", host) {
            _ = fields.set(line, isLowercased: false)
        }
        return changed(method: plan.request.method, path: path, fields: fields)
    }
}

extension RuleRequest {
    /// The request as rules see it.
    fileprivate init(_ head: RequestHead, _ scheme: Scheme, _ authority: Authority) {
        self.init(
            scheme: scheme,
            authority: authority,
            method: head.method,
            path: head.target.path,
            fields: head.fields
        )
    }
}
