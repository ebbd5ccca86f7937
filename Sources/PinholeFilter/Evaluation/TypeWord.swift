/// The words for media types that lists show and filters take: `html`, `json`, `js`, `image/png`.
package enum TypeWord {
    /// Returns the word that a list shows for the value of a Content-Type field; empty if there is no type.
    package static func shown(for value: String) -> String {
        let type = value.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        let parts = type.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2, ["application", "text"].contains(parts[0]) else { return type }
        let name = parts[1].hasPrefix("x-") ? String(parts[1].dropFirst(2)) : parts[1]
        return ["javascript", "ecmascript"].contains(name) ? "js" : name
    }

    /// Returns the words that a filter may say instead of the value: the shown one, the type without its parameters,
    /// the kind (`image`, `font`) and the syntax (`json` of `application/problem+json`).
    static func accepted(for value: [UInt8]) -> [[UInt8]] {
        let text = String(decoding: value, as: UTF8.self)
        let type = text.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        var words = [shown(for: text), type]
        if let slash = type.firstIndex(of: "/") { words.append(String(type[..<slash])) }
        if let plus = type.lastIndex(of: "+") { words.append(String(type[plus...].dropFirst())) }
        return words.map { Array($0.utf8) }
    }
}
