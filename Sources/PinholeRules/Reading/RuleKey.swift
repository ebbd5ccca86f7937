import PinholeModel

/// A key of a rule: the one declaration that the reader of config.json, `pinhole rules kinds`, docs/RULES.md and the forms
/// of the console use.
package struct RuleKey: Sendable, Equatable {
    /// The key, as the configuration writes it.
    package let name: String
    /// The label in a form, where the name alone says too little; `nil` to use the name.
    package let title: String?
    /// The default, as JSON; `nil` if a rule without the key has nothing of the kind, or needs the key.
    package let usual: String?
    /// The effect of the key, in a sentence.
    package let meaning: String
    /// The values that the key takes.
    package let shape: RuleShape
    /// Whether a rule without the key is refused.
    package let isRequired: Bool

    /// The effect and the bounds of the key, for `pinhole rules kinds` and docs/RULES.md.
    package var explanation: String { shape.bounds.map { "\(meaning); \($0)" } ?? meaning }
}

/// A key of a rule with the reader of its value.
struct ReadRuleKey<Value>: Sendable {
    /// The declaration.
    let key: RuleKey
    let read: RuleValue<Value>.Reader

    /// Declares a key.
    init(
        _ name: String,
        _ value: RuleValue<Value>,
        title: String? = nil,
        usual: String? = nil,
        isRequired: Bool = false,
        _ meaning: String
    ) {
        key = RuleKey(
            name: name,
            title: title,
            usual: usual,
            meaning: meaning,
            shape: value.shape,
            isRequired: isRequired
        )
        read = value.read
    }
}

/// Keys of which a rule takes one.
package struct RuleAlternatives: Sendable, Equatable, Codable {
    /// The names of the keys.
    package let names: [String]
    /// Whether a rule needs one of the keys.
    package let isRequired: Bool

    /// Declares alternatives.
    init(_ keys: [RuleKey], isRequired: Bool) {
        names = keys.map(\.name)
        self.isRequired = isRequired
    }

    /// Throws ``DocumentFailure`` if an object has several of the keys, or none although it needs one.
    func check(_ object: DocumentObject) throws(DocumentFailure) {
        let count = names.count { object.has($0) }
        guard count > 1 || (isRequired && count == 0) else { return }
        let last = names.last ?? ""
        let list =
            names.count > 2
            ? "\(names.dropLast().joined(separator: ", ")) or \(last)" : names.joined(separator: " or ")
        throw DocumentFailure(
            path: object.path,
            expected: isRequired ? "either \(list)" : list,
            found: count == 0 ? "none" : names.count > 2 ? "several" : "both"
        )
    }
}

extension DocumentObject {
    /// Reads the value of a key; if the key is missing, `value` stays unchanged.
    mutating func read<Value>(
        _ key: ReadRuleKey<Value>,
        into value: inout Value
    ) throws(DocumentFailure) {
        try read(key.key.name, into: &value, key.read)
    }

    /// Returns the value of a key; `nil` if the key is missing or `null`.
    mutating func read<Value>(_ key: ReadRuleKey<Value>) throws(DocumentFailure) -> Value? {
        try value(key.key.name, key.read)
    }

    /// Returns the value of a key that the object needs.
    mutating func require<Value>(_ key: ReadRuleKey<Value>) throws(DocumentFailure) -> Value {
        try require(key.key.name, key.read)
    }
}

extension RuleKey {
    /// The keys of every rule.
    package static let common = [
        Every.kind.key, Every.when.key, Every.name.key, Every.enabled.key, Every.chance.key, Every.seed.key,
    ]
    /// The keys that change the head of a request, in the order in which they act.
    package static let requestHead = [
        Head.method.key, Head.url.key, Head.path.key, Head.setQuery.key, Head.removeQuery.key,
    ]
    /// The key that changes the status of a response.
    package static let responseHead = [Head.status.key]
    /// The keys that change the fields of a message, in the order in which they act.
    package static let fields = [
        Fields.remove.key, Fields.set.key, Fields.add.key, Fields.replace.key,
    ]
    /// The keys that change the body of a message, in the order in which they act.
    package static let body = [
        Body.body.key, Body.file.key, Body.replaceBody.key, Body.removeJSON.key, Body.setJSON.key,
    ]
    /// The keys of `throttle`.
    package static let throttle = [
        Throttle.preset.key, Throttle.down.key, Throttle.up.key, Throttle.latency.key, Throttle.jitter.key,
        Throttle.loss.key,
    ]
    /// The keys that select messages of WebSockets.
    package static let messageMatch = [Message.from.key, Message.type.key, Message.find.key]
    /// The keys of `rewriteMessage` for the new content of the message.
    package static let messageRewrite = [Message.with.key, Message.text.key, Message.base64.key]
    /// The keys of `injectMessage`.
    package static let messageInjection = [
        Message.to.key, Message.after.key, Message.text.key, Message.base64.key,
    ]
}

extension RuleKind {
    /// The keys of rules of this kind, besides the ones of every rule.
    package var keys: [RuleKey] {
        switch self {
        case .rewriteRequest: RuleKey.requestHead + RuleKey.fields + RuleKey.body
        case .rewriteResponse: RuleKey.responseHead + RuleKey.fields + RuleKey.body
        case .throttle: RuleKey.throttle
        case .dropMessage: RuleKey.messageMatch
        case .rewriteMessage:
            [RuleKey.Message.from.key, RuleKey.Message.contentType.key, RuleKey.Message.find.key]
                + RuleKey.messageRewrite
        case .injectMessage: RuleKey.messageInjection
        case .noCaching, .removeAuthentication: []
        case .block, .mock, .mapLocal, .replay, .mapRemote, .redirect, .setAuthentication, .delay,
            .breakpoint,
            .askProgram:
            RuleKey.single(self)
        }
    }

    /// Whether the kind shares no key with another kind.
    package var hasKeysOfItsOwn: Bool { !RuleKey.single(self).isEmpty }

    /// The keys of which a rule of this kind takes one.
    package var alternatives: RuleAlternatives? {
        switch self {
        case .mock: RuleKey.Mock.content
        case .mapLocal: RuleKey.Local.place
        case .setAuthentication: RuleKey.Credentials.either
        case .rewriteRequest, .rewriteResponse: RuleKey.Body.content
        case .rewriteMessage: RuleKey.Message.newContent
        case .injectMessage: RuleKey.Message.content
        case .block, .replay, .mapRemote, .redirect, .noCaching, .removeAuthentication, .delay, .throttle,
            .dropMessage, .breakpoint, .askProgram:
            nil
        }
    }
}

extension RuleKey {
    /// The keys of a kind that shares no key with another kind.
    fileprivate static func single(_ kind: RuleKind) -> [RuleKey] {
        switch kind {
        case .block: [Block.with.key]
        case .mock: [Mock.status.key, Mock.fields.key, Mock.body.key, Mock.file.key]
        case .mapLocal: [Local.file.key, Local.folder.key, Local.from.key]
        case .replay:
            [
                Replay.file.key, Replay.ignore.key, Replay.headers.key, Replay.match.key, Replay.unknown.key,
                Replay.once.key, Replay.dates.key,
            ]
        case .mapRemote: [Remote.to.key, Remote.from.key, Remote.keepHost.key]
        case .redirect: [Redirect.to.key, Redirect.status.key, Redirect.find.key]
        case .setAuthentication: [Credentials.basic.key, Credentials.bearer.key]
        case .delay: [Delay.seconds.key]
        case .breakpoint: [Break.at.key, Break.seconds.key]
        case .askProgram: [Program.program.key]
        case .rewriteRequest, .rewriteResponse, .noCaching, .removeAuthentication, .throttle, .dropMessage,
            .rewriteMessage, .injectMessage:
            []
        }
    }
}
