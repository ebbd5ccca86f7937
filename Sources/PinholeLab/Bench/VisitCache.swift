package import PinholeClient
import PinholeLock
import PinholeTrust

/// The visits of clients that accepted every server, for further clients that judge the same servers in memory.
final class VisitCache: Sendable {
    /// A visit by a client that accepted every server.
    struct Entry: Sendable {
        let url: ClientURL
        let habits: ClientSettings.Habits
        let client: PinholeClient
        let visit: ScenarioBench.Visit
        /// The notes of the servers about the visit.
        let notes: [String]
    }

    private let entries = Lock<[Entry]>([])

    /// Returns the visit to a URL by a client with these habits; `nil` for none so far.
    func entry(_ url: ClientURL, _ habits: ClientSettings.Habits) -> Entry? {
        entries.withLock { $0.first { $0.url == url && $0.habits == habits } }
    }

    /// Keeps a visit.
    func keep(_ entry: Entry) { entries.withLock { $0.append(entry) } }
}

extension LabPolicy {
    /// A client that accepts every server, and otherwise behaves like the client of `policy`.
    static func careless(like policy: LabPolicy) -> LabPolicy {
        LabPolicy("careless", "accept everything", .broken, adapt: policy.adapt) { _ in
            BrokenPolicy(.acceptAll)
        }
    }
}

extension ScenarioBench {
    /// A new client of a policy fetches once: in memory if the stage has a memory that shows the outcome.
    ///
    /// - Parameters:
    ///   - policy: The policy that the client decides by.
    ///   - url: The URL of the request; `nil` for the stage's.
    /// - Returns: The behaviour of the client.
    /// - Throws: ``LabFailure`` if the policy cannot be made, or the stage has no valid URL.
    package func visitOnce(_ policy: LabPolicy, _ url: ClientURL? = nil) async throws(LabFailure) -> Visit {
        let wanted: ClientURL
        if let url { wanted = url } else { wanted = try self.url() }
        if judgesAllInMemory || policy.isJudgedInMemory, let visit = try await judge(policy, wanted) {
            return visit
        }
        return try await visit(try client(of: policy), wanted)
    }

    /// Judges the servers of an earlier visit by a policy; `nil` if only a visit shows the outcome.
    private func judge(
        _ policy: LabPolicy,
        _ url: ClientURL
    ) async throws(LabFailure) -> Visit? {
        // The answers of an app to servers that ask for a password are no part of its habits.
        guard policy.answer == nil else { return nil }
        let (settings, delegate) = try clientParts(of: policy)
        let earlier: VisitCache.Entry
        if let known = memory.entry(url, settings.habits) {
            earlier = known
        } else {
            let client = try client(of: .careless(like: policy))
            let visit = try await visit(client, url)
            earlier = VisitCache.Entry(
                url: url,
                habits: settings.habits,
                client: client,
                visit: visit,
                notes: staging.journal.take()
            )
            memory.keep(earlier)
        }
        guard !earlier.visit.isLost,
            let outcome = await earlier.client.judgeServers(
                of: earlier.visit.outcome,
                as: settings,
                delegate: delegate
            )
        else { return nil }
        var observation = Observation(outcome)
        observation.isFromMemory = true
        guard observation.failure != earlier.visit.observation.failure else {
            observation.wire = earlier.visit.observation.wire
            for note in earlier.notes { staging.journal.note(note) }
            return Visit(outcome: outcome, observation: observation)
        }
        // The notes do not say which servers were met before the refusal.
        return earlier.notes.isEmpty ? Visit(outcome: outcome, observation: observation) : nil
    }
}
