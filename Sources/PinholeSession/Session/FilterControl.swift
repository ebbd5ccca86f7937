import PinholeRules

/// The actions on the filters that a proxy has saved under names.
package protocol FilterControl: Sendable {
    /// Returns the saved filters.
    func filters() async throws(Problem) -> FilterListing

    /// Saves a filter under a name, or removes it if the text is `nil`.
    func saveFilter(_ name: String, _ text: String?) async throws(Problem)
}

extension SessionControl {
    func saveFilter(_ name: String, _ text: String?) throws(Problem) {
        for _ in 0..<Self.attempts where try change(name, to: text) {
            let note = text == nil ? "the filter @\(name) was removed" : "a filter was saved as @\(name)"
            return journal.note(.notice, note)
        }
        throw Problem(409, "changed meanwhile", "too much was changed at the same time", remedy: "try again")
    }

    /// The number of attempts, since other requests may change something at the same time.
    private static let attempts = 100

    /// Changes one filter, and returns false if something else was changed at the same time.
    private func change(_ name: String, to text: String?) throws(Problem) -> Bool {
        let running = proxy.running
        let saved = try running.configuration.filters.setting(name, to: text)
        var capture = running.configuration.capture
        let set: RuleSet
        do throws(Problem) {
            set = try read(running.configuration.ruleTexts, saved)
        } catch {
            guard let index = error.index else { throw error }
            throw Self.called("rules[\(index)]", name, error.detail)
        }
        do throws(CommandFailure) {
            try capture.use(capture.filterInUse, isFlag: capture.filterFlag != nil, saved.vocabulary)
        } catch {
            throw Self.called("capture.filter", name, error.message)
        }
        return proxy.use(saved, set, capture, over: running)
    }

    private static func called(_ place: String, _ name: String, _ detail: String) -> Problem {
        Problem(
            409,
            "filter in use",
            "\(place) calls @\(name), and could not any more: \(detail)",
            remedy: "change \(place) first"
        )
    }
}

extension LocalProxyControl {
    /// Returns the saved filters.
    package func filters() -> FilterListing { FilterListing(savedFilters) }
}

extension RemoteControl {
    func filters() async throws(Problem) -> FilterListing { try await api.answer("GET", "/api/filters") }

    func saveFilter(_ name: String, _ text: String?) async throws(Problem) {
        try await api.ask(
            text == nil ? "DELETE" : "PUT",
            "/api/filters/\(ControlAPI.encoded(name))",
            text.map { FilterOrder(text: $0) }
        )
    }
}
