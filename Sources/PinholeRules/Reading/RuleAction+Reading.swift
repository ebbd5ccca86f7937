import PinholeFilter
import PinholeModel

extension RuleKey {
    /// The key of `block`.
    enum Block {
        static let with = ReadRuleKey<RuleAction.Block>(
            "with",
            RuleValue(.integer(200...599, words: ["close", "reset"]), RuleAction.block),
            title: "Answer",
            usual: "\(RuleAction.Block.usualStatus)",
            "a status of 200 to 599, `\"close\"` or `\"reset\"`"
        )
    }

    /// The keys of `mock`.
    enum Mock {
        static let status = ReadRuleKey<Int>(
            "status",
            .integer(in: 200...599),
            usual: "\(MockAnswer().status)",
            "the status of the response"
        )
        static let fields = ReadRuleKey<[FieldLine]>(
            "fields",
            .list(of: .fieldLine),
            title: "Headers",
            usual: "[]",
            "its headers: `[\"Retry-After: 30\"]`"
        )
        static let body = ReadRuleKey<String>("body", .text(.content), "its content")
        static let file = ReadRuleKey<String>(
            "file",
            .word,
            "its content from a file, instead of `body`; read again for each response"
        )

        /// The content of the answer.
        static let content = RuleAlternatives([body.key, file.key], isRequired: false)
    }

    /// The keys of `mapLocal`.
    enum Local {
        static let file = ReadRuleKey<String>("file", .word, "the file")
        static let folder = ReadRuleKey<String>("folder", .word, "the folder, instead of `file`")
        static let from = ReadRuleKey<String>(
            "from",
            .pathPrefix,
            usual: "\"/\"",
            "the part of the path that stands for the folder"
        )

        /// The source of the answers.
        static let place = RuleAlternatives([file.key, folder.key], isRequired: true)
    }

    /// The keys of `mapRemote`.
    enum Remote {
        static let to = ReadRuleKey<RemoteMap>(
            "to",
            RuleValue(.text(.line), RemoteMap.target),
            isRequired: true,
            "a URL without query; its path replaces `from`"
        )
        static let from = ReadRuleKey<String>(
            "from",
            .pathPrefix,
            usual: "\"/\"",
            "the part of the path that is replaced"
        )
        static let keepHost = ReadRuleKey<Bool>(
            "keepHost",
            .boolean,
            usual: "false",
            "`true` leaves the name of the old server in the request"
        )
    }

    /// The keys of `redirect`.
    enum Redirect {
        static let to = ReadRuleKey<String>(
            "to",
            .text(.line, DocumentValue.fieldText),
            isRequired: true,
            "a URL or a path"
        )
        static let status = ReadRuleKey<Int>(
            "status",
            RuleValue(.numbers(Redirection.statuses), Redirection.status),
            usual: "302",
            "the status of the response"
        )
        static let find = ReadRuleKey<String>(
            "find",
            .text(.expression, DocumentValue.word),
            "an expression; `$1` in `to` stands for the match of its first group in the URL"
        )
    }

    /// The keys of `setAuthentication`.
    enum Credentials {
        static let basic = ReadRuleKey<String>(
            "basic",
            .text(.secret, DocumentValue.fieldText),
            "`\"USER:PASSWORD\"`"
        )
        static let bearer = ReadRuleKey<String>(
            "bearer",
            .text(.secret, RuleAction.token),
            "a token, instead of `basic`"
        )

        /// The credentials.
        static let either = RuleAlternatives([basic.key, bearer.key], isRequired: true)
    }

    /// The key of `delay`.
    enum Delay {
        static let seconds = ReadRuleKey<Duration>(
            "seconds",
            .seconds(in: 0.001...3600),
            isRequired: true,
            "the length of the delay"
        )
    }

    /// The keys of `breakpoint`.
    enum Break {
        static let at = ReadRuleKey<Breakpoint.Stage>(
            "at",
            .choice(),
            usual: "\"\(Breakpoint().stage.rawValue)\"",
            "`\"request\"`, `\"response\"` or `\"both\"`: the messages that are held"
        )
        static let seconds = ReadRuleKey<Duration>(
            "seconds",
            .seconds(in: 1...86_400),
            usual: "\(Breakpoint().patience.components.seconds)",
            "the time for which a message is held before it goes on unchanged"
        )
    }

    /// The key of `askProgram`.
    enum Program {
        static let program = ReadRuleKey<String>(
            "program",
            .text(.program, DocumentValue.word),
            isRequired: true,
            "a name under `programs` in config.json"
        )
    }
}

extension RuleAction {
    /// Reads the keys of a rule that describe its action.
    init(_ kind: RuleKind, _ object: inout DocumentObject) throws(DocumentFailure) {
        switch kind {
        case .block:
            var block = Block.status(Block.usualStatus)
            try object.read(RuleKey.Block.with, into: &block)
            self = .block(block)
        case .mock: self = .mock(try MockAnswer(&object))
        case .mapLocal: self = .mapLocal(try LocalMap(&object))
        case .replay: self = .replay(try CaptureReplay(&object))
        case .mapRemote: self = .mapRemote(try RemoteMap(&object))
        case .redirect: self = .redirect(try Redirection(&object))
        case .rewriteRequest: self = .rewriteRequest(try RequestEdit(&object))
        case .rewriteResponse: self = .rewriteResponse(try ResponseEdit(&object))
        case .noCaching: self = .noCaching
        case .setAuthentication: self = .setAuthentication(try Self.authorization(&object))
        case .removeAuthentication: self = .removeAuthentication
        case .breakpoint:
            var breakpoint = Breakpoint()
            try object.read(RuleKey.Break.at, into: &breakpoint.stage)
            try object.read(RuleKey.Break.seconds, into: &breakpoint.patience)
            self = .breakpoint(breakpoint)
        case .delay: self = .delay(try object.require(RuleKey.Delay.seconds))
        case .throttle: self = .throttle(try Throttling(&object))
        case .dropMessage:
            let match = try MessageMatch(&object, RuleKey.Message.type, defaults: [.text, .binary])
            self = .dropMessage(match)
        case .rewriteMessage: self = .rewriteMessage(try MessageRewrite(&object))
        case .injectMessage: self = .injectMessage(try MessageInjection(&object))
        case .askProgram:
            self = .askProgram(ProgramCall(name: try object.require(RuleKey.Program.program)))
        }
    }

    fileprivate static func block(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Block {
        switch value {
        case .string("close"): return .close
        case .string("reset"): return .reset
        case .integer(let status) where 200...599 ~= status: return .status(Int(status))
        default:
            throw value.failure(at: path, expected: "a status of 200 to 599, “close” or “reset”")
        }
    }

    fileprivate static func token(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> String {
        _ = try DocumentValue.word(value, path)
        return try DocumentValue.fieldText(value, path)
    }

    private static func authorization(_ object: inout DocumentObject) throws(DocumentFailure) -> String {
        try RuleKey.Credentials.either.check(object)
        let basic = try object.read(RuleKey.Credentials.basic)
        let bearer = try object.read(RuleKey.Credentials.bearer)
        guard let basic else { return "Bearer " + (bearer ?? "") }
        guard basic.contains(":") else {
            throw DocumentFailure(
                path: "\(object.path).basic",
                expected: "USER:PASSWORD",
                found: "no colon"
            )
        }
        return "Basic " + Base64.encode(Array(basic.utf8))
    }
}

extension MockAnswer {
    fileprivate init(_ object: inout DocumentObject) throws(DocumentFailure) {
        self.init()
        try object.read(RuleKey.Mock.status, into: &status)
        try object.read(RuleKey.Mock.fields, into: &fields)
        try RuleKey.Mock.content.check(object)
        let body = try object.read(RuleKey.Mock.body)
        if let read = Content(body: body, file: try object.read(RuleKey.Mock.file)) { content = read }
        let hasContent = content != .bytes([])
        guard !hasContent || (status != 204 && status != 205 && status != 304) else {
            throw DocumentFailure(
                path: object.path,
                expected: "no content with status \(status), which forbids it",
                found: content.isFile ? "file" : "body"
            )
        }
    }
}

extension MockAnswer.Content {
    fileprivate var isFile: Bool { if case .file = self { true } else { false } }

    /// The content of a text or of a file; `nil` if both are missing.
    init?(body: String?, file: String?) {
        guard let content = file.map(Self.file) ?? body.map({ Self.bytes(Array($0.utf8)) }) else {
            return nil
        }
        self = content
    }
}

extension LocalMap {
    fileprivate init(_ object: inout DocumentObject) throws(DocumentFailure) {
        try RuleKey.Local.place.check(object)
        let file = try object.read(RuleKey.Local.file)
        let folder = try object.read(RuleKey.Local.folder)
        var prefix = "/"
        try object.read(RuleKey.Local.from, into: &prefix)
        self.init(root: folder ?? file ?? "", isFolder: folder != nil, prefix: prefix)
    }
}

extension RemoteMap {
    fileprivate init(_ object: inout DocumentObject) throws(DocumentFailure) {
        self = try object.require(RuleKey.Remote.to)
        try object.read(RuleKey.Remote.from, into: &from)
        if from != "/", path == nil { path = "/" }
        try object.read(RuleKey.Remote.keepHost, into: &keepsHost)
    }

    fileprivate static func target(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> RemoteMap {
        let text = try DocumentValue.string(value, path)
        guard let request = RuleRequest(url: text), !text.contains("?") else {
            throw value.failure(
                at: path,
                expected:
                    "http://HOST[:PORT][/PATH] or https://… without a query, names of other scripts as xn--…"
            )
        }
        let hasPath = text.dropFirst(8).contains("/")
        return RemoteMap(
            scheme: request.scheme,
            authority: request.authority,
            path: hasPath ? request.path : nil
        )
    }
}

extension Redirection {
    fileprivate init(_ object: inout DocumentObject) throws(DocumentFailure) {
        self.init(location: try object.require(RuleKey.Redirect.to))
        let place = "\(object.path).to"
        try object.read(RuleKey.Redirect.status, into: &status)
        let to = location
        if let find = try object.read(RuleKey.Redirect.find) {
            substitution = try Substitution.read(find, at: "\(object.path).find", to, at: place)
        }
        guard substitution == nil else { return }
        guard !to.contains("$") else {
            throw DocumentFailure(
                path: place,
                expected: "“find” beside it, whose groups $1 to $9 are",
                found: "“\(to)” alone",
                remedy: "write %24 for a dollar sign"
            )
        }
        guard LocationText.isLocation(to) else {
            throw DocumentFailure(
                path: place,
                expected: "a URL with its host, or a path, other characters as %20, %C3%A9",
                found: "“\(to)”"
            )
        }
    }

    /// The statuses of a redirection.
    fileprivate static let statuses: [Int64] = [301, 302, 303, 307, 308]

    fileprivate static func status(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Int {
        guard case .integer(let number) = value, statuses.contains(number) else {
            throw value.failure(at: path, expected: "301, 302, 303, 307 or 308")
        }
        return Int(number)
    }
}
