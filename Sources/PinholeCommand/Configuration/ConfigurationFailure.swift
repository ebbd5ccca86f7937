/// Why a configuration cannot be used: where, what was expected, what came, what to do.
struct ConfigurationFailure: Error, Equatable, CustomStringConvertible {
    /// The file; empty where it is not known.
    var file = ""
    /// The path of the key, such as `tls.client.minimum`; empty for the whole file.
    let path: String
    /// What was expected.
    let expected: String
    /// What came.
    let found: String
    /// What to do; empty where that follows from the rest.
    let remedy: String

    /// Creates a failure.
    init(path: String, expected: String, found: String, remedy: String = "") {
        self.path = path
        self.expected = expected
        self.found = found
        self.remedy = remedy
    }

    /// One line.
    var description: String {
        let place = [file, path].filter { !$0.isEmpty }.joined(separator: ": ")
        let problem = "expected \(expected), found \(found)" + (remedy.isEmpty ? "" : "; \(remedy)")
        return place.isEmpty ? problem : "\(place): \(problem)"
    }

    /// The same failure, found in `file`.
    func inFile(_ file: String) -> ConfigurationFailure {
        var failure = self
        failure.file = file
        return failure
    }
}
