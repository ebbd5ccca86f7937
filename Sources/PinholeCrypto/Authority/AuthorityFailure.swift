import PinholeFiles
import PinholeModel

/// The reason why the files of an authority cannot be used, and the remedy.
package struct AuthorityFailure: Error, Equatable, CustomStringConvertible {
    /// The problem, with the path; a sentence without the final period.
    package let problem: String
    /// The shell command that solves the problem; `nil` if there is none.
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
