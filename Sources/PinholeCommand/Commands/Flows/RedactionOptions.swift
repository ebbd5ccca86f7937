import ArgumentParser
import PinholeFormats
import PinholeSession

/// The options that say which values are secret.
struct RedactionOptions: ParsableArguments {
    @Option(help: .value("name", "A header, parameter or member whose values are secret; may be repeated."))
    var name: [String] = []

    @Option(help: .value("file", "More secret values, one in each line; “-” is standard input."))
    var values: String?

    @Option(
        help: .value(
            "kind",
            "Values that are not secrets: credential, cookie, token, email, card, phone; may be repeated."
        )
    )
    var keep: [Secret.Kind] = []

    /// Returns the redactor that the options describe.
    ///
    /// - Returns: The redactor, which has collected nothing.
    /// - Throws: ``CommandFailure`` if the file of values cannot be read, or a value is too short to be found.
    func redactor() throws(CommandFailure) -> Redactor {
        try Self.redactor(names: name, values: values, keeping: keep)
    }

    /// Returns a redactor that has collected nothing.
    ///
    /// - Parameters:
    ///   - names: The names whose values are secret.
    ///   - values: The file of secret values; `nil` for none.
    ///   - kept: The kinds of values that are no secrets.
    /// - Returns: The redactor.
    /// - Throws: ``CommandFailure`` if the file of values cannot be read, or a value is too short to be found.
    static func redactor(
        names: [String],
        values: String?,
        keeping kept: [Secret.Kind]
    ) throws(CommandFailure) -> Redactor {
        let named =
            try values.map { (file) throws(CommandFailure) in
                try TextFile.lines(PolicyRowName.file(file), for: "secret values").filter { !$0.isEmpty }
            } ?? []
        if let short = named.first(where: { $0.utf8.count < ByteSearch.shortest }) {
            throw CommandFailure.usage(
                "--values: expected values of at least \(ByteSearch.shortest) bytes, found one of \(short.utf8.count)"
            )
        }
        return Redactor(SecretFinder(names: names, keeping: Set(kept)), named: named)
    }
}

/// The options of a copy without known secrets, whose help says that they need its flag.
struct KnownSecretOptions: ParsableArguments {
    @Flag(help: "Replace known secrets alone, which finds what it knows and proves nothing.")
    var knownOnly = false

    @Option(
        help: .value(
            "name",
            "With --known-only: a header, parameter or member whose values are secret; may be repeated."
        )
    )
    var name: [String] = []

    @Option(
        help: .value(
            "file",
            "With --known-only: more secret values, one in each line; “-” is standard input."
        )
    )
    var values: String?

    @Option(
        help: .value(
            "kind",
            "With --known-only: values that are not secrets: credential, cookie, token, email, card, phone; may be repeated."
        )
    )
    var keep: [Secret.Kind] = []

    func validate() throws {
        guard knownOnly || name.isEmpty && values == nil && keep.isEmpty else {
            throw ValidationError(
                "--name, --values, --keep: expected --known-only beside them; without it, every value is replaced"
            )
        }
    }

    /// Returns the redactor that the options describe.
    ///
    /// - Returns: The redactor, which has collected nothing.
    /// - Throws: ``CommandFailure`` if the file of values cannot be read, or a value is too short to be found.
    func redactor() throws(CommandFailure) -> Redactor {
        try RedactionOptions.redactor(names: name, values: values, keeping: keep)
    }
}

extension Secret.Kind: ExpressibleByArgument {}
