import PinholeFilter
import PinholeModel

extension MessageMatch {
    /// Reads `from`, `type` and `find`.
    init(_ object: inout DocumentObject, defaults kinds: Set<WebSocketMessage.Kind>) throws(DocumentFailure) {
        self.init(kinds: kinds)
        try object.read("from", into: &sender) { (value, path) throws(DocumentFailure) in
            try DocumentValue.side(value, path)
        }
        try object.read("type", into: &self.kinds) { (value, path) throws(DocumentFailure) in
            switch value {
            case .string("text"): return [.text]
            case .string("binary"): return [.binary]
            case .string("ping"): return [.ping]
            case .string("pong"): return [.pong]
            default:
                throw DocumentFailure(
                    path: path,
                    expected: "“text”, “binary”, “ping” or “pong”",
                    found: value.summary
                )
            }
        }
        try object.read("find", into: &find) { (value, path) throws(DocumentFailure) in
            try Substitution.read(DocumentValue.word(value, path), at: path, "", at: path)
        }
    }
}

extension MessageContent {
    /// Reads `text` or `base64`; `nil` if both are missing.
    static func read(_ object: inout DocumentObject) throws(DocumentFailure) -> MessageContent? {
        var text: String?
        var bytes: [UInt8]?
        try object.read("text", into: &text, DocumentValue.optional(DocumentValue.string))
        try object.read("base64", into: &bytes) { (value, path) throws(DocumentFailure) in
            guard let bytes = Base64.decode(try DocumentValue.string(value, path).utf8) else {
                throw DocumentFailure(path: path, expected: "bytes in Base64", found: value.summary)
            }
            return bytes
        }
        switch (text, bytes) {
        case (let text?, nil): return .text(text)
        case (nil, let bytes?): return .bytes(bytes)
        case (nil, nil): return nil
        case (.some, .some):
            throw DocumentFailure(path: object.path, expected: "text or base64", found: "both")
        }
    }
}

extension MessageRewrite {
    init(_ object: inout DocumentObject) throws(DocumentFailure) {
        var match = try MessageMatch(&object, defaults: [.text])
        if !match.kinds.isDisjoint(with: [.ping, .pong]) {
            throw DocumentFailure(
                path: "\(object.path).type",
                expected: "“text” or “binary”, as control frames are not rewritten",
                found: "another one"
            )
        }
        var with: String?
        try object.read("with", into: &with, DocumentValue.optional(DocumentValue.string))
        let whole = try MessageContent.read(&object)
        switch (with, whole) {
        case (nil, let whole?): self.init(match, .whole(whole))
        case (let with?, nil):
            guard let find = match.find?.expression else {
                throw DocumentFailure(path: object.path, expected: "find beside with", found: "none")
            }
            match.find = nil
            self.init(
                match,
                .replace(
                    try Substitution.read(find, at: "\(object.path).find", with, at: "\(object.path).with")
                )
            )
        case (nil, nil), (.some, .some):
            throw DocumentFailure(
                path: object.path,
                expected: "either with, text or base64",
                found: with == nil ? "none" : "several"
            )
        }
    }
}

extension MessageInjection {
    init(_ object: inout DocumentObject) throws(DocumentFailure) {
        let receiver = try object.require("to", DocumentValue.side)
        var after: MessageMatch?
        try object.read("after", into: &after) { (value, path) throws(DocumentFailure) in
            var object = try DocumentObject(value, path: path)
            let match = try MessageMatch(&object, defaults: [.text, .binary])
            try object.finish()
            return match
        }
        guard let content = try MessageContent.read(&object) else {
            throw DocumentFailure(path: object.path, expected: "text or base64", found: "none")
        }
        self.init(to: receiver, content, after: after)
    }
}

extension DocumentValue {
    /// Reads `"client"` or `"server"`.
    static func side(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Side {
        guard case .string(let text) = value, let side = Side(rawValue: text) else {
            throw DocumentFailure(path: path, expected: "“client” or “server”", found: value.summary)
        }
        return side
    }
}
