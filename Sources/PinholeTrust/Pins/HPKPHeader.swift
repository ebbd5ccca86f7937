/// The value of a `Public-Key-Pins` header (RFC 7469 §2.1).
package struct HPKPHeader: Hashable, Sendable {
    /// The pins of `pin-sha256`.
    ///
    /// Pins with other digests are ignored.
    package var pins: [Pin]
    /// The `max-age` in seconds.
    ///
    /// With 0 a browser forgets the host. `nil` only in a Report-Only header.
    package var maxAge: UInt64?
    /// Whether `includeSubDomains` is present.
    package var includesSubdomains: Bool
    /// The address in `report-uri`; `nil` if there is none.
    package var reportURI: String?

    /// Creates a header.
    package init(
        pins: [Pin],
        maxAge: UInt64?,
        includesSubdomains: Bool = false,
        reportURI: String? = nil
    ) {
        self.pins = pins
        self.maxAge = maxAge
        self.includesSubdomains = includesSubdomains
        self.reportURI = reportURI
    }

    /// Reads a header with or without its name.
    ///
    /// - Parameters:
    ///   - text: `pin-sha256="…"; pin-sha256="…"; max-age=5184000`.
    ///   - reportOnly: Whether the header is `Public-Key-Pins-Report-Only`, which needs no `max-age`.
    /// - Throws: ``PolicyFailure`` when a browser would ignore the header: for a repeated directive, a pin
    ///   without quotes or with a wrong length, a missing `max-age`, or missing pins.
    package init(_ text: some StringProtocol, reportOnly: Bool = false) throws(PolicyFailure) {
        try self.init(text, reportOnly: reportOnly) { (_, _, failure) throws(PolicyFailure) in throw failure }
    }

    /// Reads a header, and reports invalid pins instead of refusing the header.
    ///
    /// - Parameters:
    ///   - text: `pin-sha256="…"; pin-sha256="…"; max-age=5184000`.
    ///   - reportOnly: Whether the header is `Public-Key-Pins-Report-Only`, which needs no `max-age`.
    ///   - badPin: Receives the number of an invalid pin, its text, and the fault. If it throws, the header is refused.
    /// - Throws: ``PolicyFailure`` when a browser would ignore the header for another reason than its pins.
    package init(
        _ text: some StringProtocol,
        reportOnly: Bool,
        badPin: (Int, String, PolicyFailure) throws(PolicyFailure) -> Void
    ) throws(PolicyFailure) {
        self.init(pins: [], maxAge: nil)
        var scanner = DirectiveScanner(Self.value(of: text))
        var seen: Set<String> = []
        var place = 0
        while let directive = try scanner.next() {
            let name = directive.name.lowercased()
            if name.hasPrefix("pin-") {
                try take(pin: directive, name) { (text, failure) throws(PolicyFailure) in
                    try badPin(place, text, failure)
                }
                place += 1
                continue
            }
            guard seen.insert(name).inserted else {
                throw PolicyFailure("the directive “\(directive.name)” stands twice (RFC 7469 §2.1)")
            }
            try take(directive, name)
        }
        guard !pins.isEmpty else {
            throw PolicyFailure("the header holds no pin: expected pin-sha256=\"…\" (RFC 7469 §2.1.1)")
        }
        guard maxAge != nil || reportOnly else {
            throw PolicyFailure("the header holds no “max-age”, which is required (RFC 7469 §2.1.2)")
        }
    }

    private mutating func take(
        pin directive: Directive,
        _ name: String,
        orElse badPin: (String, PolicyFailure) throws(PolicyFailure) -> Void
    ) throws(PolicyFailure) {
        guard directive.isQuoted, let value = directive.value else {
            throw PolicyFailure(
                "“\(directive.name)” needs a value in quotes: \(name)=\"…\" (RFC 7469 §2.1.1)"
            )
        }
        // RFC 7469 §2.1.1: a pin of an unknown algorithm is ignored.
        guard name == "pin-sha256" else { return }
        do throws(PolicyFailure) {
            pins.append(try Pin(base64: value, takesSpareBits: true))
        } catch {
            try badPin(value, error)
        }
    }

    private mutating func take(_ directive: Directive, _ name: String) throws(PolicyFailure) {
        switch name {
        case "max-age":
            guard let value = directive.value, !value.isEmpty,
                value.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else {
                throw PolicyFailure(
                    "“max-age” is \(directive.value.map { "“\($0)”" } ?? "empty"): expected seconds"
                )
            }
            // A number of seconds beyond 64 bits means for ever.
            maxAge = UInt64(value) ?? .max
        case "includesubdomains":
            guard directive.value == nil else {
                throw PolicyFailure("“includeSubDomains” takes no value (RFC 7469 §2.1.3)")
            }
            includesSubdomains = true
        case "report-uri":
            guard let value = directive.value else {
                throw PolicyFailure("“report-uri” needs a value (RFC 7469 §2.1.4)")
            }
            reportURI = value
        default: break
        }
    }

    /// Whether the name before the value is `Public-Key-Pins-Report-Only`; `nil` if there is no name.
    package static func isReportOnly(_ text: some StringProtocol) -> Bool? {
        name(of: text).map { $0 == reportOnlyName }
    }

    private static let enforcingName = "public-key-pins:"
    private static let reportOnlyName = "public-key-pins-report-only:"

    private static func name(of text: some StringProtocol) -> String? {
        let start = text.prefix(reportOnlyName.count).lowercased()
        return [enforcingName, reportOnlyName].first { start.hasPrefix($0) }
    }

    /// The value without the name of the header.
    private static func value(of text: some StringProtocol) -> String {
        String(text.dropFirst(name(of: text)?.count ?? 0))
    }
}
