import ArgumentParser
import PinholeTrust

/// The option that chooses the verifier of policies that name none.
struct VerifierOption: ParsableArguments {
    @Option(
        help: .value(
            "name",
            "The verifier for policies that name none (that of each mechanism): \(VerifierProfile.Name.allCases.map(\.rawValue).joined(separator: ", "))."
        ),
        transform: { try VerifierProfile.named(FlagValue.choice($0, "a verifier")) }
    )
    var verifier: VerifierProfile?
}
