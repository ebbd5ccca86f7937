import PinholeModel

/// What somebody may have meant.
enum Suggestion {
    /// The known name that is nearest; `nil` when none is near enough for names as short as these.
    static func nearest(to word: String, in known: [String]) -> String? {
        guard let near = EditDistance.nearest(to: word, in: known) else { return nil }
        let distance = EditDistance.between(word, near)
        return distance > 0 && distance <= max(1, near.count / 3) ? near : nil
    }
}
