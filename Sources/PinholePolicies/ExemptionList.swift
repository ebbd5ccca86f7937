/// A list of servers that are not checked, whose elements stand on the lines behind its name: `insecure-registries: [`.
///
/// A section may have such a name, too, and its settings hold the servers: `[registries.insecure]`.
struct ExemptionList {
    private var list: String?
    private var section: String?

    /// Whether the next line may be an element.
    var isOpen: Bool { list != nil || section != nil }

    /// Returns the name of the list if a line is an element of it; `nil` for other lines.
    ///
    /// - Parameter line: The line.
    /// - Returns: The name.
    mutating func name(for line: ArraySlice<UInt8>) -> String? {
        guard let end = line.last(where: { $0 > 0x20 }),
            isOpen || line.first == UInt8(ascii: "[") || "[:=".utf8.contains(end)
        else { return nil }
        let text = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")[...]
        guard let first = text.first else { return nil }
        if let name = list {
            list = nil
            let isElement =
                "-\"'".contains(first) || first.isLetter && !text.contains("=") && !text.contains(": ")
            if isElement, text.dropFirst().contains(where: \.isLetter) { return name }
        }
        if first == "[", text.last == "]" {
            section = Self.name(text.dropFirst().dropLast()) { $0 != .checks }
        } else if let name = section, let sign = text.firstIndex(of: "=") {
            let value = text[text.index(after: sign)...].drop { $0 == " " }
            if value == "[" { list = name }
            return value.hasPrefix("[") && value.contains(where: \.isLetter) || value == "true" ? name : nil
        } else if let last = text.last, "[:=".contains(last) {
            list = Self.name(text.prefix { !" :=".contains($0) }) { $0 == .exempts }
        }
        return nil
    }

    private static func name(_ text: Substring, where isMeant: (TrustSwitch.Sense) -> Bool) -> String? {
        let name = text.filter { !"[]\"'".contains($0) }
        return TrustSwitch(Array(name.utf8)[...], isSetting: true).flatMap { isMeant($0.sense) ? name : nil }
    }
}
