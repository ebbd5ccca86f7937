import ArgumentParser
import PinholeFormats

/// The options that say which values are secret.
struct RedactionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A field, parameter or member whose values are secret; may be repeated.",
            valueName: "name"
        )
    )
    var name: [String] = []

    @Option(
        help: ArgumentHelp("More secret values, one in each line; “-” is standard input.", valueName: "file")
    )
    var values: String?

    @Option(
        help: ArgumentHelp(
            "Values that are no secrets: credential, cookie, token, email, card, phone; may be repeated.",
            valueName: "kind"
        )
    )
    var keep: [Secret.Kind] = []

    /// Whether one of the options was given.
    var isUsed: Bool { !name.isEmpty || values != nil || !keep.isEmpty }

    /// Returns the redactor that the options describe.
    ///
    /// - Returns: The redactor, which has collected nothing.
    /// - Throws: ``CommandFailure`` if the file of values cannot be read, or a value is too short to be found.
    func redactor() throws(CommandFailure) -> Redactor {
        let named =
            try values.map { (file) throws(CommandFailure) in
                try TextFile.lines(PolicyRowName.file(file), for: "secret values").filter { !$0.isEmpty }
            } ?? []
        if let short = named.first(where: { $0.utf8.count < ByteSearch.shortest }) {
            throw CommandFailure(
                .usage,
                "--values: expected values of at least \(ByteSearch.shortest) bytes, found one of \(short.utf8.count)"
            )
        }
        return Redactor(SecretFinder(names: name, keeping: Set(keep)), named: named)
    }
}

extension Secret.Kind: ExpressibleByArgument {}
