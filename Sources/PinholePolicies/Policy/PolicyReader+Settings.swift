import PinholeCrypto
import PinholeModel
import PinholeTrust

extension PolicyReader {
    /// Reads the settings of `afnetworking`.
    func afnetworking(_ object: inout DocumentObject) throws(DocumentFailure) -> any TrustPolicy {
        AFSecurityPolicy(
            pinningMode: try object.choice("pinningMode", .none),
            allowInvalidCertificates: try object.flag("allowInvalidCertificates", false),
            validatesDomainName: try object.value("validatesDomainName", nil, DocumentValue.boolean),
            validatesCertificateChain: try object.value(
                "validatesCertificateChain",
                nil,
                DocumentValue.boolean
            ),
            pinnedCertificates: try certificates("pinnedCertificates", in: &object, orElse: []),
            version: try object.choice("version", .version4)
        )
    }

    /// Reads the settings of `alamofire-revocation`.
    static func revocation(_ object: inout DocumentObject) throws(DocumentFailure) -> any TrustPolicy {
        AlamofireRevocationPolicy(
            performDefaultValidation: try object.flag("performDefaultValidation", true),
            validateHost: try object.flag("validateHost", true),
            options: try object.value("options", .any) { (value, path) throws(DocumentFailure) in
                var options: AlamofireRevocationPolicy.Options = []
                let known = AlamofireRevocationPolicy.Options.names
                for name in try DocumentValue.list(DocumentValue.string)(value, path) {
                    guard let option = known.first(where: { $0.name == name }) else {
                        let names = known.map(\.name).joined(separator: ", ")
                        throw DocumentFailure(path: path, expected: names, found: "“\(name)”")
                    }
                    options.insert(option.option)
                }
                return options
            }
        )
    }

    /// Reads the settings of `certificate`, which needs one of its lists.
    static func certificate(
        _ reader: PolicyReader,
        _ object: inout DocumentObject
    ) throws(DocumentFailure) -> any TrustPolicy {
        let fingerprints = try object.value("fingerprints", nil) { (value, path) throws(DocumentFailure) in
            try list(value, path) { (text) throws(PolicyFailure) in try PinnedValue(fingerprint: text).bytes }
        }
        let fallback: [CertificateFacts]? = fingerprints == nil ? nil : []
        return CertificatePolicy(
            certificates: try reader.certificates("certificates", in: &object, orElse: fallback),
            fingerprints: fingerprints ?? [],
            scope: try object.choice("scope", .chain),
            validatesChain: try object.flag("validatesChain", true)
        )
    }

    /// Reads the settings of `okhttp`.
    static func okHttp(_ object: inout DocumentObject) throws(DocumentFailure) -> any TrustPolicy {
        let lines = try object.require("pins") { (value, path) throws(DocumentFailure) in
            try list(value, path) { (line) throws(PolicyFailure) in
                try OkHttpPin.read(line: OkHttpPin.canonical(line))
            }
        }
        return OkHttpPolicy(pins: lines.flatMap(\.self))
    }

    /// Reads the settings of `curl`.
    ///
    /// A value without `sha256//` is the name of a file. If the file is missing, curl fails closed.
    func curl(_ object: inout DocumentObject) throws(DocumentFailure) -> any TrustPolicy {
        let value = try object.value("pinnedPublicKey", nil, DocumentValue.word)
        return CurlPolicy(
            pinnedPublicKey: value.map(curlKey),
            insecure: try object.flag("insecure", false)
        )
    }

    private func curlKey(_ value: String) -> CurlPinnedKey {
        guard !CurlPinnedKey.holdsDigests(value) else { return CurlPinnedKey(digests: value) }
        do {
            // Messages show the pin of a key file, so a file of another kind is none.
            return try files.parsed(value, as: "a public key in PEM or DER", remedy: "pinhole pins show") {
                content in
                let pinned = CurlPinnedKey.file(content)
                _ = try PublicKey(der: pinned.fileKey ?? [])
                return pinned
            }
        } catch {
            return .unreadable("\(error)")
        }
    }

    /// Reads the settings of `hpkp`.
    static func hpkp(_ object: inout DocumentObject) throws(DocumentFailure) -> any TrustPolicy {
        let text = try object.require("header", DocumentValue.string)
        let named = HPKPHeader.isReportOnly(text)
        let said = try object.value("reportOnly", nil, DocumentValue.boolean)
        if let named, let said, named != said {
            throw DocumentFailure(
                path: "\(object.path).reportOnly",
                expected: "\(named), as the name in “header” says",
                found: "\(said)"
            )
        }
        let reportOnly = named ?? said ?? false
        let header = try parsed("\(object.path).header") { () throws(PolicyFailure) in
            try HPKPHeader(text, reportOnly: reportOnly)
        }
        return HPKPPolicy(header: header, reportOnly: reportOnly)
    }

    /// Reads the settings of `dane`; the certificates of full DANE-TA records are parsed, since they need not be sent.
    static func dane(_ object: inout DocumentObject) throws(DocumentFailure) -> any TrustPolicy {
        var anchors: [CertificateFacts] = []
        let records = try object.require("records") { (value, path) throws(DocumentFailure) in
            let records = try list(value, path) { (text) throws(PolicyFailure) in try TLSARecord(text) }
            for (index, record) in records.enumerated() {
                let anchor = try parsed("\(path)[\(index)]") { () throws(PolicyFailure) in try record.anchor()
                }
                if let anchor { anchors.append(anchor) }
            }
            return records
        }
        return DANEPolicy(
            records: records,
            nameChecksForEE: try object.flag("nameChecksForEE", false),
            anchors: anchors
        )
    }

    /// Reads the settings of `tofu`; the store is the path of a file, or its lines.
    func tofu(_ object: inout DocumentObject) throws(DocumentFailure) -> any TrustPolicy {
        let store = try object.value("store", KnownHosts()) { (value, path) throws(DocumentFailure) in
            if case .array = value {
                let entries = try Self.list(value, path) { (line) throws(PolicyFailure) in
                    try KnownHosts.Entry(line)
                }
                return KnownHosts(entries)
            }
            let text = try DocumentValue.string(value, path)
            return try Self.parsed(path) { () throws(PolicyFailure) in
                guard !text.isEmpty, !text.hasPrefix("|") else { return try KnownHosts(parsing: text) }
                return try files.parsed(
                    text,
                    as: "known_hosts of GnuTLS (“|g0|host|service|expiration|key” in each line)",
                    remedy: "pinhole pins check"
                ) { try KnownHosts(parsing: String(decoding: $0, as: UTF8.self)) }
            }
        }
        return TOFUPolicy(store: store, strict: try object.flag("strict", true))
    }

    /// The parts of `all` and `any`.
    func combined(_ object: inout DocumentObject) throws(DocumentFailure) -> [any TrustPolicy] {
        try object.require("of") { (value, path) throws(DocumentFailure) in
            let policies = try entries(value, path)
            guard !policies.isEmpty else {
                throw DocumentFailure(path: path, expected: "at least one policy", found: "an empty list")
            }
            return policies
        }
    }
}
