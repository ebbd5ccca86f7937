import ArgumentParser
import PinholeTrust

/// The option that chooses the verifier of policies that name none.
struct VerifierOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The verifier for policies that name none (that of each mechanism): \(VerifierProfile.Name.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "name"
        ),
        transform: { try VerifierProfile.named(FlagValue.choice($0, "a verifier")) }
    )
    var verifier: VerifierProfile?
}
