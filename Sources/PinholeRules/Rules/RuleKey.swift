/// A key of a rule, with its default and its meaning.
package struct RuleKey: Sendable, Equatable {
    /// The key, as the configuration writes it.
    package let name: String
    /// The default, as JSON; `nil` if a rule without the key has nothing of the kind, or needs the key.
    package let usual: String?
    /// The effect of the key, for `pinhole rules kinds` and docs/RULES.md.
    package let meaning: String

    /// Declares a key with a default.
    private init(_ name: String, _ usual: String?, _ meaning: String) {
        self.name = name
        self.usual = usual
        self.meaning = meaning
    }

    /// Declares a key without a default.
    private init(_ name: String, _ meaning: String) { self.init(name, nil, meaning) }
}

extension RuleKey {
    /// The keys of every rule.
    package static let common = [
        RuleKey("do", "the kind of the rule"),
        RuleKey(
            "when",
            "a filter (docs/FILTERS.md): the rule acts on the exchanges that the filter matches; on all without it"
        ),
        RuleKey("name", "\"rule N\"", "the name of the rule in the capture and in messages"),
        RuleKey("enabled", "true", "`false` switches the rule off"),
        RuleKey(
            "chance",
            "1",
            "the part of the matches on which the rule acts, above 0: `0.1` is one in ten, drawn for each anew"
        ),
        RuleKey(
            "seed",
            "the number from which the draws of `chance` follow, so that a run repeats; without it the proxy draws one "
                + "and prints it"
        ),
    ]

    /// The keys that change the head of a request, in the order in which they act.
    package static let requestHead = [
        RuleKey("method", "the method to send"),
        RuleKey(
            "url",
            "`[{\"find\": \"^https://api\\\\.(\\\\w+)\", \"with\": \"https://test.$1\"}]` replaces matches in the whole "
                + "URL. If the URL names another server, the proxy asks that server, as `mapRemote` does"
        ),
        RuleKey("path", "the same for the path without the query"),
        RuleKey("setQuery", "`[\"debug=1\"]` sets query parameters by name; values are percent-encoded"),
        RuleKey("removeQuery", "`[\"utm_source\"]` removes query parameters by name"),
    ]

    /// The key that changes the status of a response.
    package static let responseHead = [RuleKey("status", "the status to send; not 204, 205 or 304")]

    /// The keys that change the fields of a message, in the order in which they act.
    package static let fields = [
        RuleKey("remove", "`[\"Cookie\"]` removes every field of this name"),
        RuleKey(
            "set",
            "`[\"X-Debug: 1\"]` gives the field this one value, at the place of the first field of that name"
        ),
        RuleKey("add", "`[\"Set-Cookie: a=b\"]` adds another field line"),
        RuleKey(
            "replace",
            "`[{\"field\": \"Location\", \"find\": \"^https://\", \"with\": \"http://\"}]` replaces matches in the "
                + "values of a field"
        ),
    ]

    /// The keys that change the body of a message, in the order in which they act.
    package static let body = [
        RuleKey("body", "`\"{}\"` replaces the whole body"),
        RuleKey(
            "file",
            "`\"page.html\"`, instead of `body`: the same from a file, which is read again for each message"
        ),
        RuleKey(
            "replaceBody",
            "`[{\"find\": \"(\\\\d+) €\", \"with\": \"$1 EUR\"}]` replaces matches; line breaks are allowed"
        ),
        RuleKey(
            "removeJSON",
            "`[\"/user/email\", \"/tags/0\"]` removes places of a JSON text, given as JSON pointers (RFC 6901)"
        ),
        RuleKey(
            "setJSON",
            "`[{\"at\": \"/price\", \"value\": 1}, {\"at\": \"/tags/-\", \"value\": \"new\"}]` sets a value; a missing "
                + "member is added, and `-` stands for a new last element"
        ),
    ]

    /// The keys of `throttle`.
    package static let throttle = [
        RuleKey("preset", "one of the presets; the other keys override its numbers"),
        RuleKey("downKilobits", "kilobits per second toward the client; without the key there is no limit"),
        RuleKey("upKilobits", "kilobits per second toward the server; without the key there is no limit"),
        RuleKey("latencyMilliseconds", "the wait of a request before it is sent on"),
        RuleKey("jitterMilliseconds", "the variation of the latency, up and down, from request to request"),
        RuleKey("lossPercent", "the percentage of segments that arrive late (0 to 90)"),
    ]

    /// The keys that select messages of WebSockets.
    package static let messageMatch = [
        RuleKey("from", "`\"client\"` or `\"server\"`; both if the key is missing"),
        RuleKey(
            "type",
            "`\"text\"`, `\"binary\"`, `\"ping\"` or `\"pong\"`. Without the key: text and binary, and for "
                + "`rewriteMessage`, which takes these two only, text"
        ),
        RuleKey(
            "find",
            "an expression (docs/FILTERS.md#expressions), matched against the first 64 KiB of the decompressed message"
        ),
    ]

    /// The keys for the content of a WebSocket message.
    private static let messageContent = [
        RuleKey("text", "the whole message, as text"),
        RuleKey("base64", "the whole message, as bytes"),
    ]

    /// The keys of `rewriteMessage` for the new content of the message.
    package static let messageRewrite =
        [
            RuleKey("with", "the replacement for each match of `find`; `$1` and so on as in `replace`")
        ] + messageContent

    /// The keys of `injectMessage`.
    package static let messageInjection =
        [
            RuleKey("to", "`\"client\"` or `\"server\"`: who gets the message"),
            RuleKey(
                "after",
                "an object with `from`, `type` and `find`: sends after each message that it selects; without it when "
                    + "the WebSocket opens"
            ),
        ] + messageContent
}

extension RuleKind {
    /// The keys of rules of this kind, besides the ones of every rule.
    package var keys: [RuleKey] {
        switch self {
        case .rewriteRequest: RuleKey.requestHead + RuleKey.fields + RuleKey.body
        case .rewriteResponse: RuleKey.responseHead + RuleKey.fields + RuleKey.body
        case .throttle: RuleKey.throttle
        case .dropMessage: RuleKey.messageMatch
        case .rewriteMessage: RuleKey.messageMatch + RuleKey.messageRewrite
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
}

extension RuleKey {
    /// The keys of a kind that shares no key with another kind.
    fileprivate static func single(_ kind: RuleKind) -> [RuleKey] {
        switch kind {
        case .block:
            [
                RuleKey(
                    "with",
                    "\(RuleAction.Block.usualStatus)",
                    "a status of 200 to 599, `\"close\"` or `\"reset\"`"
                )
            ]
        case .mock:
            [
                RuleKey("status", "\(MockAnswer().status)", "the status of the answer"),
                RuleKey("fields", "[]", "its fields: `[\"Retry-After: 30\"]`"),
                RuleKey("body", "its content"),
                RuleKey("file", "its content from a file, instead of `body`; read again for each answer"),
            ]
        case .mapLocal:
            [
                RuleKey("file", "the file"),
                RuleKey("folder", "the folder, instead of `file`"),
                RuleKey("from", "\"/\"", "the part of the path that stands for the folder"),
            ]
        case .replay:
            [
                RuleKey("file", "the capture"),
                RuleKey("ignore", "[]", "parts of a request that are not compared, or `query:NAME`"),
                RuleKey("headers", "[]", "fields of a request that are compared, too"),
                RuleKey(
                    "match",
                    "\"\(CaptureReplay.Match.loose.rawValue)\"",
                    "`\"strict\"` compares bodies, too"
                ),
                RuleKey(
                    "unknown",
                    "\"\(CaptureReplay.Unknown.refuse.rawValue)\"",
                    "the treatment of a request that was not recorded; `\"pass\"` asks the server"
                ),
                RuleKey(
                    "once",
                    "false",
                    "`true` gives each recorded answer once; else the last one is repeated"
                ),
                RuleKey(
                    "dates",
                    "\"\(CaptureReplay.Dates.move.rawValue)\"",
                    "whether dates in answers move with the time that has passed, or stay (`\"keep\"`)"
                ),
            ]
        case .mapRemote:
            [
                RuleKey("to", "a URL without query; its path replaces `from`"),
                RuleKey("from", "\"/\"", "the part of the path that is replaced"),
                RuleKey("keepHost", "false", "`true` leaves the name of the old server in the request"),
            ]
        case .redirect:
            [
                RuleKey("to", "a URL or a path"),
                RuleKey("status", "302", "the status of the answer"),
                RuleKey(
                    "find",
                    "an expression; `$1` in `to` stands for the match of its first group in the URL"
                ),
            ]
        case .setAuthentication:
            [
                RuleKey("basic", "`\"USER:PASSWORD\"`"),
                RuleKey("bearer", "a token, instead of `basic`"),
            ]
        case .delay: [RuleKey("seconds", "the length of the delay; 0.001 to 3600")]
        case .breakpoint:
            [
                RuleKey(
                    "at",
                    "\"\(Breakpoint().stage.rawValue)\"",
                    "`\"request\"`, `\"response\"` or `\"both\"`: the messages that are held"
                ),
                RuleKey(
                    "seconds",
                    "\(Breakpoint().patience.components.seconds)",
                    "the time for which a message is held before it goes on unchanged"
                ),
            ]
        case .askProgram: [RuleKey("program", "a name under `programs` in config.json")]
        case .rewriteRequest, .rewriteResponse, .noCaching, .removeAuthentication, .throttle, .dropMessage,
            .rewriteMessage, .injectMessage:
            []
        }
    }
}
