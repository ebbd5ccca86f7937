/// What the settings of a policy say about one host.
enum SemanticsReading {
    /// They say how its servers are judged.
    case judges([JudgingSemantics])
    /// They say nothing: default handling decides, where nobody else does.
    case silent(refusesCleartext: Bool = false)
    /// The rules cannot say what follows from them, and why.
    case unknown(String)

    /// They say that.
    static func judges(_ judging: JudgingSemantics) -> SemanticsReading { .judges([judging]) }
}

/// Settings that the rules know the meaning of.
///
/// It reads the settings and asks no policy to judge: what it says is a model of its own.
protocol ReadablePolicy {
    /// What the settings say about a host.
    func semantics(_ context: SemanticsContext) -> SemanticsReading
    /// The sound settings of the mechanism, by which scenarios are graded.
    func forms(_ context: SemanticsContext) -> [PolicySemantics]
}

extension ReadablePolicy {
    func forms(_ context: SemanticsContext) -> [PolicySemantics] { PolicySemantics.anyMechanism }
}
