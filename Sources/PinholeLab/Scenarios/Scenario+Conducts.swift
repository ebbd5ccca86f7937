extension Scenario {
    /// The client fetches once, and whatever is no answer of 200 is a refusal: the attack came to nothing.
    static let refusedUnlessAnswered: Conduct = { bench, policy throws(LabFailure) in
        let visit = try await bench.visit(try bench.client(of: policy))
        guard visit.observation.decision == .undecided else { return visit.observation }
        return visit.decided(.rejected, visit.observation.summary)
    }

    /// The client fetches once; what the servers of the stage noted is what it gave away.
    ///
    /// - Parameters:
    ///   - given: What it says where something was noted.
    ///   - kept: What it says where nothing was.
    /// - Returns: The conduct.
    static func givesNothingAway(_ given: String, kept: String) -> Conduct {
        { bench, policy throws(LabFailure) in
            let visit = try await bench.visit(try bench.client(of: policy))
            let notes = bench.staging.journal.take()
            guard let first = notes.first else { return visit.decided(.rejected, kept) }
            return visit.decided(.accepted, "\(given): \(first).")
        }
    }
}
