package import PinholeLab

/// The hosts of the user's policy files, a line each.
extension LabDocument {
    /// The standing of a host in a sentence: by the cells of its row, or without a row.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - profile: The grades that count.
    /// - Returns: A sentence without its end.
    package func sentence(of host: JudgedHost, _ profile: LabProfile) -> String {
        guard let row = policies.first(where: { $0.id == host.row }) else { return host.sentence }
        if let fault = row.fault { return fault }
        let judged = cells.filter { $0.place.policy == row.id && profile.judges($0.grade) }
        let groups = [LabOutcome.missed, .falseAlarm, .inconclusive].compactMap { outcome -> String? in
            let names = judged.filter { $0.outcome == outcome && !$0.isAsExpected }.map(\.place.scenario)
            guard !names.isEmpty else { return nil }
            let rest = names.count > 4 ? " and \(names.count - 4) more" : ""
            let preposition = outcome == .inconclusive ? "" : "in "
            return "\(outcome.title) \(preposition)\(names.prefix(4).joined(separator: ", "))\(rest)"
        }
        let right = judged.count { $0.isAsExpected }
        return groups.isEmpty
            ? "as a correct client in \(right) of \(judged.count) scenarios" : groups.joined(separator: "; ")
    }

    /// Whether a row misses an attack or refuses a legitimate change that counts.
    package func isFaulty(_ host: JudgedHost, _ profile: LabProfile) -> Bool {
        guard let row = policies.first(where: { $0.id == host.row }) else { return host.isFault }
        return row.fault != nil
            || cells.contains { $0.place.policy == row.id && $0.isFault && profile.judges($0.grade) }
    }

    /// The places of a question that a user can accept: by the file as it was named, and by its row.
    package func places(of question: JudgedHost) -> [String] {
        let file = policies.first { $0.id == question.policy }?.file
        return [file, question.policy].compactMap(\.self).map { "\($0):\(question.line ?? 1)" }
    }
}

extension JudgedHost {
    /// The host with its file, for lines that stand alone.
    var place: String { title.isEmpty ? policy : "\(policy): \(title)" }

    /// Whether the file does not decide it.
    package var isQuestion: Bool { state == .notProven }
}

extension JudgedHost.State {
    /// The state in words.
    var title: String {
        switch self {
        case .pinned: "pinned"
        case .refused: "refused"
        case .notPinned: "not pinned"
        case .anyName: "open to a certificate for any host"
        case .acceptsEverything: "open to every certificate"
        case .notProven: "not proven"
        }
    }
}
