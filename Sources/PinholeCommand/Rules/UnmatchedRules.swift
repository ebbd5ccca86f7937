import PinholeFilter
import PinholeFormats
import PinholeLock
import PinholeModel
import PinholeRules
import PinholeSession

/// The rules of a command line that match no request while a proxy runs, for its summary.
final class UnmatchedRules: Sendable {
    /// A rule, with its flag as a shell has it.
    private struct Entry {
        let flag: String
        let rule: Rule
        var judge: FilterJudge

        init(_ flag: String, _ rule: Rule) {
            (self.flag, self.rule) = (flag, rule)
            judge = FilterJudge(rule.filter)
        }
    }

    private struct State {
        var entries: [Entry] = []
        /// The requests to which the nearest pattern is looked for, each place once.
        var requests: [String: ExchangeRecord] = [:]
    }

    /// The maximum count of requests that are kept.
    private static let mostRequests = 200

    private let state: Lock<State>

    /// Creates the list of the enabled rules that the flags of a command have made, each written as in a shell.
    init(_ flags: [String], in configuration: Configuration) {
        // The rules of flags stand before those of the file.
        let pairs = zip(flags, configuration.rules.rules).filter { $1.isEnabled }
        state = Lock(State(entries: pairs.map { Entry($0, $1) }))
    }

    /// Crosses out the rules that match an exchange or a tunnel.
    func note(_ event: TrafficEvent) {
        state.withLock { state in
            guard !state.entries.isEmpty else { return }
            var facts: RecordFacts
            var names: Set<String> = []
            switch event {
            case .exchange(let record):
                names = Set(record.rules.map(\.rule))
                facts = RecordFacts(exchange: record, flow: nil)
                let place = "\(record.method) \(record.authority)\(record.path)"
                if state.requests.count < Self.mostRequests { state.requests[place] = record }
            case .flow(let record): facts = RecordFacts(exchange: nil, flow: record)
            }
            // A rule may act by chance, or stand behind one that answers, so a match is enough.
            for index in state.entries.indices.reversed()
            where names.contains(state.entries[index].rule.name)
                || state.entries[index].judge.judge(&facts) != .no
            {
                state.entries.remove(at: index)
            }
        }
    }

    /// Returns a line for each rule that has matched nothing; none if there was no request.
    ///
    /// - Parameter hits: Returns the number of exchanges that the rule of a name has acted on.
    /// - Returns: The lines.
    func lines(hits: (String) -> Int) -> [String] {
        state.withLock { state in
            guard !state.requests.isEmpty else { return [] }
            let requests = Array(state.requests.values)
            return state.entries.filter { hits($0.rule.name) == 0 }.map { entry in
                let line = "\(entry.flag) matched no request: it means \(Self.meaning(of: entry.rule.filter))"
                guard let (pattern, count) = Self.nearest(to: entry.rule.filter, requests) else {
                    return Plain.printable(line)
                }
                return Plain.printable(line)
                    + "\n  to fix it: the pattern \(ShellWord.word(Plain.printable(pattern).utf8)) would have matched "
                    + Plain.count(count, "request")
            }
        }
    }

    private static func meaning(of filter: Filter) -> String {
        filter.root.conjuncts.map { node in
            switch node {
            case .host(let pattern): "the host \(pattern)"
            case .text(.host, .equal(let text)): "the host \(text)"
            case .text(.path, .equal(let text)): "the path \(text) alone"
            case .text(.path, .glob(let text)): "paths such as \(text)"
            default: "the filter \(Filter(node))"
            }
        }.joined(separator: ", and ")
    }

    /// Returns the first pattern that matches a request, and the number of requests that it matches.
    private static func nearest(
        to filter: Filter,
        _ requests: [ExchangeRecord]
    ) -> (pattern: String, count: Int)? {
        for text in patterns(near: filter, requests) {
            guard let read = try? RulePattern(text).filter, let other = try? Filter(read) else { continue }
            var judge = FilterJudge(other)
            let count = requests.count { record in
                var facts = RecordFacts(exchange: record, flow: nil)
                return judge.judge(&facts) == .yes
            }
            if count > 0 { return (text, count) }
        }
        return nil
    }

    /// Returns patterns that may have been meant, the nearest first.
    private static func patterns(near filter: Filter, _ requests: [ExchangeRecord]) -> [String] {
        let hosts = Set(requests.map(\.authority.host.description))
        var (host, path) = ("", "")
        for node in filter.root.conjuncts {
            switch node {
            case .host(let pattern): host = pattern.hostText
            case .text(.host, .equal(let text)): host = text
            case .text(.path, .equal(let text)), .text(.path, .glob(let text)): path = text
            default:
                let corrected = filter.corrected { Array(hosts) }
                return ([corrected].compactMap(\.self) + filter.looser).map(\.description)
            }
        }
        let places = [host] + [EditDistance.nearest(to: host, in: hosts)].compactMap(\.self) + ["*.\(host)"]
        guard !path.isEmpty else {
            return places + ["/\(host)", "/\(host)/*", "/*/\(host)", "/*/\(host)/*", "*\(host)*"]
        }
        let stem =
            path.hasSuffix("/*")
            ? String(path.dropLast(2)) : path.hasSuffix("/") ? String(path.dropLast()) : path
        let known = Set(requests.map { String($0.path.prefix { $0 != "?" }) })
        let paths =
            [path, stem, "\(stem)/*"] + [EditDistance.nearest(to: path, in: known)].compactMap(\.self)
            + ["/*\(stem)", "/*\(stem)/*"]
        let all = host.isEmpty ? [""] : places + [""]
        return all.flatMap { place in paths.map { place + $0 } } + (host.isEmpty ? [] : places)
    }
}
