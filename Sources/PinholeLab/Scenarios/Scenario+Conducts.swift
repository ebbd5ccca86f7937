import PinholeClient
import PinholeModel
import PinholeTrust

extension Scenario {
    /// The client fetches once; any result but an answer of 200 is a refusal, since the attack failed.
    static let refusedUnlessAnswered: Conduct = { bench, policy throws(LabFailure) in
        let visit = try await bench.visitOnce(policy)
        guard visit.observation.decision == .undecided, !visit.isLost else { return visit.observation }
        return visit.decided(.rejected, visit.observation.summary)
    }

    /// The client fetches once, and code that may remember comes back behind a patient man in the middle.
    ///
    /// He lets the first connections pass. One request over an intercepted connection is a miss.
    static let patient: Conduct = { bench, policy throws(LabFailure) in
        let observation = try await bench.visit(policy)
        guard policy.mayRemember, observation.decision == .rejected else { return observation }
        for count in ScenarioAudit.patience {
            bench.letPass(count)
            let client = try bench.client(of: policy)
            for _ in 0..<count { _ = try await bench.visit(client) }
            let visit = try await bench.visit(client)
            bench.letPass(0)
            guard visit.observation.decision == .accepted else { continue }
            let connections = count == 1 ? "connection" : "\(count) connections"
            return visit.decided(
                .accepted,
                "With the first \(connections) left alone: \(visit.observation.summary)"
            )
        }
        return observation
    }

    /// The client fetches once; the notes of the stage's servers show what it gave away.
    ///
    /// - Parameters:
    ///   - given: The summary if something was noted.
    ///   - kept: The summary if nothing was noted.
    /// - Returns: The conduct.
    static func sendsNoSecret(_ given: String, kept: String) -> Conduct {
        { bench, policy throws(LabFailure) in
            let visit = try await bench.visitOnce(policy)
            let notes = bench.staging.journal.take()
            guard let first = notes.first else { return visit.decided(.rejected, kept) }
            return visit.decided(.accepted, "\(given): \(first).")
        }
    }

    /// The client fetches once; the relay's notes show how often it tried, and with which versions.
    static let retriesWithWeakerOffer: Conduct = { bench, policy throws(LabFailure) in
        let visit = try await bench.visitOnce(policy)
        let attempts = bench.staging.journal.take()
        guard !attempts.isEmpty else {
            return visit.decided(.undecided, "No ClientHello came: \(visit.observation.summary)")
        }
        guard !LabJournal.isWeaker(attempts), visit.status == nil else {
            return visit.decided(
                .accepted,
                "It came back with less: \(attempts.joined(separator: ", "))."
            )
        }
        return visit.decided(
            .rejected,
            "It gave up after \(attempts.count) attempt\(attempts.count == 1 ? "" : "s"), none of them weaker."
        )
    }

    /// The client fetches under several spellings of the host; accepting one of them is a miss.
    static let everySpelling: Conduct = { bench, policy throws(LabFailure) in
        var last: Observation?
        for spelling in spellings(of: bench.world.host) {
            let visit = try await bench.visitOnce(policy, try bench.url(writing: spelling))
            guard visit.observation.decision == .rejected else {
                return visit.decided(
                    visit.observation.decision,
                    "Written as \(spelling): \(visit.observation.summary)"
                )
            }
            last = visit.observation
        }
        guard let last else { throw LabFailure("no spelling was tried") }
        return last
    }

    /// The other spellings of a host in a URL.
    @Sendable
    static func spellings(of host: Host) -> [String] {
        [host.uriText.uppercased(), "\(host.uriText).", "user@\(host.uriText)"]
    }

    /// The client fetches once; a server that refuses the man in the middle counts as a refusal as well.
    static let refusedByServer: Conduct = { bench, policy throws(LabFailure) in
        let visit = try await bench.visitOnce(policy)
        guard visit.observation.decision == .undecided, !visit.isLost else { return visit.observation }
        return visit.decided(
            .rejected,
            "The server refused the man in the middle, who has no key of the client's: "
                + visit.observation.summary
        )
    }

    /// The client fetches once; a server that refuses with 403 has noticed.
    static let boundToConnection: Conduct = { bench, policy throws(LabFailure) in
        let visit = try await bench.visitOnce(policy)
        guard visit.status == 403 else { return visit.observation }
        return visit.decided(
            .rejected,
            "The server noticed that the request was made for another TLS connection than it came over."
        )
    }

    /// A client that accepts everything fetches first, and shares its sessions with the tested client.
    static let sharedSessions: Conduct = { bench, policy throws(LabFailure) in
        let sessions = SessionCache()
        let careless = try bench.client(of: .careless(like: policy), sharing: sessions)
        let first = try await bench.visit(careless)
        guard first.observation.decision == .accepted else {
            return first.decided(
                .undecided,
                "The connection without a check failed already: \(first.observation.summary)"
            )
        }
        return try await bench.visit(try bench.client(of: policy, sharing: sessions)).observation
    }

    /// The client fetches once for each probe; continuing after one of them is a miss.
    static let stopsAtProbes: Conduct = { bench, policy throws(LabFailure) in
        var last: ScenarioBench.Visit?
        var reasons: [String] = []
        for probe in TLSProbe.allCases {
            let visit = try await bench.visit(try bench.client(of: policy))
            let observation = visit.observation
            guard !bench.staging.journal.take().contains(TLSProbe.answered) else {
                return visit.decided(.accepted, "It answered \(probe.rawValue), with what its memory held.")
            }
            let reason = "After \(probe.rawValue): \(observation.summary)"
            guard observation.decision != .accepted, !visit.isLost else {
                return visit.decided(observation.decision, reason)
            }
            reasons.append(reason)
            last = visit
        }
        guard let last else { throw LabFailure("no probe was made") }
        return last.decided(.rejected, reasons.joined(separator: " "))
    }

    /// The client fetches once; a report of the mismatch that arrives is as good as a refusal.
    static let refusedOrReported: Conduct = { bench, policy throws(LabFailure) in
        let visit = try await bench.visitOnce(policy)
        let reports = bench.staging.journal.take().filter { $0.hasPrefix(LabJournal.report) }
        guard visit.observation.decision == .accepted else { return visit.observation }
        guard reports.isEmpty else {
            return visit.decided(.rejected, "The request was sent, and a report of the mismatch arrived.")
        }
        let attempts = visit.notes.filter { $0.hasPrefix("a report") }
        let attempt = attempts.last.map { ": \($0)" } ?? " without any report."
        return visit.decided(.accepted, "The request was sent and answered\(attempt.asSentence)")
    }

    /// The client fetches once, over as many connections as it likes.
    static let byAnyWay: Conduct = { bench, policy throws(LabFailure) in
        let visit = try await bench.visitOnce(policy)
        let count = visit.observation.wire.flows.count
        guard visit.observation.decision == .accepted, count > 1 else { return visit.observation }
        return visit.decided(
            .accepted,
            "It refused the first connection, and sent the request over connection \(count)."
        )
    }

    /// The client fetches once; a request that a redirect has led to another host may go over the same connection.
    static let overOneConnection: Conduct = { bench, policy throws(LabFailure) in
        let visit = try await bench.visit(try bench.client(of: policy))
        let wire = visit.observation.wire
        guard visit.observation.decision == .accepted, wire.flows.count == 1, wire.exchanges.count > 1 else {
            return visit.observation
        }
        return visit.decided(
            .accepted,
            "The request to \(bench.world.host) went over the connection that was made to \(LabWorld.attackerHost)."
        )
    }

    /// The app first gets new pins, if it does so at all, over a connection that only the system judges; then it
    /// fetches with its new pins.
    static let afterPinUpdate: Conduct = { bench, policy throws(LabFailure) in
        guard let update = policy.pinUpdate else { return try await bench.visit(policy) }
        var downloader = LabPolicy("update", "gets new pins") { _ in SystemPolicy() }
        downloader.verifier = policy.verifier
        let source = try bench.url(writing: LabWorld.updateHost.description, path: PinUpdate.path)
        let download = try await bench.visit(try bench.client(of: downloader), source)
        guard let document = try? download.outcome.result.get().body else {
            return download.decided(.undecided, "No new pins came: \(download.observation.summary)")
        }
        guard let pins = update.pins(in: document, publisher: bench.world.publisherKey) else {
            let visit = try await bench.visit(try bench.client(of: policy))
            let summary = "The new pins were not taken, for want of a signature. \(visit.observation.summary)"
            return visit.decided(visit.observation.decision, summary)
        }
        var updated = LabPolicy(policy.id, policy.title, adapt: policy.adapt) { _ in
            SPKIPolicy(pins: pins, scope: .leaf)
        }
        updated.verifier = policy.verifier
        let visit = try await bench.visit(try bench.client(of: updated))
        let summary = "New pins were taken as they came. \(visit.observation.summary)"
        return visit.decided(visit.observation.decision, summary)
    }

    /// The conduct of shared sessions, except that a request in early data is given away, whatever follows.
    static let asksEarly: Conduct = { bench, policy throws(LabFailure) in
        let observation = try await sharedSessions(bench, policy)
        guard let early = bench.staging.journal.take().first, observation.decision == .rejected else {
            return observation
        }
        var given = observation
        given.decision = .accepted
        given.summary = "The request “\(early)” went ahead as early data; then: \(observation.summary)"
        return given
    }

    /// The client fetches twice; the second time it could go to the alternative that the first answer named.
    static let staysWithHost: Conduct = { bench, policy throws(LabFailure) in
        let client = try bench.client(of: policy)
        let first = try await bench.visit(client)
        let second = try await bench.visit(client)
        let strays = bench.staging.journal.take()
        guard first.observation.decision == .accepted else { return first.observation }
        guard let stray = strays.first else {
            return second.decided(.rejected, "The second request did not go to the alternative.")
        }
        return second.decided(.accepted, "A request went to the alternative, \(stray).")
    }
}
