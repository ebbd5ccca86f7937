/// Operations on the parts of a combined policy, each with its place in a list.
extension [any TrustPolicy] {
    /// The pin lists of all parts.
    func pinLists(under path: String) -> [PinList] {
        enumerated().flatMap { index, policy in policy.pinLists.map { $0.moved(under: "\(path)[\(index)]") } }
    }

    /// Takes the values of the lists of all parts, in the order of ``pinLists(under:)``.
    mutating func take(_ lists: [PinList]) {
        var rest = lists[...]
        for index in indices {
            let count = self[index].pinLists.count
            self[index].pinLists = [PinList](rest.prefix(count))
            rest = rest.dropFirst(count)
        }
    }

    /// The findings about all parts.
    func findings(in lint: PolicyLint, under path: String) -> [LintFinding] {
        enumerated().flatMap { index, policy in
            policy.findings(in: lint).map { $0.moved(under: "\(path)[\(index)]") }
        }
    }
}
