import PinholeModel

extension ResponsePlan {
    /// Applies `rule` to the plan.
    mutating func apply(_ rule: Rule) {
        var changed: [String] = []
        var remains = ""
        switch rule.action {
        case .rewriteResponse(let edit):
            if !edit.body.isEmpty { tasks.append(rule.task(.edit(edit.body))) }
            guard !edit.isForBodyAlone else { return }
            if edit.status != nil, response.isSwitch {
                remains = "; the status of a protocol switch stays"
            } else if let status = edit.status, status != response.status {
                changed.append("status \(response.status) to \(status)")
                response.status = status
            }
            changed += change(edit.fields)
        case .breakpoint(let breakpoint):
            return tasks.append(rule.task(.breakpoint(breakpoint.patience)))
        case .askProgram(let call):
            if let point = call.responsePoint { tasks.append(rule.task(.program(call, point))) }
            return
        case .noCaching:
            let validators = ["etag", "last-modified", "expires"].map(FieldEdit.remove)
            let demand = FieldLine("Cache-Control", "no-store").map { [FieldEdit.set($0)] } ?? []
            changed += change(validators + demand)
        // `changesResponse` has selected the others.
        default: return
        }
        if !changed.isEmpty { isChanged = true }
        let effect = changed.isEmpty ? "nothing to change" : "changed " + changed.joined(separator: ", ")
        hits.append(RuleHit(rule: rule.name, kind: rule.action.kind.rawValue, effect: effect + remains))
    }

    /// - Returns: The names of the fields that were changed.
    private mutating func change(_ edits: [FieldEdit]) -> [String] {
        var names: [String] = []
        for edit in edits where edit.apply(to: &response.fields, isLowercased: response.isLowercased) {
            if !names.contains(edit.name) { names.append(edit.name) }
        }
        return names
    }
}
