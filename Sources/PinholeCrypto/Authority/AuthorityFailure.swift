import Glibc
import PinholeFiles
import PinholeModel

/// Why the files of an authority cannot be used, and what mends them.
package struct AuthorityFailure: Error, Equatable, CustomStringConvertible {
    /// What is wrong, with the path; a sentence without the final period.
    package let problem: String
    /// The shell command that mends it; `nil` where there is none.
    package let remedy: String?

    /// Creates a failure.
    package init(_ problem: String, remedy: String? = nil) {
        self.problem = problem
        self.remedy = remedy
    }

    init(_ attempt: String, _ path: String, _ error: Errno) {
        self.init("could not \(attempt) \(path): \(error)")
    }

    /// The problem and the remedy.
    package var description: String { problem + Remedy.clause(remedy) }

    init(_ fault: FileFault) { self.init(fault.problem, remedy: fault.remedy) }
}
