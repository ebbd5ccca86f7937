/// What a row of the matrix does by its own documentation: how its policy judges, and how its client behaves.
///
/// The semantics are a model of the mechanism, written from docs/PINS.md and not from the code that judges.
struct PolicySemantics: Hashable, Sendable {
    /// How servers are judged, by what was asked for; each of a host's judgings has to go well.
    private var judgings: [Encounter.Asked: [JudgingSemantics]]
    /// How the client behaves.
    var client = ClientSemantics()

    /// Creates semantics that are the same for every host.
    init(_ judging: JudgingSemantics) {
        self.init(Dictionary(uniqueKeysWithValues: Encounter.Asked.allCases.map { ($0, [judging]) }))
    }

    /// Creates semantics host by host; default handling for whom nothing is said about.
    init(_ judgings: [Encounter.Asked: [JudgingSemantics]]) { self.judgings = judgings }

    /// How the server of an encounter is judged.
    func judgings(_ asked: Encounter.Asked) -> [JudgingSemantics] {
        judgings[asked] ?? [JudgingSemantics()]
    }

    /// The same for the host that the policy names, and another judging for others.
    ///
    /// - Parameter other: How others are judged: by default handling, where the mechanism has nothing of its own.
    /// - Returns: The semantics.
    func forItsHost(_ other: JudgingSemantics = JudgingSemantics()) -> PolicySemantics {
        var semantics = self
        for asked in Encounter.Asked.allCases where asked != .meant { semantics.judgings[asked] = [other] }
        return semantics
    }

    /// The same with every judging changed.
    func judging(_ change: (inout JudgingSemantics) -> Void) -> PolicySemantics {
        var semantics = self
        semantics.judgings = judgings.mapValues { list in
            list.map { judging in
                var judging = judging
                change(&judging)
                return judging
            }
        }
        return semantics
    }

    /// The same with another client.
    func client(_ change: (inout ClientSemantics) -> Void) -> PolicySemantics {
        var semantics = self
        change(&semantics.client)
        return semantics
    }
}
