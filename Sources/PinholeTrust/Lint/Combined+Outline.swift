import PinholeModel

extension PolicyOutline {
    /// What several policies say, by their place in a list.
    init(joining policies: [any TrustPolicy], path: String) {
        self.init()
        for (index, policy) in policies.enumerated() {
            guard let outlined = policy as? any OutlinedPolicy else { continue }
            add(outlined.outline, under: "\(path)[\(index)]", scope: nil)
        }
    }

    /// Takes over what a part says.
    mutating func add(_ part: PolicyOutline, under prefix: String, scope: Scope?) {
        let join = { (path: String) in path.isEmpty ? prefix : "\(prefix)/\(path)" }
        for var list in part.lists {
            list.path = join(list.path)
            list.scope = list.scope ?? scope
            lists.append(list)
        }
        findings += part.findings.map {
            LintFinding($0.code, $0.severity, at: join($0.path), $0.sentence, remedy: $0.remedy)
        }
    }
}

extension AllPolicy: OutlinedPolicy {
    /// What all of them say.
    package var outline: PolicyOutline { PolicyOutline(joining: policies, path: "of") }
}

extension AnyPolicy: OutlinedPolicy {
    /// What all of them say.
    package var outline: PolicyOutline { PolicyOutline(joining: policies, path: "of") }
}

extension HostPolicies: OutlinedPolicy {
    /// What all of them say, for the hosts that they are for.
    package var outline: PolicyOutline {
        var outline = PolicyOutline()
        for (index, entry) in entries.enumerated() {
            guard let outlined = entry.policy as? any OutlinedPolicy else { continue }
            let patterns = entry.patterns
            let scope = PolicyOutline.Scope(patterns.map(\.description).joined(separator: ", ")) { host in
                patterns.contains { $0.matches(Authority(host: host, port: 443)) }
            }
            outline.add(outlined.outline, under: "[\(index)]", scope: scope)
        }
        return outline
    }
}
