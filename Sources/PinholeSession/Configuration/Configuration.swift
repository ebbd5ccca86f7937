package import PinholeFilter
package import PinholeModel
package import PinholeRules
package import PinholeRuntime
package import PinholeTelemetry

/// The content of the file `config.json`.
///
/// A new value has the defaults; docs/CONFIGURATION.md explains each of them.
package struct Configuration: Sendable {
    /// The listeners, and the clients that may connect.
    package var proxy = Proxy()
    /// The certificate authority of the proxy.
    package var authority = Authority()
    /// TLS on both sides.
    package var tls = TLS()
    /// The way to servers.
    package var upstream = Upstream()
    /// The addresses that are used without name resolution.
    package var resolve: [Resolver.Override] = []
    /// The filters that are saved under names.
    package var filters = SavedFilters()
    /// The record of the traffic.
    package var capture = Capture()
    /// The programs that rules may name.
    package var programs: [ProgramDeclaration] = []
    /// The rules for exchanges.
    package var rules = RuleSet()
    /// The texts of the rules, each as JSON.
    package var ruleTexts: [String] = []
    /// The address of the console.
    package var console = ConsoleChoice.automatic
    /// The files that name the fields of Protocol Buffers in the console; only a flag says them.
    package var protos: [String] = []
    /// The collector that gets spans of the traffic.
    package var telemetry = CollectorSettings()
    /// The deadlines and sizes.
    package var limits = Limits()

    /// Creates the defaults.
    package init() {}

    /// Reads a configuration; missing keys keep their defaults.
    ///
    /// - Parameter value: The content of the file.
    /// - Throws: ``DocumentFailure`` for an unknown key or a value that cannot be used.
    package init(_ value: JSONValue) throws(DocumentFailure) {
        self.init()
        var root = try DocumentObject(value, path: "")
        for section in ConfigurationSection.all { try section.read(&root, &self) }
        try root.finish()
    }

    /// Changes every path of a file or folder.
    mutating func changePaths(_ resolve: (String) -> String) {
        authority.directory = resolve(authority.directory)
        capture.file = capture.file.map(resolve)
        rules = rules.resolvingPaths(resolve)
        proxy.changePaths(resolve)
        tls.changePaths(resolve)
        upstream.credentials?.changePath(resolve)
    }
}

/// The members without keys of their own.
extension Configuration {
    static var resolveMember: ConfigurationSection {
        let override = DocumentValue.parsed { (text) throws(AddressFailure) in
            try Resolver.Override(InternationalName.ascii(text))
        }
        return ConfigurationSection(
            .list(
                "resolve",
                \.resolve,
                override,
                "addresses that are used without name resolution",
                harm: .confirmed("connections to a host go to another address") { (configuration, key) in
                    configuration.resolve.map { "connects to another address for some hosts: \($0) (\(key))" }
                }
            )
        )
    }

    static var filtersMember: ConfigurationSection {
        ConfigurationSection(
            .value(
                "filters",
                \.filters,
                usual: "{}",
                savedFilters,
                "filters with names, which other filters call",
                harm: .none("a filter acts only through the rule or key that uses it")
            )
        )
    }

    static var programsMember: ConfigurationSection {
        ConfigurationSection(
            .value(
                "programs",
                \.programs,
                usual: "{}",
                ProgramDeclaration.all,
                "programs that rules may ask",
                harm: .confirmed("programs run as you") { (configuration, key) in
                    configuration.programs.map { program in
                        "runs the program \(program.command.joined(separator: " ")) (\(key).\(program.name))"
                    }
                }
            )
        )
    }

    static var rulesMember: ConfigurationSection {
        ConfigurationSection(
            ConfigurationKey(
                "rules",
                usual: "[]",
                "rules for exchanges",
                harm: .confirmed("rules change or answer messages", values: "of most kinds") {
                    (configuration, _) in configuration.rules.rules.compactMap(\.consequence)
                }
            ) {
                (name, object, configuration) throws(DocumentFailure) in
                let (vocabulary, programs) = (configuration.filters.vocabulary, configuration.programs)
                try object.read(name, into: &configuration.rules) { (value, path) throws(DocumentFailure) in
                    try RuleSet(value, path: path, vocabulary: vocabulary)
                        .resolvingPrograms(programs, path: path)
                }
            }
        )
    }

    static var consoleMember: ConfigurationSection {
        ConfigurationSection(
            .value(
                "console",
                \.console,
                usual: "\"auto\"",
                DocumentValue.parsed(ConsoleChoice.init),
                "the address of the web console",
                harm: .none("the console is on loopback alone, and asks for its token")
            )
        )
    }
}

extension Configuration {
    /// Remarks on possible mistakes in saved filters and in the filter of the capture.
    package var remarksOnFilters: [String] {
        filters.entries.flatMap { entry in entry.filter.remarks.map { "filters.\(entry.name): \($0)" } }
            + capture.remarks
    }

    /// Reads `filters`, an object whose members are filters by their names.
    private static func savedFilters(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> SavedFilters {
        guard case .object(let members) = value else {
            throw value.failure(at: path, expected: "an object {…}")
        }
        var texts: [String: String] = [:]
        for (name, value) in members { texts[name] = try DocumentValue.string(value, "\(path).\(name)") }
        do throws(SavedFilters.Failure) {
            return try SavedFilters(texts, hostNames: InternationalName.ascii)
        } catch {
            throw DocumentFailure(
                path: error.name.isEmpty ? path : "\(path).\(error.name)",
                problem: error.description
            )
        }
    }
}

extension SavedFilters {
    /// The vocabulary of filters that may refer to these saved ones.
    package var vocabulary: FilterVocabulary {
        FilterVocabulary(hostNames: InternationalName.ascii, saved: self)
    }
}
