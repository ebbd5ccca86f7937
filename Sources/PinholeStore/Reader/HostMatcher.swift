import PinholeModel

/// Matches the authorities of rows with a pattern, each distinct one only once.
struct HostMatcher {
    private let pattern: HostPattern?
    private var known: [String: Bool] = [:]

    private static let remembered = 4096

    init(_ pattern: HostPattern?) { self.pattern = pattern }

    /// Whether the authority is meant; one that is missing is meant by no pattern.
    mutating func matches(_ text: String?, defaultPort: UInt16) -> Bool {
        guard let pattern else { return true }
        guard let text else { return false }
        let key = "\(defaultPort) \(text)"
        if let known = known[key] { return known }
        let matches = (try? Authority(text, defaultPort: defaultPort)).map(pattern.matches) ?? false
        if known.count >= Self.remembered { known.removeAll(keepingCapacity: true) }
        known[key] = matches
        return matches
    }
}
