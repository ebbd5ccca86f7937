/// An operator of mitmproxy's filters.
enum MitmproxyOperator {
    /// What it means here.
    enum Meaning {
        /// Something that holds or not.
        case node(FilterNode)
        /// An expression follows, which is looked for in a field.
        case pattern(TextField)
        /// A status follows.
        case status
        /// It cannot mean anything here; the text says why.
        case refused(String)
    }

    /// The operators, without the tilde.
    static let all: [String: Meaning] = [
        "a": .node(.flag(.asset)),
        "all": .node(.everything),
        "b": .pattern(.body(.either)),
        "bq": .pattern(.body(.request)),
        "bs": .pattern(.body(.response)),
        "c": .status,
        "comment": .pattern(.comment),
        "d": .pattern(.host),
        "dns": .refused("names are looked up by the system here, so no query of DNS is seen"),
        "dst": .pattern(.destination),
        "e": .node(.flag(.failed)),
        "h": .pattern(.headers(.either)),
        "hq": .pattern(.headers(.request)),
        "hs": .pattern(.headers(.response)),
        "http": .node(.flag(.http)),
        "m": .pattern(.method),
        "marked": .node(.flag(.marked)),
        "marker": .pattern(.marker),
        "meta": .refused("nothing has metadata of add-ons here"),
        "q": .node(.flag(.unanswered)),
        "replay": .refused("nothing is replayed here"),
        "replayq": .refused("nothing is replayed here"),
        "replays": .refused("nothing is replayed here"),
        "s": .node(.flag(.answered)),
        "src": .pattern(.client),
        "t": .pattern(.contentType(.either)),
        "tcp": .node(.flag(.relayed)),
        "tq": .pattern(.contentType(.request)),
        "ts": .pattern(.contentType(.response)),
        "u": .pattern(.url),
        "udp": .refused("only TCP is carried here"),
        "websocket": .node(.flag(.websocket)),
    ]
}
