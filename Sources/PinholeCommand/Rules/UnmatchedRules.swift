import PinholeFilter
import PinholeFormats
import PinholeLock
import PinholeModel
import PinholeRules
import PinholeSession

/// The rules of a command line that match no request while a proxy runs, for its summary.
final class UnmatchedRules: Sendable {
    /// The maximum count of events that the rules judge.
    private static let mostEvents = 200

    /// The rules, each with its flag as a shell has it.
    private let entries: [(flag: String, rule: Rule)]
    /// The first events, which are judged at the end: an exchange waits for nothing here.
    private let events = Lock<(kept: [TrafficEvent], areAll: Bool)>(([], true))

    /// Creates the list of the enabled rules that the flags of a command have made, each written as in a shell.
    init(_ flags: [String], in configuration: Configuration) {
        // The rules of flags stand before those of the file.
        entries = zip(flags, configuration.rules.rules).filter { $1.isEnabled }.map { ($0, $1) }
    }

    /// Keeps an exchange or a tunnel, if it is one of the first.
    func note(_ event: TrafficEvent) {
        guard !entries.isEmpty else { return }
        events.withLock { events in
            events.areAll = events.kept.count < Self.mostEvents
            if events.areAll { events.kept.append(event) }
        }
    }

    /// Returns a line for each rule that has matched nothing; none if there was no request.
    ///
    /// - Parameter hits: Returns the number of exchanges that the rule of a name has acted on.
    /// - Returns: The lines.
    func lines(hits: (String) -> Int) -> [String] {
        let (events, areAll) = events.withLock { $0 }
        var requests: [String: ExchangeRecord] = [:]
        for case .exchange(let record) in events {
            requests["\(record.method) \(record.authority)\(record.path)"] = record
        }
        guard !requests.isEmpty else { return [] }
        // A rule may act by chance, or stand behind one that answers, so a match is enough.
        let unmatched = entries.filter { hits($0.rule.name) == 0 && !Self.matches($0.rule, events) }
        return unmatched.map { flag, rule in
            let found = areAll ? "matched no request" : "acted on no request"
            let line = "\(flag) \(found): it means \(Self.meaning(of: rule.filter))"
            guard let (pattern, count) = Self.nearest(to: rule.filter, Array(requests.values)) else {
                return Plain.printable(line)
            }
            return Plain.printable(line)
                + "\n  to fix it: the pattern \(ShellWord.word(Plain.printable(pattern).utf8)) would have matched "
                + Plain.count(count, "request")
        }
    }

    private static func matches(_ rule: Rule, _ events: [TrafficEvent]) -> Bool {
        var judge = FilterJudge(rule.filter)
        return events.contains { event in
            var facts =
                switch event {
                case .exchange(let record): RecordFacts(exchange: record, flow: nil)
                case .flow(let record): RecordFacts(exchange: nil, flow: record)
                }
            return judge.judge(&facts) != .no
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
