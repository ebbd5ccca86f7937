import Testing

/// Runs the `pinhole` of this build in a directory of its own.
package struct PinholeBinary {
    /// The directory in which the program runs.
    package let directory: TemporaryDirectory
    private let path: String

    /// Prepares the directory.
    ///
    /// - Parameter keepsItsOwn: Whether the directory has a `config.json`, so that CA and capture lie in it.
    /// - Throws: What the system said when it could not be made.
    package init(keepsItsOwn: Bool = true) throws {
        directory = try TemporaryDirectory()
        if keepsItsOwn { try directory.write("{}", to: "config.json") }
        path = try #require(Executable.pinhole, "swift build --product pinhole")
    }

    /// An invocation in the directory, without anything that the environment of the tests says about proxies.
    package func invocation(_ arguments: [String], _ environment: [String: String?] = [:]) -> Invocation {
        var variables: [String: String?] = ["HOME": directory.path, "TMPDIR": directory.path]
        for name in [
            "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "SSLKEYLOGFILE", "PINHOLE_PROXY_AUTH",
        ] {
            variables.updateValue(nil, forKey: name)
            variables.updateValue(nil, forKey: name.lowercased())
        }
        for (name, value) in environment { variables.updateValue(value, forKey: name) }
        return Invocation(path, arguments, environment: variables, directory: directory.path)
    }

    /// Runs it to its end.
    package func run(
        _ arguments: String...,
        environment: [String: String?] = [:]
    ) async throws -> ProcessResult {
        try await ProcessRunner.run(invocation(arguments, environment))
    }
}
