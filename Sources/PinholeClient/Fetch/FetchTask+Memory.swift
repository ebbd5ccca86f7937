import PinholeRuntime

/// Judgement of servers that an earlier client met.
extension FetchTask {
    /// Goes through the story of an earlier fetch, and judges each server of it.
    ///
    /// The client of the earlier fetch accepted every server, so its story goes on after each of them. The story of
    /// this task ends where it refuses a server.
    ///
    /// - Returns: The outcome of this fetch; `nil` if the earlier one does not show it.
    func judgeServers(of earlier: FetchOutcome, on loop: isolated EventLoop) async -> FetchOutcome? {
        // A client that does not share an HTTP/2 connection makes a new one, and the earlier client made none.
        guard !settings.protocols.contains(.http2) else { return nil }
        var result = earlier.result
        do throws(ClientFailure) {
            guard try await follow(earlier.story.steps, on: loop) else { return nil }
        } catch {
            guard !settings.dangerAsksAgainByDefault || error.rejection == nil else { return nil }
            tell(.failed(error))
            result = .failure(error)
        }
        guard settings.reportCollector == nil || reports.isEmpty else { return nil }
        return FetchOutcome(result: result, story: story)
    }

    /// - Returns: Whether the earlier client accepted every server.
    private func follow(
        _ steps: [FetchStep],
        on loop: isolated EventLoop
    ) async throws(ClientFailure) -> Bool {
        var url = request.url
        // The setting comes before the policy, and the earlier client had it as well.
        if !settings.refusesCleartext { try checkCleartext(url) }
        var rest = steps[...]
        while let step = rest.popFirst() {
            switch step {
            case .serverChain(let presentation):
                guard Self.isAccepted(&rest) else { return false }
                try await judge(presentation, at: url, on: loop)
            case .redirect(let next, isFollowed: true, _):
                tell(step)
                url = next
                try checkCleartext(url)
            default: tell(step)
            }
        }
        return true
    }

    /// Takes the steps of a judgement: the challenge, the judgements, and the disposition at the end.
    ///
    /// - Returns: Whether the server was accepted.
    private static func isAccepted(_ steps: inout ArraySlice<FetchStep>) -> Bool {
        while let step = steps.popFirst() {
            guard case .disposition(let disposition, _) = step else { continue }
            if case .useCredential = disposition { return true }
            return false
        }
        return false
    }
}
