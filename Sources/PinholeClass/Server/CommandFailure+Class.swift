package import PinholeSession

extension CommandFailure {
    /// Creates the failure of a command from that of a class.
    package init(_ failure: ClassFailure) {
        self.init(.couldNotRun, failure.description, remedy: failure.remedy)
    }
}
