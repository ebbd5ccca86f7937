import PinholeModel
import PinholeRuntime

/// Messages that are held at breakpoints.
extension ConsoleCall {
    /// What is held, without its content.
    private struct List: Encodable {
        let held: [BreakpointJSON]
    }

    func breakpoints() throws -> ConsoleAnswer {
        let now = api.clock.now()
        return .json(List(held: try board().held.map { BreakpointJSON($0, isWhole: false, now: now) }))
    }

    func breakpoint() throws -> ConsoleAnswer {
        let id = try id()
        guard let held = try board()[id] else { throw notHeld(id) }
        return .json(BreakpointJSON(held, isWhole: true, now: api.clock.now()))
    }

    func continueBreakpoint() throws -> ConsoleAnswer {
        let members = try body(["method", "path", "status", "fields", "body", "bodyBase64"])
        var verdict = BreakpointVerdict(.proceed)
        if let method = try text(members["method"], "method") {
            guard BreakpointVerdict.isMethod(method) else {
                throw Problem.bad("method", expected: "a method other than CONNECT and HEAD", found: method)
            }
            verdict.method = method
        }
        if let path = try text(members["path"], "path") {
            guard BreakpointVerdict.isPath(path) else {
                throw Problem.bad(
                    "path",
                    expected: "a path that begins with “/”, without spaces",
                    found: path
                )
            }
            verdict.path = path
        }
        try read(members, into: &verdict)
        try check(verdict)
        return try decide(verdict)
    }

    /// Whether the message that is held can become that.
    private func check(_ verdict: BreakpointVerdict) throws {
        let id = try id()
        guard let held = try board()[id] else { throw notHeld(id) }
        if held.status == nil, let status = verdict.status {
            throw Problem.bad("status", expected: "none: a request is held", found: "\(status)")
        }
        if held.status != nil, let found = verdict.method ?? verdict.path {
            let name = verdict.method == nil ? "path" : "method"
            throw Problem.bad(name, expected: "none: a response is held", found: found)
        }
        if held.method == "HEAD", let method = verdict.method {
            throw Problem.bad("method", expected: "none: the answer to HEAD has another shape", found: method)
        }
    }

    func respondBreakpoint() throws -> ConsoleAnswer {
        let members = try body(["status", "fields", "body", "bodyBase64"])
        var verdict = BreakpointVerdict(.respond)
        try read(members, into: &verdict)
        let status = verdict.status ?? 200
        if let body = verdict.body, !body.isEmpty, !BreakpointVerdict.hasContent(status) {
            throw Problem.bad(
                "body",
                expected: "no content with status \(status)",
                found: "\(body.count) bytes"
            )
        }
        return try decide(verdict)
    }

    func dropBreakpoint() throws -> ConsoleAnswer {
        let members = try body(["reset"])
        switch members["reset"] {
        case nil, .boolean(false): return try decide(BreakpointVerdict(.drop(isReset: false)))
        case .boolean(true): return try decide(BreakpointVerdict(.drop(isReset: true)))
        case let other?: throw Problem.bad("reset", expected: "true or false", found: other)
        }
    }

    private func decide(_ verdict: BreakpointVerdict) throws -> ConsoleAnswer {
        let id = try id()
        guard try board().decide(id, verdict) else { throw notHeld(id) }
        return ConsoleAnswer(204)
    }

    private func board() throws(Problem) -> BreakpointBoard {
        guard let board = api.subject.breakpoints else {
            throw Problem(409, "no proxy", "this console shows a file, and no proxy runs here")
        }
        return board
    }

    private func notHeld(_ id: Int64) -> Problem {
        Problem(
            404,
            "not held",
            "no message with the number \(id) is held (any more)",
            remedy: "it went on when its time was over, or its client left"
        )
    }

    // MARK: Bodies

    /// The members of the body, none where there is no body.
    private func body(_ known: [String]) throws(Problem) -> [String: JSONValue] {
        guard !request.body.isEmpty else { return [:] }
        let members = try object()
        if let name = members.keys.sorted().first(where: { !known.contains($0) }) {
            let names = known.joined(separator: ", ")
            throw Problem(400, "bad body", "expected \(names), found “\(name.prefix(80))”")
        }
        return members
    }

    private func read(
        _ members: [String: JSONValue],
        into verdict: inout BreakpointVerdict
    ) throws(Problem) {
        switch members["status"] {
        case nil, .null: break
        case .integer(let status) where 200...599 ~= status && status != 205: verdict.status = Int(status)
        case let other?:
            throw Problem.bad("status", expected: "200 to 599 other than 205", found: other)
        }
        verdict.fields = try fields(members["fields"])
        guard members["body"] ?? .null == .null || members["bodyBase64"] ?? .null == .null else {
            throw Problem.bad("body", expected: "body or bodyBase64", instead: "both")
        }
        if let text = try text(members["bodyBase64"], "bodyBase64") {
            guard let bytes = Base64.decode(text.utf8) else {
                throw Problem.bad("bodyBase64", expected: "Base64", instead: "something else")
            }
            verdict.body = bytes
        } else if let text = try text(members["body"], "body") {
            verdict.body = Array(text.utf8)
        }
    }

    private func fields(_ value: JSONValue?) throws(Problem) -> [BreakpointVerdict.Field]? {
        guard let value, value != .null else { return nil }
        guard case .array(let pairs) = value else {
            throw Problem.bad("fields", expected: "a list of pairs", found: value)
        }
        var fields: [BreakpointVerdict.Field] = []
        for pair in pairs {
            guard case .array(let texts) = pair, texts.count == 2, case .string(let name) = texts[0],
                case .string(let value) = texts[1]
            else { throw Problem.bad("fields", expected: "pairs of a name and a value", found: pair) }
            guard let field = BreakpointVerdict.Field(name, value) else {
                throw Problem.bad(
                    "fields",
                    expected: "fields that do not frame the message and hold no control characters",
                    found: name
                )
            }
            fields.append(field)
        }
        return fields
    }

    private func text(_ value: JSONValue?, _ name: String) throws(Problem) -> String? {
        switch value {
        case nil, .null: return nil
        case .string(let text): return text
        case let other?: throw Problem.bad(name, expected: "a text", found: other)
        }
    }
}
