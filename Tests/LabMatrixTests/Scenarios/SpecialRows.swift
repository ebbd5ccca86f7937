import PinholeModel
import PinholeTrust

@testable import PinholeLab

/// Clients that do one thing better or worse than the modes, for the scenarios that turn on it: rows that the lab
/// brings along, and one that would be of no use in it.
enum SpecialRows {
    /// All of them.
    static let all = LabPolicy.clients + LabPolicy.others + LabPolicy.trustKit + [searches]

    /// Looks for the pinned key's bytes anywhere in the certificate.
    static let searches = LabPolicy("searches", "looks for the key's bytes") { target in
        SearchingPolicy(spki: target.world.leaf.spki)
    }
}

/// A second parser that is none.
private struct SearchingPolicy: TrustPolicy {
    let spki: [UInt8]

    var mechanism: String { "searching" }

    func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        let system = SystemPolicy().judge(evidence, with: evaluator)
        guard case .trusted = system.verdict, let der = evidence.presented.leaf?.der else { return system }
        let isThere = der.indices.contains { der[$0...].starts(with: spki) }
        return isThere ? system : BrokenPolicy(.presentedSPKI).judge(evidence, with: evaluator)
    }
}
