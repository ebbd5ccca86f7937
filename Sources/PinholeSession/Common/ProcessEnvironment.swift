import Glibc

/// The environment of this process.
package enum ProcessEnvironment {
    /// The current variables; if a variable is set twice, the first value counts, as for `getenv`.
    package static var variables: [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let parts = String(cString: text).split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            if parts.count == 2, variables[String(parts[0])] == nil {
                variables[String(parts[0])] = String(parts[1])
            }
            entry += 1
        }
        return variables
    }
}
