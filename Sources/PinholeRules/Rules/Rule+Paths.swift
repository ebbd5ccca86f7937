import PinholeFilter
import PinholeModel

extension Rule {
    /// Remarks about a `from` that no matching path begins with.
    var remarksOnPaths: [String] {
        switch action {
        case .mapRemote(let map) where map.path != nil && filter.excludesPaths(beginningWith: map.from):
            ["its “from” (\(map.from)) never applies: no path that it means begins so"]
        case .mapLocal(let map) where map.isFolder && filter.excludesPaths(beginningWith: map.prefix):
            ["it answers with 404 alone: no path that it means begins with its “from” (\(map.prefix))"]
        default: []
        }
    }
}

extension Filter {
    fileprivate func excludesPaths(beginningWith start: String) -> Bool {
        guard !start.contains("?") else { return false }
        return root.conjuncts.contains { node in
            switch node {
            case .text(.path, .equal(let path)): !path.begins(with: start)
            case .text(.path, .starts(let path)): !path.begins(with: start) && !start.begins(with: path)
            default: false
            }
        }
    }
}

extension String {
    /// Whether the text begins with `start`, ignoring case, as filters do.
    fileprivate func begins(with start: String) -> Bool {
        CaseFolding.isEqual(utf8.prefix(start.utf8.count), Array(start.utf8))
    }
}
