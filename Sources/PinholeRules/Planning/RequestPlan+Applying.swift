import PinholeFilter
import PinholeModel

extension RequestPlan {
    /// The longest URL that a replacement may make.
    private static let urlLimit = 16 << 10

    /// Applies `rule` to the plan.
    mutating func apply(_ rule: Rule) {
        let asked = (request.scheme, request.authority)
        let effect: String
        switch rule.action {
        case .block(.status(let status)):
            effect = "answered with \(status)"
            ending = .mock(MockAnswer(status: status))
        case .block(.close):
            effect = "closed without a response"
            ending = .close
        case .block(.reset):
            effect = "reset without a response"
            ending = .reset
        case .mock(let answer):
            if case .file(let path) = answer.content {
                effect = "answers with \(answer.status) and \(path)"
            } else {
                effect = "answered with \(answer.status)"
            }
            ending = .mock(answer)
        case .mapLocal(let map):
            effect = "answers from \(map.root)"
            ending = .local(map)
        case .replay(let replay):
            effect = "looked for in \(replay.file)"
            ending = .replay(replay)
            if replay.match == .strict { tasks.append(rule.task(.replay(replay))) }
        case .redirect(let redirection): effect = redirect(redirection)
        case .mapRemote(let map): effect = ask(map)
        case .rewriteRequest(let edit):
            if !edit.body.isEmpty { tasks.append(rule.task(.edit(edit.body))) }
            guard !edit.isForBodyAlone else { return }
            effect = rewrite(edit)
        case .noCaching: effect = allowNoCache() ? "removed validators" : "nothing to change"
        case .setAuthentication(let value):
            effect = FieldLine("Authorization", value).map { set([.set($0)]) } ?? "nothing to change"
        case .removeAuthentication: effect = set([.remove("authorization")])
        case .delay(let duration):
            delay += duration
            effect = "delay of \(duration.milliseconds) ms"
        case .throttle: effect = actOnBytes(rule.action)
        case .breakpoint(let breakpoint):
            return tasks.append(rule.task(.breakpoint(breakpoint.patience)))
        case .askProgram(let call):
            if let point = call.requestPoint { tasks.append(rule.task(.program(call, point))) }
            return
        case .rewriteResponse, .dropMessage, .rewriteMessage, .injectMessage: return
        }
        if (request.scheme, request.authority) != asked { leader = rule.name }
        hits.append(RuleHit(rule: rule.name, kind: rule.action.kind.rawValue, effect: effect))
    }

    private mutating func actOnBytes(_ action: RuleAction) -> String {
        byteActions.removeAll { $0.kind == action.kind }
        byteActions.append(action)
        return action.byteEffect ?? ""
    }

    private mutating func ask(_ map: RemoteMap) -> String {
        let before = request.url
        move { request in
            request.scheme = map.scheme
            request.authority = map.authority
            request.path = map.mapped(request.path)
        }
        keepsHost = map.keepsHost
        return "asked \(request.url) instead of \(before)"
    }

    private mutating func redirect(_ redirection: Redirection) -> String {
        guard let location = redirection.location(for: request.url),
            let line = FieldLine("Location", location)
        else { return "nothing to redirect to: the expression does not match" }
        ending = .mock(MockAnswer(status: redirection.status, fields: [line]))
        return "redirected with \(redirection.status) to \(location)"
    }

    /// Changes the target of the request.
    private mutating func move(_ change: (inout RuleRequest) -> Void) {
        let before = request
        change(&request)
        if request.path != before.path { isChanged = true }
    }

    private mutating func rewrite(_ edit: RequestEdit) -> String {
        let before = request
        // HEAD is kept: the response to another method would have content, the one to HEAD has none.
        if let method = edit.method, request.method != "HEAD" { request.method = method }
        var changed: [String] =
            request.method == before.method ? [] : ["method \(before.method) to \(request.method)"]
        for substitution in edit.url { rewriteURL(substitution) }
        for substitution in edit.path { rewritePath(substitution) }
        for parameter in edit.setQuery { request.setQuery(parameter) }
        for name in edit.removeQuery { request.removeQuery(name) }
        if request.url != before.url { changed.append("\(before.url) to \(request.url)") }
        if request != before { isChanged = true }
        changed += change(edit.fields)
        let effect = changed.isEmpty ? "nothing to change" : "changed " + changed.joined(separator: ", ")
        return badURL.map { "\(effect); \($0) is not a URL" } ?? effect
    }

    private mutating func rewriteURL(_ substitution: Substitution) {
        guard let made = substitution.replacing(in: Array(request.url.utf8), limit: Self.urlLimit) else {
            return
        }
        let url = String(decoding: made, as: UTF8.self)
        var moved = request
        guard moved.take(url: url) else {
            badURL = url
            return
        }
        move { $0 = moved }
    }

    private mutating func rewritePath(_ substitution: Substitution) {
        let path = request.path.prefix { $0 != "?" }
        guard path != "*", let made = substitution.replacing(in: Array(path.utf8), limit: Self.urlLimit),
            made.first == 0x2f, FieldText.isPath(made), !made.contains(0x3f)
        else { return }
        request.path = String(decoding: made, as: UTF8.self) + request.path.dropFirst(path.count)
    }

    /// - Returns: The names of the fields that were changed.
    private mutating func change(_ edits: [FieldEdit]) -> [String] {
        var names: [String] = []
        for edit in edits where edit.apply(to: &request.fields, isLowercased: request.isLowercased) {
            isChanged = true
            if !names.contains(edit.name) { names.append(edit.name) }
        }
        return names
    }

    private mutating func set(_ edits: [FieldEdit]) -> String {
        let names = change(edits)
        return names.isEmpty ? "nothing to change" : "changed " + names.joined(separator: ", ")
    }

    /// - Returns: Whether a field was changed.
    private mutating func allowNoCache() -> Bool {
        let validators = ["if-none-match", "if-modified-since", "if-range"]
        let demands = [FieldLine("Cache-Control", "no-cache"), FieldLine("Pragma", "no-cache")]
        return !change(validators.map(FieldEdit.remove) + demands.compactMap { $0.map(FieldEdit.set) })
            .isEmpty
    }
}

extension RuleRequest {
    private var query: (path: Substring, parameters: [Substring]) {
        let start = path.prefix { $0 != "?" }
        let query = path.dropFirst(start.count + 1)
        return (start, query.isEmpty ? [] : query.split(separator: "&", omittingEmptySubsequences: false))
    }

    private static func name(of parameter: Substring) -> String? {
        PercentCoding.text(of: parameter.prefix { $0 != "=" }.utf8)
    }

    private mutating func write(_ path: Substring, _ parameters: [Substring]) {
        self.path = path + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    }

    /// Sets the first parameter of this name and removes the others.
    ///
    /// If there is none, adds one.
    fileprivate mutating func setQuery(_ parameter: QueryParameter) {
        guard path != "*" else { return }
        var (path, parameters) = query
        let written = Substring(
            "\(PercentCoding.encode(parameter.name.utf8))=\(PercentCoding.encode(parameter.value.utf8))"
        )
        let first = parameters.firstIndex { Self.name(of: $0) == parameter.name }
        if let first { parameters[first] = written } else { parameters.append(written) }
        let kept = first ?? parameters.count - 1
        parameters = parameters.enumerated()
            .filter { $0.offset == kept || Self.name(of: $0.element) != parameter.name }.map(\.element)
        write(path, parameters)
    }

    fileprivate mutating func removeQuery(_ name: String) {
        let (path, parameters) = query
        let kept = parameters.filter { Self.name(of: $0) != name }
        guard kept.count < parameters.count else { return }
        write(path, kept)
    }
}

extension FieldEdit {
    /// The name of the field, in lower case.
    var name: String {
        switch self {
        case .set(let line), .add(let line): line.lowercased
        case .remove(let name), .replace(let name, _): name
        }
    }
}
