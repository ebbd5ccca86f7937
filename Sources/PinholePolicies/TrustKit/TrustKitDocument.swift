package import PinholeTrust

/// TrustKit's configuration as a property list: the dictionary `TSKConfiguration` of an Info.plist, or alone.
package enum TrustKitDocument {
    private static let rootKeys = [
        "TSKPinnedDomains", "TSKSwizzleNetworkDelegates", "TSKIgnorePinningForUserDefinedTrustAnchors",
    ]
    private static let domainKeys = [
        "TSKPublicKeyHashes", "TSKEnforcePinning", "TSKIncludeSubdomains", "TSKExpirationDate",
        "TSKExcludeSubdomainFromParentPolicy", "TSKReportUris", "TSKDisableDefaultReportUri",
        "TSKPublicKeyAlgorithms",
    ]

    /// The system of an app, on which a setting depends.
    enum Platform {
        /// iOS, which has no exception for CAs that the user installed.
        case iOS
        /// macOS, where such CAs pass without a pin by default.
        case macOS
        /// A configuration that does not show it.
        case unknown

        /// Reads the system from an Info.plist.
        init(in root: PropertyListNode) throws(PolicyFailure) {
            let names = Set(try root.members().map(\.key))
            let isPhone = !names.isDisjoint(with: [
                "LSRequiresIPhoneOS", "UIDeviceFamily", "MinimumOSVersion",
            ])
            let isMac = !names.isDisjoint(with: ["LSMinimumSystemVersion", "LSUIElement", "NSMainNibFile"])
            self = isPhone ? .iOS : isMac ? .macOS : .unknown
        }
    }

    /// Reads a property list that is a configuration, or contains one.
    ///
    /// - Parameter value: The root.
    /// - Returns: The policy.
    /// - Throws: ``PolicyFailure`` with the path of the key, also for faults that TrustKit itself refuses.
    package static func read(_ value: PropertyListValue) throws(PolicyFailure) -> TrustKitPolicy {
        var notes = DocumentNotes()
        let root = PropertyListNode(value: value, path: .root(""))
        guard let node = try configuration(in: root) else {
            throw PolicyFailure(
                "expected TSKConfiguration or TSKPinnedDomains in the property list, found neither"
            )
        }
        let policy = try policy(node, &notes)
        if let failure = notes.failure { throw failure }
        return policy
    }

    /// Finds the configuration in a property list; `nil` if there is none.
    static func configuration(in root: PropertyListNode) throws(PolicyFailure) -> PropertyListNode? {
        if let node = try root.member("TSKConfiguration") { return node }
        return try root.member("TSKPinnedDomains") == nil ? nil : root
    }

    /// Reads a configuration, and notes its oddities.
    static func policy(
        _ node: PropertyListNode,
        _ notes: inout DocumentNotes,
        on platform: Platform = .unknown
    ) throws(PolicyFailure) -> TrustKitPolicy {
        var domains: [String: TrustKitDomain] = [:]
        // A configuration that shows no system is taken for one of iOS, unless it has the key, which macOS alone reads.
        var ignoresUserAnchors = platform == .macOS
        for (key, entry) in try node.members() {
            switch key {
            case "TSKPinnedDomains":
                for (name, settings) in try entry.members() {
                    let read = try domain(settings, &notes)
                    let count = try settings.member("TSKPublicKeyHashes")?.elements().count ?? 0
                    // Invalid pins have findings already.
                    guard read.publicKeyHashes.count == count else { continue }
                    guard let finding = read.refusal(of: name, at: settings.path.description) else {
                        domains[name] = read
                        continue
                    }
                    notes.fail(finding)
                }
            case "TSKIgnorePinningForUserDefinedTrustAnchors":
                ignoresUserAnchors = try entry.boolean() && platform != .iOS
            case "TSKSwizzleNetworkDelegates": _ = try entry.boolean()
            default: notes.ignored(key, at: entry.path, known: rootKeys)
            }
        }
        if domains.isEmpty, let failure = notes.obstacle { throw failure }
        return try TrustKitPolicy(
            pinnedDomains: domains,
            ignorePinningForUserDefinedTrustAnchors: ignoresUserAnchors
        )
    }

    private static func domain(
        _ node: PropertyListNode,
        _ notes: inout DocumentNotes
    ) throws(PolicyFailure) -> TrustKitDomain {
        var domain = TrustKitDomain(publicKeyHashes: [])
        let members = try node.members()
        for (key, entry) in members {
            switch key {
            case "TSKPublicKeyHashes":
                for element in try entry.elements() {
                    guard let pin = notes.pin(try element.string(), at: element.path) else { continue }
                    domain.publicKeyHashes.append(pin)
                }
            case "TSKEnforcePinning": domain.enforcePinning = try entry.boolean()
            case "TSKIncludeSubdomains": domain.includeSubdomains = try entry.boolean()
            case "TSKExpirationDate":
                // TrustKit takes a date that it cannot read for none, so that the pins never end; we refuse.
                guard let date = CalendarDate.start(of: try entry.string()) else {
                    throw entry.failure(expected: "a day as yyyy-MM-dd")
                }
                domain.expirationDate = date
            case "TSKExcludeSubdomainFromParentPolicy":
                domain.excludeSubdomainFromParentPolicy = try entry.boolean()
            case "TSKReportUris":
                for element in try entry.elements() { domain.reportURIs.append(try element.string()) }
            case "TSKDisableDefaultReportUri", "TSKPublicKeyAlgorithms": break
            default: notes.ignored(key, at: entry.path, known: domainKeys)
            }
        }
        if domain.excludeSubdomainFromParentPolicy, members.count > 1 {
            throw PolicyFailure(
                "\(node.path): TrustKit refuses other keys beside TSKExcludeSubdomainFromParentPolicy; remove them"
            )
        }
        return domain
    }
}
