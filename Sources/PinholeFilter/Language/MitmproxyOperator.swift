/// The operators of mitmproxy's filters.
enum MitmproxyOperator {
    /// The meaning of an operator in this language.
    enum Meaning {
        /// The operator stands for this node.
        case node(FilterNode)
        /// The operator is followed by an expression to search for in this field.
        case pattern(TextField)
        /// The operator is followed by a status.
        case status
        /// The operator has no meaning here, for the given reason.
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
        "dns": .refused("the system looks names up, so the proxy sees no query of DNS"),
        "dst": .pattern(.destination),
        "e": .node(.flag(.failed)),
        "h": .pattern(.headers(.either)),
        "hq": .pattern(.headers(.request)),
        "hs": .pattern(.headers(.response)),
        "http": .node(.flag(.http)),
        "m": .pattern(.method),
        "marked": .node(.flag(.marked)),
        "marker": .pattern(.marker),
        "meta": .refused("no exchange has metadata of add-ons here"),
        "q": .node(.flag(.unanswered)),
        "replay": .refused("an exchange that was replayed has no mark here"),
        "replayq": .refused("an exchange that was replayed has no mark here"),
        "replays": .refused("an exchange that was replayed has no mark here"),
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

/// The spelling of mitmproxy's operators in this language, for docs/FILTERS.md.
package struct MitmproxyTranslation: Sendable {
    /// The operator, with what follows it: `~d WORD`.
    package let original: String
    /// The filter with the same meaning; `nil` if there is none.
    package let filter: String?
    /// The reason why no filter corresponds; `nil` if one does.
    package let refusal: String?

    /// All operators, in the order of their names.
    package static var all: [MitmproxyTranslation] {
        MitmproxyOperator.all.sorted { $0.key < $1.key }.map { name, meaning in
            switch meaning {
            case .node(let node):
                MitmproxyTranslation(original: "~\(name)", filter: FilterPrinter.text(node), refusal: nil)
            case .pattern(let field):
                MitmproxyTranslation(
                    original: "~\(name) WORD",
                    filter: "\(field.name) matches WORD",
                    refusal: nil
                )
            case .status:
                MitmproxyTranslation(original: "~\(name) 404", filter: "status == 404", refusal: nil)
            case .refused(let why): MitmproxyTranslation(original: "~\(name)", filter: nil, refusal: why)
            }
        }
    }
}
