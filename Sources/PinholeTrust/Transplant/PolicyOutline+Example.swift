package import PinholeModel

extension PolicyOutline.Scope {
    /// A name that the scope means: the one that it names, else one below (`*.example.com`: `www.example.com`).
    ///
    /// It is `nil` where only addresses are meant, or everything.
    package var example: Host? {
        let name = text.drop { $0 == "*" || $0 == "." }
        guard !name.isEmpty, name.contains(where: \.isLetter) else { return nil }
        let candidates = [String(name), "www.\(name)", text.replacing("*", with: "www")]
            .map { port == nil ? $0 : String($0.prefix { $0 != ":" }) }
        return candidates.lazy.compactMap { try? Host($0) }.first { $0.name != nil && matches($0) }
    }
}
