package import PinholeTrust

/// `NSAppTransportSecurity` in an Info.plist, `NSPinnedDomains` included.
package enum AppleDocument {
    private static let securityKeys = [
        "NSPinnedDomains", "NSExceptionDomains", "NSAllowsArbitraryLoads", "NSAllowsLocalNetworking",
        "NSAllowsArbitraryLoadsInWebContent", "NSAllowsArbitraryLoadsForMedia",
    ]
    private static let domainKeys = [
        "NSIncludesSubdomains", "NSPinnedLeafIdentities", "NSPinnedCAIdentities",
    ]
    private static let exceptionKeys = [
        "NSIncludesSubdomains", "NSExceptionAllowsInsecureHTTPLoads", "NSExceptionMinimumTLSVersion",
        "NSExceptionRequiresForwardSecrecy", "NSRequiresCertificateTransparency",
    ]
    private static let versions = ["TLSv1.0", "TLSv1.1", "TLSv1.2", "TLSv1.3"]

    /// Reads an Info.plist.
    ///
    /// - Parameter value: The root.
    /// - Returns: The policy.
    /// - Throws: ``PolicyFailure`` with the path of the key.
    package static func read(_ value: PropertyListValue) throws(PolicyFailure) -> ApplePolicy {
        var notes = DocumentNotes()
        let root = PropertyListNode(value: value, path: .root(""))
        guard let node = try root.member("NSAppTransportSecurity") else {
            throw PolicyFailure("expected NSAppTransportSecurity in the property list, found none")
        }
        return try policy(node, &notes)
    }

    /// Reads the dictionary `NSAppTransportSecurity`, and notes its oddities.
    static func policy(
        _ node: PropertyListNode,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> ApplePolicy {
        var domains: [String: ApplePinnedDomain] = [:]
        var security = AppleTransportSecurity()
        for (key, entry) in try node.members() {
            switch key {
            case "NSPinnedDomains":
                for (name, settings) in try entry.members() { domains[name] = try domain(settings, &notes) }
            case "NSExceptionDomains":
                for (name, settings) in try entry.members() {
                    security.exceptions[name] = try exception(settings, &notes)
                }
            case "NSAllowsArbitraryLoads": security.allowsArbitraryLoads = try entry.boolean()
            case "NSAllowsLocalNetworking", "NSAllowsArbitraryLoadsInWebContent",
                "NSAllowsArbitraryLoadsForMedia":
                _ = try entry.boolean()
                security.hasNarrowerKeys = true
            default: notes.ignored(key, at: entry.path, known: securityKeys)
            }
        }
        if let failure = notes.failure { throw failure }
        return try ApplePolicy(domains: domains, transportSecurity: security)
    }

    private static func domain(
        _ node: PropertyListNode,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> ApplePinnedDomain {
        var domain = ApplePinnedDomain()
        for (key, entry) in try node.members() {
            switch key {
            case "NSIncludesSubdomains": domain.includesSubdomains = try entry.boolean()
            case "NSPinnedLeafIdentities": domain.leafIdentities = try identities(entry, &notes)
            case "NSPinnedCAIdentities": domain.caIdentities = try identities(entry, &notes)
            default: notes.ignored(key, at: entry.path, known: domainKeys)
            }
        }
        return domain
    }

    /// An array of `{SPKI-SHA256-BASE64: …}`.
    private static func identities(
        _ node: PropertyListNode,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> [Pin] {
        var pins: [Pin] = []
        for element in try node.elements() {
            guard let entry = try element.member("SPKI-SHA256-BASE64") else {
                throw element.failure(expected: "a dictionary with SPKI-SHA256-BASE64")
            }
            for (key, other) in try element.members() where key != "SPKI-SHA256-BASE64" {
                notes.ignored(key, at: other.path, known: ["SPKI-SHA256-BASE64"])
            }
            if let pin = notes.pin(try entry.string(), at: entry.path) { pins.append(pin) }
        }
        return pins
    }

    private static func exception(
        _ node: PropertyListNode,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> AppleTransportSecurity.Exception {
        var exception = AppleTransportSecurity.Exception()
        for (key, entry) in try node.members() {
            switch key {
            case "NSIncludesSubdomains": exception.includesSubdomains = try entry.boolean()
            case "NSExceptionAllowsInsecureHTTPLoads": exception.allowsInsecureHTTPLoads = try entry.boolean()
            case "NSExceptionRequiresForwardSecrecy": exception.requiresForwardSecrecy = try entry.boolean()
            case "NSRequiresCertificateTransparency": _ = try entry.boolean()
            case "NSExceptionMinimumTLSVersion":
                exception.minimumTLSVersion = try entry.string()
                guard versions.contains(exception.minimumTLSVersion) else {
                    throw entry.failure(expected: "one of \(versions.joined(separator: ", "))")
                }
            default: notes.ignored(key, at: entry.path, known: exceptionKeys)
            }
        }
        return exception
    }
}
