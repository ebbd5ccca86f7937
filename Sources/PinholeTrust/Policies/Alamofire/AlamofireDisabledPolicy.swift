/// Alamofire's `DisabledTrustEvaluator`: everything passes.
package struct AlamofireDisabledPolicy: AlamofireEvaluator, Hashable {
    /// `alamofire-disabled`.
    package var mechanism: String { "alamofire-disabled" }

    /// Creates it; there is nothing to set.
    package init() {}

    /// Checks nothing.
    func evaluate(_ trust: inout SecTrustModel, _ builder: inout JudgementBuilder) -> Judgement? {
        builder.skip("everything", "DisabledTrustEvaluator checks nothing: any certificate passes")
        return nil
    }
}
