/// A program, or a device, that is let loose on one scenario after the other.
package protocol AuditSubject: Sendable {
    /// Makes one visit and says how it ended; the lab watches the wire meanwhile.
    ///
    /// - Parameter stage: Where to go, and what the device trusts.
    /// - Returns: How it ended.
    /// - Throws: ``LabFailure`` where it could not even begin.
    func visit(_ stage: AuditStage) async throws(LabFailure) -> AuditVisit
}

/// How one visit ended, seen from the program's side.
package struct AuditVisit: Sendable, Hashable {
    /// How it ended.
    package enum End: Sendable, Hashable {
        /// With this exit code.
        case exited(Int32)
        /// By this signal.
        case signalled(Int32)
        /// It still ran when the time was over.
        case timedOut
        /// There was no program to run; the connection came from elsewhere, and is over.
        case done
    }

    /// How it ended.
    package var end: End
    /// The last line that it wrote to standard error; `nil` for none.
    package var lastLine: String?

    /// Describes an end.
    package init(_ end: End, lastLine: String? = nil) {
        self.end = end
        self.lastLine = lastLine
    }

    /// How it ended, as the end of a sentence: `it exited with 60: “curl: (60) …”`.
    package var phrase: String {
        let what =
            switch end {
            case .exited(let code): "it exited with \(code)"
            case .signalled(let signal): "signal \(signal) ended it"
            case .timedOut: "it still ran when the time was over"
            case .done: "nobody came until the time was over"
            }
        return lastLine.map { "\(what): “\($0)”" } ?? what
    }
}
