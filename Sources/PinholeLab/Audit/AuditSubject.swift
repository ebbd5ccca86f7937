/// A program, or a device, that visits one scenario after the other.
package protocol AuditSubject: Sendable {
    /// Makes one visit and returns its end; the lab watches the wire meanwhile.
    ///
    /// - Parameter stage: The server to visit, and the roots that the device trusts.
    /// - Returns: The end of the visit.
    /// - Throws: ``LabFailure`` if the visit could not begin.
    func visit(_ stage: AuditStage) async throws(LabFailure) -> AuditVisit
}

/// The end of one visit, seen from the program's side.
package struct AuditVisit: Sendable, Hashable {
    /// The way in which a visit ends.
    package enum End: Sendable, Hashable {
        /// The program exited with this code.
        case exited(Int32)
        /// The program was ended by this signal.
        case signalled(Int32)
        /// The program still ran when its time was over.
        case timedOut
        /// No program was run: the connection came from elsewhere, and is over.
        case done
    }

    /// The way in which the visit ended.
    package var end: End
    /// The last line that it wrote to standard error; `nil` for none.
    package var lastLine: String?

    /// Describes an end.
    package init(_ end: End, lastLine: String? = nil) {
        self.end = end
        self.lastLine = lastLine
    }

    /// The end as the last words of a sentence: `it exited with 60: “curl: (60) …”`.
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
