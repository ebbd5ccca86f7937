import PinholeFilter
import PinholeModel

extension RuleAction {
    /// Reads the keys of a rule that describe its action.
    init(_ kind: RuleKind, _ object: inout DocumentObject) throws(DocumentFailure) {
        switch kind {
        case .block:
            var block = Block.status(Block.usualStatus)
            try object.read("with", into: &block, Self.block)
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
            try object.read("at", into: &breakpoint.stage, DocumentValue.choice(Breakpoint.Stage.self))
            let seconds = DocumentValue.seconds(in: 1...86_400)
            try object.read("seconds", into: &breakpoint.patience, seconds)
            self = .breakpoint(breakpoint)
        case .delay:
            self = .delay(try object.require("seconds", DocumentValue.seconds(in: 0.001...3600)))
        case .throttle: self = .throttle(try Throttling(&object))
        case .dropMessage:
            self = .dropMessage(try MessageMatch(&object, defaults: [.text, .binary]))
        case .rewriteMessage: self = .rewriteMessage(try MessageRewrite(&object))
        case .injectMessage: self = .injectMessage(try MessageInjection(&object))
        case .askProgram:
            self = .askProgram(ProgramCall(name: try object.require("program", DocumentValue.word)))
        }
    }

    private static func block(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Block {
        switch value {
        case .string("close"): return .close
        case .string("reset"): return .reset
        case .integer(let status) where 200...599 ~= status: return .status(Int(status))
        default:
            throw DocumentFailure(
                path: path,
                expected: "a status of 200 to 599, “close” or “reset”",
                found: value.summary
            )
        }
    }

    private static func token(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> String {
        _ = try DocumentValue.word(value, path)
        return try DocumentValue.fieldText(value, path)
    }

    private static func authorization(_ object: inout DocumentObject) throws(DocumentFailure) -> String {
        var basic: String?
        var bearer: String?
        try object.read("basic", into: &basic, DocumentValue.optional(DocumentValue.fieldText))
        try object.read("bearer", into: &bearer, DocumentValue.optional(Self.token))
        switch (basic, bearer) {
        case (let basic?, nil):
            guard basic.contains(":") else {
                throw DocumentFailure(
                    path: object.path,
                    expected: "USER:PASSWORD in basic",
                    found: "no colon"
                )
            }
            return "Basic " + Base64.encode(Array(basic.utf8))
        case (nil, let bearer?): return "Bearer " + bearer
        case (nil, nil), (.some, .some):
            throw DocumentFailure(
                path: object.path,
                expected: "either basic or bearer",
                found: basic == nil ? "none" : "both"
            )
        }
    }
}

extension MockAnswer {
    fileprivate init(_ object: inout DocumentObject) throws(DocumentFailure) {
        self.init()
        var number = Int64(200)
        try object.read("status", into: &number, DocumentValue.integer(in: 200...599))
        status = Int(number)
        try object.read("fields", into: &fields, DocumentValue.list(DocumentValue.fieldLine))
        if let read = try Content(&object) { content = read }
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

    /// Reads `body` or `file`; `nil` if both are missing.
    init?(_ object: inout DocumentObject) throws(DocumentFailure) {
        var body: String?
        var file: String?
        try object.read("body", into: &body, DocumentValue.optional(DocumentValue.string))
        try object.read("file", into: &file, DocumentValue.optional(DocumentValue.word))
        guard body == nil || file == nil else {
            throw DocumentFailure(path: object.path, expected: "body or file", found: "both")
        }
        if let file {
            self = .file(file)
        } else if let body {
            self = .bytes(Array(body.utf8))
        } else {
            return nil
        }
    }
}

extension LocalMap {
    fileprivate init(_ object: inout DocumentObject) throws(DocumentFailure) {
        var file: String?
        var folder: String?
        var prefix = "/"
        try object.read("file", into: &file, DocumentValue.optional(DocumentValue.word))
        try object.read("folder", into: &folder, DocumentValue.optional(DocumentValue.word))
        try object.read("from", into: &prefix, DocumentValue.pathPrefix)
        switch (file, folder) {
        case (let file?, nil): self.init(root: file, isFolder: false, prefix: prefix)
        case (nil, let folder?): self.init(root: folder, isFolder: true, prefix: prefix)
        case (nil, nil), (.some, .some):
            throw DocumentFailure(
                path: object.path,
                expected: "either file or folder",
                found: file == nil ? "none" : "both"
            )
        }
    }
}

extension RemoteMap {
    fileprivate init(_ object: inout DocumentObject) throws(DocumentFailure) {
        self = try object.require("to", Self.target)
        try object.read("from", into: &from, DocumentValue.pathPrefix)
        if from != "/", path == nil { path = "/" }
        try object.read("keepHost", into: &keepsHost, DocumentValue.boolean)
    }

    private static func target(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> RemoteMap {
        let text = try DocumentValue.string(value, path)
        guard let request = RuleRequest(url: text), !text.contains("?") else {
            throw DocumentFailure(
                path: path,
                expected:
                    "http://HOST[:PORT][/PATH] or https://… without a query, names of other scripts as xn--…",
                found: value.summary
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
        self.init(location: try object.require("to", DocumentValue.fieldText))
        let place = "\(object.path).to"
        var number = Int64(302)
        try object.read("status", into: &number, DocumentValue.integer(in: 301...308))
        guard [301, 302, 303, 307, 308].contains(number) else {
            throw DocumentFailure(
                path: "\(object.path).status",
                expected: "301, 302, 303, 307 or 308",
                found: "\(number)"
            )
        }
        status = Int(number)
        let to = location
        try object.read("find", into: &substitution) { (value, path) throws(DocumentFailure) in
            try Substitution.read(DocumentValue.word(value, path), at: path, to, at: place)
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
}
