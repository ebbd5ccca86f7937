import PinholeModel
import PinholeRules
import PinholeWire

extension RequestHead {
    /// Returns the request as the plan changes it; unchanged if no server could be asked with the result.
    func changed(by plan: RequestPlan, framing: BodyFraming?) -> RequestHead {
        let changed = try? changed(
            method: plan.request.method,
            scheme: plan.request.scheme,
            authority: plan.shownAuthority,
            path: plan.request.path == textualPath ? nil : plan.request.path,
            fields: plan.request.fields,
            framing: framing
        )
        return changed ?? self
    }
}

extension RuleRequest {
    /// Creates the form of a request that rules see.
    init(_ head: RequestHead, _ scheme: Scheme, _ authority: Authority) {
        self.init(
            scheme: scheme,
            authority: authority,
            method: head.method,
            path: head.textualPath.isEmpty ? "/" : head.textualPath,
            fields: head.fields,
            isLowercased: head.version == .http2
        )
    }
}
