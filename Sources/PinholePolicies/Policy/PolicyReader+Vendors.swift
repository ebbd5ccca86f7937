import PinholeModel
import PinholeTrust

extension PolicyReader {
    /// Reads the settings of `trustkit`.
    static func trustKit(_ object: inout DocumentObject) throws(DocumentFailure) -> any TrustPolicy {
        let domains = try object.require("pinnedDomains") { (value, path) throws(DocumentFailure) in
            try members(value, path, trustKitDomain)
        }
        return try parsed("\(object.path).pinnedDomains") { () throws(PolicyFailure) in
            try TrustKitPolicy(pinnedDomains: domains)
        }
    }

    private static func trustKitDomain(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> TrustKitDomain {
        var object = try DocumentObject(value, path: path)
        let domain = TrustKitDomain(
            publicKeyHashes: try object.value("publicKeyHashes", [], pins),
            enforcePinning: try object.flag("enforcePinning", true),
            includeSubdomains: try object.flag("includeSubdomains", false),
            expirationDate: try object.value("expirationDate", nil) { (value, path) throws(DocumentFailure) in
                let text = try DocumentValue.string(value, path)
                guard let date = CalendarDate.start(of: text) else {
                    throw DocumentFailure(path: path, expected: "a date, “2027-01-31”", found: "“\(text)”")
                }
                return date
            },
            excludeSubdomainFromParentPolicy: try object.flag("excludeSubdomainFromParentPolicy", false)
        )
        try object.finish()
        return domain
    }

    /// Reads the settings of `android-nsc`.
    func android(_ object: inout DocumentObject) throws(DocumentFailure) -> any TrustPolicy {
        let file = try object.require("file", DocumentValue.word)
        let sdk = try object.value("targetSdk", 34, DocumentValue.integer(in: 1...1000))
        let debug = try object.flag("debug", false)
        return try Self.parsed("\(object.path).file") { () throws(PolicyFailure) in
            try files.parsed(
                file,
                as: "an Android network security configuration whose files are there",
                remedy: "pinhole pins check"
            ) { content in
                try AndroidDocument.read(
                    content,
                    targetSdk: Int(sdk),
                    debug: debug,
                    name: file,
                    files: files.beside(file)
                )
            }
        }
    }

    /// Reads the settings of `apple-pinned-domains`: the domains themselves, or the file that contains them.
    func apple(_ object: inout DocumentObject) throws(DocumentFailure) -> any TrustPolicy {
        let file = try object.value("file", nil, DocumentValue.word)
        let domains = try object.value("domains", nil) { (value, path) throws(DocumentFailure) in
            try Self.members(value, path, Self.appleDomain)
        }
        switch (file, domains) {
        case (.some(let file), nil):
            return try Self.parsed("\(object.path).file") { () throws(PolicyFailure) in
                try files.parsed(
                    file,
                    as: "a property list with NSAppTransportSecurity",
                    remedy: "pinhole pins check"
                ) { try AppleDocument.read(PropertyList.read($0)) }
            }
        case (nil, .some(let domains)):
            return try Self.parsed("\(object.path).domains") { () throws(PolicyFailure) in
                try ApplePolicy(domains: domains)
            }
        case (nil, nil), (.some, .some):
            throw DocumentFailure(
                path: object.path,
                expected: "either “domains” or “file”",
                found: file == nil ? "neither" : "both"
            )
        }
    }

    private static func appleDomain(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> ApplePinnedDomain {
        var object = try DocumentObject(value, path: path)
        let domain = ApplePinnedDomain(
            leafIdentities: try object.value("leafIdentities", [], pins),
            caIdentities: try object.value("caIdentities", [], pins),
            includesSubdomains: try object.flag("includesSubdomains", false)
        )
        try object.finish()
        return domain
    }
}
