import PinholeConsole
import PinholeFilter
import PinholeModel
import PinholeRules
import PinholeRuntime

/// The saved filters of a running proxy, as the console shows and changes them.
struct LiveFilters: Sendable {
    let proxy: ProxySession
    let rules: LiveRules
    let journal: ConsoleJournal

    /// Saves a filter under a name, or removes the one that has it; what calls it follows at once.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - text: The filter; `nil` to remove it.
    /// - Returns: Why not; `nil` where it counts.
    func set(_ name: String, to text: String?) -> Problem? {
        let running = proxy.running
        let saved: SavedFilters
        let set: RuleSet
        var capture = running.configuration.capture
        do {
            saved = try running.configuration.filters.setting(name, to: text)
            set = try rules.read(running.configuration.ruleTexts, saved)
            try capture.use(capture.filterText, saved.vocabulary)
        } catch let problem as Problem {
            guard let index = problem.index else { return problem }
            return Self.called("rules[\(index)]", name, problem.detail)
        } catch let failure as CommandFailure {
            return Self.called("capture.filter", name, failure.message)
        } catch {
            return Problem(500, "failed", "\(error)")
        }
        guard proxy.use(saved, set, capture, revision: running.revision) else {
            return Problem(409, "changed meanwhile", "the rules were changed meanwhile", remedy: "try again")
        }
        journal.note(
            .notice,
            text == nil ? "the filter @\(name) was removed" : "a filter was saved as @\(name)"
        )
        return nil
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
