package import PinholeModel

/// A pin of OkHttp's `CertificatePinner`: a host pattern and a digest.
package struct OkHttpPin: Hashable, Sendable, CustomStringConvertible {
    /// A host pattern.
    package enum Pattern: Hashable, Sendable {
        /// The host itself matches.
        case exact(Host)
        /// Exactly one label before the name matches (`*.`).
        case oneLabel(String)
        /// Any number of labels before the name matches, including none (`**.`).
        case anyLabels(String)
    }

    /// The pattern of the hosts that the pin is for.
    package let pattern: Pattern
    /// The digest.
    package let pin: Pin

    /// Creates a pin.
    package init(_ pattern: Pattern, _ pin: Pin) {
        self.pattern = pattern
        self.pin = pin
    }

    /// Reads a line: a pattern and one or more pins, `*.example.com sha256/… sha256/…`.
    ///
    /// - Returns: A pin for each digest.
    /// - Throws: ``PolicyFailure`` when OkHttp would throw an IllegalArgumentException, and for digests with
    ///   a wrong length.
    package static func read(line: some StringProtocol) throws(PolicyFailure) -> [OkHttpPin] {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard let first = words.first, words.count > 1 else {
            throw PolicyFailure(
                "“\(line)” is not an OkHttp pin: expected a pattern and a pin, “example.com sha256/…”"
            )
        }
        let pattern = try Pattern(first)
        var pins: [OkHttpPin] = []
        for word in words.dropFirst() { pins.append(OkHttpPin(pattern, try Pin(okHttp: word))) }
        return pins
    }

    /// Reads lines.
    ///
    /// Empty lines and comments with `#` or `//` are skipped.
    ///
    /// - Throws: ``PolicyFailure`` that names the line.
    package static func read(lines text: some StringProtocol) throws(PolicyFailure) -> [OkHttpPin] {
        var pins: [OkHttpPin] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let content = line.drop(while: \.isWhitespace)
            guard !content.isEmpty, !content.hasPrefix("#"), !content.hasPrefix("//") else { continue }
            do {
                pins += try read(line: line)
            } catch {
                throw PolicyFailure("line \(index + 1): \(error)")
            }
        }
        return pins
    }

    /// The pin as a line: `*.example.com sha256/…`.
    package var description: String { "\(pattern) \(pin)" }
}

extension OkHttpPin.Pattern: CustomStringConvertible {
    /// Reads a pattern, and brings it into canonical form (lower case, without a trailing dot).
    ///
    /// - Parameter text: `example.com`, `*.example.com`, `**.example.com` or an address.
    /// - Throws: ``PolicyFailure`` for an asterisk elsewhere, or an invalid host.
    package init(_ text: some StringProtocol) throws(PolicyFailure) {
        let stars = text.hasPrefix("**.") ? 2 : text.hasPrefix("*.") ? 1 : 0
        let rest = stars == 0 ? text[...] : text.dropFirst(stars + 1)
        guard !rest.contains("*") else {
            throw PolicyFailure(
                "unexpected pattern “\(text)”: an asterisk may stand alone as “*.” or “**.” in front of a name"
            )
        }
        let host = try PolicyFailure.wrapping("invalid pattern “\(text)”") { try Host(rest) }
        switch (stars, host) {
        case (0, _): self = .exact(host)
        case (1, .name(let name)): self = .oneLabel(name)
        case (_, .name(let name)): self = .anyLabels(name)
        case (_, .address): throw PolicyFailure("invalid pattern “\(text)”: an address has no labels")
        }
    }

    /// Whether the pattern matches `host`.
    package func matches(_ host: Host) -> Bool {
        switch self {
        case .exact(let exact): return exact == host
        case .oneLabel(let suffix):
            guard let name = host.name, name.hasSuffix("." + suffix) else { return false }
            let label = name.dropLast(suffix.count + 1)
            return !label.isEmpty && !label.contains(".")
        case .anyLabels(let suffix):
            guard let name = host.name else { return false }
            return name == suffix || name.hasSuffix("." + suffix)
        }
    }

    /// The pattern in its canonical form.
    package var description: String {
        switch self {
        case .exact(let host): host.description
        case .oneLabel(let name): "*.\(name)"
        case .anyLabels(let name): "**.\(name)"
        }
    }
}
