import PinholeFilter
import PinholeModel

extension RuleKey {
    /// The keys of rules for messages of WebSockets.
    enum Message {
        static let from = ReadRuleKey<Side>(
            "from",
            .side,
            "`\"client\"` or `\"server\"`; both if the key is missing"
        )
        static let type = ReadRuleKey<Set<WebSocketMessage.Kind>>(
            "type",
            .types(MessageType.allCases),
            typeMeaning
        )
        /// The type in `rewriteMessage`: control frames are not rewritten.
        static let contentType = ReadRuleKey<Set<WebSocketMessage.Kind>>(
            "type",
            .types([.text, .binary], reason: ", as control frames are not rewritten"),
            typeMeaning
        )
        static let find = ReadRuleKey<Substitution>(
            "find",
            RuleValue(.text(.expression)) { (value, path) throws(DocumentFailure) in
                try Substitution.read(DocumentValue.word(value, path), at: path, "", at: path)
            },
            "an expression (docs/FILTERS.md#expressions), matched against the first 64 KiB of the decompressed message"
        )
        static let with = ReadRuleKey<String>(
            "with",
            .text(.content),
            "the replacement for each match of `find`; `$1` and so on as in `replace`"
        )
        static let text = ReadRuleKey<String>("text", .text(.content), "the whole message, as text")
        static let base64 = ReadRuleKey<[UInt8]>(
            "base64",
            RuleValue(.text(.content)) { (value, path) throws(DocumentFailure) in
                guard let bytes = Base64.decode(try DocumentValue.string(value, path).utf8) else {
                    throw value.failure(at: path, expected: "bytes in Base64")
                }
                return bytes
            },
            "the whole message, as bytes"
        )
        static let to = ReadRuleKey<Side>(
            "to",
            .side,
            isRequired: true,
            "`\"client\"` or `\"server\"`: who gets the message"
        )
        static let after = ReadRuleKey<MessageMatch>(
            "after",
            RuleValue(.object(messageMatch)) { (value, path) throws(DocumentFailure) in
                var object = try DocumentObject(value, path: path)
                let match = try MessageMatch(&object, type, defaults: [.text, .binary])
                try object.finish()
                return match
            },
            "an object with `from`, `type` and `find`: sends after each message that it selects; without it when "
                + "the WebSocket opens"
        )

        /// The content of a message that is sent.
        static let content = RuleAlternatives([text.key, base64.key], isRequired: true)
        /// The new content of a message that is rewritten.
        static let newContent = RuleAlternatives([with.key, text.key, base64.key], isRequired: true)

        private static let typeMeaning =
            "`\"text\"`, `\"binary\"`, `\"ping\"` or `\"pong\"`. Without the key: text and binary, and for "
            + "`rewriteMessage`, which takes these two only, text"
    }
}

extension RuleValue where Value == Set<WebSocketMessage.Kind> {
    /// A choice between types of messages.
    static func types(_ types: [MessageType], reason: String = "") -> Self {
        let words = types.map(\.rawValue)
        return Self(.words(words)) { (value, path) throws(DocumentFailure) in
            guard case .string(let text) = value, let type = types.first(where: { $0.rawValue == text })
            else {
                let quoted = words.map { "“\($0)”" }
                throw value.failure(
                    at: path,
                    expected: "\(quoted.dropLast().joined(separator: ", ")) or \(quoted.last ?? "")\(reason)"
                )
            }
            return [type.kind]
        }
    }
}

extension RuleValue where Value == Side {
    /// `"client"` or `"server"`.
    static var side: Self { Self(.words([Side.client.rawValue, Side.server.rawValue]), DocumentValue.side) }
}

extension MessageMatch {
    /// Reads `from`, `type` and `find`.
    init(
        _ object: inout DocumentObject,
        _ type: ReadRuleKey<Set<WebSocketMessage.Kind>>,
        defaults kinds: Set<WebSocketMessage.Kind>
    ) throws(DocumentFailure) {
        self.init(kinds: kinds)
        sender = try object.read(RuleKey.Message.from)
        try object.read(type, into: &self.kinds)
        find = try object.read(RuleKey.Message.find)
    }
}

extension MessageContent {
    /// Reads `text` or `base64`; `nil` if both are missing.
    static func read(_ object: inout DocumentObject) throws(DocumentFailure) -> MessageContent? {
        let text = try object.read(RuleKey.Message.text)
        let bytes = try object.read(RuleKey.Message.base64)
        return text.map(MessageContent.text) ?? bytes.map(MessageContent.bytes)
    }
}

extension MessageRewrite {
    init(_ object: inout DocumentObject) throws(DocumentFailure) {
        var match = try MessageMatch(&object, RuleKey.Message.contentType, defaults: [.text])
        try RuleKey.Message.newContent.check(object)
        let with = try object.read(RuleKey.Message.with)
        if let whole = try MessageContent.read(&object) {
            self.init(match, .whole(whole))
            return
        }
        guard let find = match.find?.expression else {
            throw DocumentFailure(path: object.path, expected: "find beside with", found: "none")
        }
        match.find = nil
        self.init(
            match,
            .replace(
                try Substitution.read(find, at: "\(object.path).find", with ?? "", at: "\(object.path).with")
            )
        )
    }
}

extension MessageInjection {
    init(_ object: inout DocumentObject) throws(DocumentFailure) {
        let receiver = try object.require(RuleKey.Message.to)
        let after = try object.read(RuleKey.Message.after)
        try RuleKey.Message.content.check(object)
        self.init(to: receiver, try MessageContent.read(&object) ?? .text(""), after: after)
    }
}

extension DocumentValue {
    /// Reads `"client"` or `"server"`.
    static func side(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Side {
        guard case .string(let text) = value, let side = Side(rawValue: text) else {
            throw value.failure(at: path, expected: "“client” or “server”")
        }
        return side
    }
}
