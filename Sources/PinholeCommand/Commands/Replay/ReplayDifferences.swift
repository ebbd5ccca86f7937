import PinholeContent
import PinholeModel

/// The differences between a recorded answer and a new one, in words.
struct ReplayDifferences {
    /// An answer with its fields and its body.
    struct Message {
        let status: Int
        let fields: HeaderFields
        /// The body; `nil` if it was not captured completely.
        let body: [UInt8]?
    }

    let recorded: Message
    let answer: Message

    /// The differences, each in a few words.
    var texts: [String] {
        var texts =
            recorded.status == answer.status ? [] : ["status \(recorded.status), now \(answer.status)"]
        texts += fieldTexts
        if let text = bodyText { texts.append(text) }
        return texts
    }

    /// The fields that are new in every answer, or that belong to its connection.
    private static let volatile: Set<String> = [
        "age", "alt-svc", "connection", "content-length", "date", "keep-alive", "transfer-encoding",
    ]

    private var fieldTexts: [String] {
        let (before, now) = (Self.lines(recorded.fields), Self.lines(answer.fields))
        return Set(before.keys).union(now.keys).sorted().compactMap { name in
            switch (before[name], now[name]) {
            case (let before?, let now?) where before != now:
                "\(name) “\(Self.cut(before))”, now “\(Self.cut(now))”"
            case (.some, nil): "no \(name)"
            case (nil, let now?): "\(name) “\(Self.cut(now))” is new"
            default: nil
            }
        }
    }

    private var bodyText: String? {
        guard let before = recorded.body, let now = answer.body else {
            return "the recorded body is not whole"
        }
        let (left, right) = (Self.content(before, recorded.fields), Self.content(now, answer.fields))
        guard left != right else { return nil }
        let same = zip(left, right).prefix { $0 == $1 }.count
        return left.count == right.count
            ? "body: other bytes from \(same) on"
            : "body: \(left.count) bytes, now \(right.count), the same up to \(same)"
    }

    private static func content(_ body: [UInt8], _ fields: HeaderFields) -> [UInt8] {
        let codings = fields.list("content-encoding").map { $0.lowercased() }
        return (try? ContentDecoder.decode(body, codings: codings)) ?? body
    }

    /// Returns the values of each field; of cookies only the names, since their values differ in each session.
    private static func lines(_ fields: HeaderFields) -> [String: String] {
        var lines: [String: [String]] = [:]
        for index in fields.indices where !fields.isPseudo(at: index) {
            let name = String(decoding: fields.name(at: index), as: UTF8.self).lowercased()
            guard !volatile.contains(name) else { continue }
            let value = String(decoding: fields.value(at: index), as: UTF8.self)
            lines[name, default: []].append(name == "set-cookie" ? "\(value.prefix { $0 != "=" })=…" : value)
        }
        return lines.mapValues { $0.joined(separator: ", ") }
    }

    private static func cut(_ text: String) -> String { text.count > 60 ? "\(text.prefix(59))…" : text }
}
