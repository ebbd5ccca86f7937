import PinholeModel
import PinholeTrust

/// Removes invalid pins from a document of our own and notes each, so that the rest can be read.
enum PinScan {
    /// The names of lists of SHA-256 pins.
    private static let lists: Set = ["pins", "publicKeyHashes", "leafIdentities", "caIdentities"]

    /// Cleans a document.
    ///
    /// - Parameters:
    ///   - value: The document.
    ///   - notes: Gets a finding for each invalid pin.
    /// - Returns: The document without the invalid pins.
    static func clean(_ value: JSONValue, _ notes: inout DocumentNotes) -> JSONValue {
        clean(value, .root(""), &notes)
    }

    private static func clean(
        _ value: JSONValue,
        _ path: DocumentPath,
        _ notes: inout DocumentNotes
    ) -> JSONValue {
        switch value {
        case .array(let values):
            var cleaned: [JSONValue] = []
            for (index, value) in values.enumerated() {
                cleaned.append(clean(value, .element(path, "\(index)"), &notes))
            }
            return .array(cleaned)
        case .object(let members):
            var cleaned: [String: JSONValue] = [:]
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                let inner = DocumentPath.member(path, name)
                cleaned[name] =
                    switch (name, value) {
                    case (_, .array(let values)) where lists.contains(name): pins(values, inner, &notes)
                    case ("pinnedDomains", .object(let domains)): trustKit(domains, inner, &notes)
                    default: clean(value, inner, &notes)
                    }
            }
            return .object(cleaned)
        default: return value
        }
    }

    private static func pins(
        _ values: [JSONValue],
        _ path: DocumentPath,
        _ notes: inout DocumentNotes
    ) -> JSONValue {
        var kept: [JSONValue] = []
        for (index, value) in values.enumerated() {
            // OkHttp's have a pattern in front.
            if case .string(let text) = value, !text.contains(where: \.isWhitespace) {
                do throws(PolicyFailure) {
                    _ = try Pin(text)
                } catch {
                    notes.badPin(text, at: .element(path, "\(index)"), error)
                    continue
                }
            }
            kept.append(value)
        }
        return .array(kept)
    }

    /// Removes the domains of TrustKit that have too few pins.
    private static func trustKit(
        _ domains: [String: JSONValue],
        _ path: DocumentPath,
        _ notes: inout DocumentNotes
    ) -> JSONValue {
        var kept: [String: JSONValue] = [:]
        for (name, value) in domains.sorted(by: { $0.key < $1.key }) {
            let inner = DocumentPath.member(path, name)
            let cleaned = clean(value, inner, &notes)
            guard case .object(let members) = cleaned, case .array(let pins) = members["publicKeyHashes"]
            else {
                kept[name] = cleaned
                continue
            }
            let isExcluded = members["excludeSubdomainFromParentPolicy"] == .boolean(true)
            var domain = TrustKitDomain(
                publicKeyHashes: pins.compactMap { value in
                    guard case .string(let text) = value else { return nil }
                    return try? Pin(text)
                },
                enforcePinning: members["enforcePinning"] != .boolean(false),
                excludeSubdomainFromParentPolicy: isExcluded
            )
            domain.includeSubdomains = members["includeSubdomains"] == .boolean(true)
            guard let finding = domain.refusal(of: name, at: inner.description) else {
                kept[name] = cleaned
                continue
            }
            // If pins were removed, the findings about them are enough.
            if cleaned == value { notes.fail(finding) }
        }
        return .object(kept)
    }
}
