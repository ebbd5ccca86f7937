import PinholeFilter
import PinholeModel

/// The effect of rules in plain words, for people who look at a rule or write one.
extension Rule {
    /// The effect of the rule, in a sentence without credentials.
    package var sentence: String {
        let meant = FilterWords(filter)
        var sentence = action.sentence(about: meant.requests, meant.sockets)
        if let chance, chance.odds < 1 {
            sentence += " Acts on about \(Self.percent(chance.odds)) % of them."
        }
        if !isEnabled { sentence = "Switched off. When on: \(sentence)" }
        return sentence
    }

    private static func percent(_ odds: Double) -> String {
        let number = odds * 100
        return number == number.rounded() ? "\(Int(number))" : "\((number * 100).rounded() / 100)"
    }
}

extension RuleAction {
    /// Returns the effect in a sentence.
    ///
    /// - Parameters:
    ///   - requests: The matching requests, such as “GET requests to api.test”.
    ///   - sockets: The servers of the matching WebSockets, such as “ to api.test”.
    /// - Returns: The sentence.
    fileprivate func sentence(about requests: String, _ sockets: String) -> String {
        switch self {
        case .block(.status(let status)): "Answers \(requests) with status \(status) and without content."
        case .block(.close): "Closes the connection of \(requests) without a response."
        case .block(.reset): "Resets the connection of \(requests) without a response."
        case .mock(let answer): "Answers \(requests) with status \(answer.status)\(answer.words)."
        case .mapLocal(let map):
            map.isFolder
                ? "Answers \(requests) with files of the folder \(map.root), which stands for the path \(map.prefix)."
                : "Answers \(requests) with the file \(map.root)."
        case .replay(let replay):
            "Answers \(requests) with the responses that \(replay.file) holds. "
                + (replay.isStrict
                    ? "Refuses requests that were not recorded." : "Asks the server if none was recorded.")
        case .mapRemote(let map):
            "Sends \(requests) to \(map.scheme.rawValue)://\(map.authority.text(defaultPort: map.scheme.defaultPort))"
                + (map.path.map { "\($0), in the place of \(map.from)" } ?? ", with the same path")
                + (map.keepsHost ? ". The request keeps the name of the old server." : ".")
        case .redirect(let redirection):
            "Redirects \(requests) to \(redirection.location) with status \(redirection.status)."
        case .rewriteRequest(let edit):
            "Changes \(requests) before the server gets them: \(Self.list(edit.words))."
        case .rewriteResponse(let edit): "Changes the responses to \(requests): \(Self.list(edit.words))."
        case .noCaching: "Prevents caching of \(requests) by the client and by the server."
        case .setAuthentication(let value):
            "Sends \(value.hasPrefix("Basic ") ? "a user name and a password" : "a token") with \(requests)."
        case .removeAuthentication: "Removes Authorization from \(requests)."
        case .delay(let time):
            "Holds \(requests) back for \(Self.seconds(time)) before anything else happens."
        case .throttle(let throttling):
            throttling.summary.isEmpty
                ? "Slows nothing down yet: name a preset or a limit."
                : "Slows \(requests) down: \(throttling.summary)."
        case .dropMessage(let match): "Drops \(match.words) of WebSockets\(sockets)."
        case .rewriteMessage(let rewrite):
            switch rewrite.edit {
            case .replace(let substitution):
                "Replaces \(Self.quoted(substitution.expression)) by \(Self.quoted(substitution.replacement)) in "
                    + "\(rewrite.match.words) of WebSockets\(sockets)."
            case .whole(let content):
                "Replaces \(rewrite.match.words) of WebSockets\(sockets) by \(content.words)."
            }
        case .injectMessage(let injection):
            "Sends \(injection.content.words) to the \(injection.receiver.rawValue) "
                + (injection.after.map { "after \($0.words) of WebSockets\(sockets)." }
                    ?? "when a WebSocket\(sockets) opens.")
        case .breakpoint(let breakpoint):
            "Holds \(breakpoint.stage.words(requests)) for at most \(Self.seconds(breakpoint.patience)), until you decide."
        case .askProgram(let call): "Asks the program \(call.name) about \(requests)."
        }
    }

    /// Returns the changes in one list; a rule without changes says so.
    private static func list(_ changes: [String]) -> String {
        changes.isEmpty ? "nothing yet" : changes.joined(separator: ", ")
    }

    private static func seconds(_ time: Duration) -> String {
        let seconds = Double(time.milliseconds) / 1000
        let number = seconds == seconds.rounded() ? "\(Int64(seconds))" : "\(seconds)"
        return seconds == 1 ? "1 second" : "\(number) seconds"
    }

    /// Returns the beginning of a text in quotes, on one line.
    fileprivate static func quoted(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > 40 ? "“\(line.prefix(40))…”" : "“\(line)”"
    }
}

extension MockAnswer {
    /// The fields and the content, as they follow the status in a sentence.
    fileprivate var words: String {
        let names = fields.isEmpty ? "" : ", \(fields.map(\.name).joined(separator: ", "))"
        switch content {
        case .bytes(let bytes):
            return bytes.isEmpty ? "\(names) and no content" : "\(names) and \(bytes.count) bytes of content"
        case .file(let path): return "\(names) and the content of the file \(path)"
        }
    }
}

extension RequestEdit {
    fileprivate var words: [String] {
        var words: [String] = []
        if let method { words.append("sets the method to \(method)") }
        if !url.isEmpty { words.append("replaces a part of the URL") }
        if !path.isEmpty { words.append("replaces a part of the path") }
        if !setQuery.isEmpty {
            words.append("sets the parameter \(setQuery.map(\.name).joined(separator: ", "))")
        }
        if !removeQuery.isEmpty {
            words.append("removes the parameter \(removeQuery.joined(separator: ", "))")
        }
        return words + fields.map(\.words) + body.words
    }
}

extension ResponseEdit {
    fileprivate var words: [String] {
        (status.map { ["sets the status to \($0)"] } ?? []) + fields.map(\.words) + body.words
    }
}

extension FieldEdit {
    fileprivate var words: String {
        switch self {
        case .set(let line): "sets \(line.name)"
        case .add(let line): "adds \(line.name)"
        case .remove(let name): "removes \(name)"
        case .replace(let name, _): "replaces a part of \(name)"
        }
    }
}

extension BodyEdit {
    fileprivate var words: [String] {
        var words: [String] = []
        switch content {
        case .bytes(let bytes)?: words.append("replaces the body by \(bytes.count) bytes")
        case .file(let path)?: words.append("replaces the body by the file \(path)")
        case nil: break
        }
        return words
            + steps.map { step in
                switch step {
                case .replace: "replaces a part of the body"
                case .removeJSON(let pointer): "removes \(pointer.text) from the JSON"
                case .setJSON(let pointer, _): "sets \(pointer.text) in the JSON"
                }
            }
    }
}

extension MessageMatch {
    /// The messages, such as “text and binary messages from the client that match “a””.
    fileprivate var words: String {
        let types = MessageType.allCases.filter { kinds.contains($0.kind) }.map(\.rawValue)
        let from = sender.map { " from the \($0.rawValue)" } ?? ""
        let matching = find.map { " that match \(RuleAction.quoted($0.expression))" } ?? ""
        return "\(types.joined(separator: " and ")) messages\(from)\(matching)"
    }
}

extension MessageContent {
    fileprivate var words: String {
        switch self {
        case .text(let text): "the text \(RuleAction.quoted(text))"
        case .bytes(let bytes): "\(bytes.count) bytes"
        }
    }
}

extension Breakpoint.Stage {
    fileprivate func words(_ requests: String) -> String {
        switch self {
        case .request: requests
        case .response: "the responses to \(requests)"
        case .both: "\(requests), and their responses,"
        }
    }
}

/// The exchanges that a filter matches, in plain words where the filter is a plain one.
private struct FilterWords {
    /// The matching requests, such as “GET requests to api.test for /pay”.
    let requests: String
    /// The servers of the matching WebSockets, such as “ to api.test”; empty for all.
    let sockets: String

    init(_ filter: Filter) {
        var method: String?
        var host: String?
        var port: String?
        var path: String?
        var rest: [FilterNode] = []
        for node in filter.root.conjuncts {
            switch node {
            case .text(.method, .equal(let text)) where method == nil: method = text
            case .text(.host, .equal(let text)) where host == nil: host = " to \(text)"
            case .text(.host, .contains(let text)) where host == nil: host = " to hosts with “\(text)”"
            case .text(.host, .matches(let pattern)) where host == nil:
                host = " to hosts that match “\(pattern.source)”"
            case .host(let pattern) where host == nil: host = " to \(pattern.description)"
            case .number(.port, .equal, let number) where port == nil: port = " at port \(number)"
            case .text(.path, .equal(let text)) where path == nil: path = " for \(text)"
            case .text(.path, .starts(let text)) where path == nil:
                path = " for paths that begin with \(text)"
            case .everything: break
            default: rest.append(node)
            }
        }
        let place = (host ?? "") + (port ?? "") + (path ?? "")
        let matching = rest.isEmpty ? "" : " that match “\(Filter(.all(of: rest)).description)”"
        let all = method == nil && place.isEmpty && rest.isEmpty ? "all " : ""
        requests = "\(all)\(method.map { "\($0) " } ?? "")requests\(place)\(matching)"
        sockets = place + matching
    }
}
