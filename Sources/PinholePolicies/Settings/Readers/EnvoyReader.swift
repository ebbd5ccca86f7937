import PinholeModel
import PinholeSource
import PinholeTrust

extension SettingsReader {
    /// The validation of servers by Envoy's upstream TLS contexts.
    static let envoy = SettingsReader(
        title: "Envoy upstream TLS",
        marks: [
            "UpstreamTlsContext", "verify_certificate_spki", "verifyCertificateSpki",
            "verify_certificate_hash", "verifyCertificateHash", "upstream_tls_context",
            "trust_chain_verification", "validation_context", "ssl_context",
        ],
        commonMarks: ["validation_context", "ssl_context"],
        forms: [.yaml]
    ) { reading in
        var reader = EnvoyReader(secrets: reading.root.all("secrets", "resources").flatMap(\.members))
        reader.walk(reading.root, in: nil, &reading)
        return reader.isOfKind
    }
}

private struct EnvoyReader {
    /// The secrets that validation contexts may name.
    let secrets: [Setting]
    private(set) var isOfKind = false

    init(secrets: [Setting]) { self.secrets = secrets }

    mutating func walk(
        _ setting: Setting,
        in cluster: Setting?,
        ofListener: Bool = false,
        _ reading: inout SettingsReading
    ) {
        let type = setting.member("@type")?.text ?? ""
        // The contexts of listeners judge clients, but a filter may have an upstream context.
        let isListener =
            ["listeners", "filterchains", "downstreamtlscontext"].contains(setting.key)
            || type.hasSuffix("DownstreamTlsContext")
        if isListener { isOfKind = true }
        let ofListener = (ofListener || isListener) && !type.hasSuffix("UpstreamTlsContext")
        if ofListener {
            for member in setting.members { walk(member, in: nil, ofListener: true, &reading) }
            return
        }
        if let common = setting.member("common_tls_context") {
            isOfKind = true
            judge(common, of: setting, in: cluster, &reading)
            return
        }
        if let validation = setting.member("validation_context", "default_validation_context") {
            isOfKind = true
            judge(validation, at: setting, hosts: [], checksName: false, &reading)
            return
        }
        if type.hasSuffix("UpstreamTlsContext") || setting.key == "upstreamtlscontext"
            || setting.key == "tlscontext"
        {
            isOfKind = true
            reading.acceptsEverything(
                at: setting.line,
                by: "An upstream TLS context without a validation_context",
                for: hosts(setting, cluster)
            )
            return
        }
        // The first version of the API has the settings of both in one object.
        if setting.key == "sslcontext", cluster != nil {
            isOfKind = true
            judge(setting, at: setting, hosts: hosts(setting, cluster), checksName: false, &reading)
            return
        }
        for member in setting.members {
            // A cluster is an element of `clusters`, or a resource of its own.
            let isCluster =
                member.member("load_assignment", "hosts", "transport_socket", "ssl_context") != nil
            walk(member, in: isCluster && cluster == nil ? member : cluster, &reading)
        }
    }

    private func hosts(_ context: Setting, _ cluster: Setting?) -> [Host] {
        if let name = SettingsReading.host(of: context.member("sni")?.text) { return [name] }
        let addresses = cluster?.all("socket_address").compactMap { $0.member("address")?.text } ?? []
        return addresses.compactMap { SettingsReading.host(of: $0) }
    }

    private mutating func judge(
        _ common: Setting,
        of context: Setting,
        in cluster: Setting?,
        _ reading: inout SettingsReading
    ) {
        let hosts = hosts(context, cluster)
        let checksName =
            context.member("auto_sni_san_validation")?.truth == true
            || cluster?.all("auto_san_validation").last?.truth == true
        let own =
            common.member("validation_context")
            ?? common.member("combined_validation_context")?.member("default_validation_context")
        let other = common.all("validation_context_sds_secret_config").last
        if let own, other == nil {
            judge(own, at: context, hosts: hosts, checksName: checksName, &reading)
            return
        }
        guard let other else {
            reading.acceptsEverything(
                at: context.line,
                by: "An upstream TLS context without a validation_context",
                for: hosts
            )
            return
        }
        let name = other.member("name")?.text
        if let name, let secret = secrets.first(where: { $0.member("name")?.text == name }),
            var validation = secret.member("validation_context")
        {
            // Envoy merges the secret into the default context.
            validation.members = (own?.members ?? []) + validation.members
            judge(validation, at: secret, hosts: hosts, checksName: checksName, &reading)
            return
        }
        reading.unknown("The validation context", name ?? "a secret", at: other.line)
        // The secret may have the authorities, but faults of the default context stay.
        if let own { judge(own, at: context, hosts: hosts, checksName: true, isPart: true, &reading) }
    }

    private func judge(
        _ validation: Setting,
        at context: Setting,
        hosts: [Host],
        checksName: Bool,
        isPart: Bool = false,
        _ reading: inout SettingsReading
    ) {
        if let mode = validation.member("trust_chain_verification") {
            switch mode.text {
            case "VERIFY_TRUST_CHAIN", "0": break
            case "ACCEPT_UNTRUSTED", "1":
                reading.acceptsEverything(at: mode.line, by: "ACCEPT_UNTRUSTED", for: hosts)
                return
            default: reading.unknown(mode.name, mode.values.first?.code ?? "", at: mode.line)
            }
        }
        reading.readExpiry(validation.member("allow_expired_certificate"), accepting: true)
        let keys = reading.keyPins(validation.member("verify_certificate_spki"))
        let certificates = reading.digests(
            validation.member("verify_certificate_hash"),
            .certificateSHA256
        )
        // One match of either list passes.
        let pins = keys == nil && certificates == nil ? nil : (keys ?? []) + (certificates ?? [])
        let source = validation.member("trusted_ca")
        let legacy = validation.member("ca_cert_file")
        var authorities = ServerVerification.Authorities.unchecked
        if let file = source?.member("filename") ?? legacy {
            authorities = reading.authorities(file, isPinned: pins?.isEmpty == false) ?? .unchecked
        } else if source != nil || validation.member("system_root_certs") != nil {
            authorities = .device
            if let source { reading.unknown("trusted_ca", "not a file", at: source.line) }
        } else if let provider = validation.member(
            "ca_certificate_provider_instance",
            "custom_validator_config"
        ) {
            authorities = .device
            reading.unknown(provider.name, "a provider", at: provider.line)
        }
        // Without authorities, Envoy validates no chain.
        guard authorities != .unchecked || pins != nil else {
            if isPart { return }
            reading.acceptsEverything(
                at: validation.line,
                by: "A validation context without trusted_ca and pins",
                for: hosts
            )
            return
        }
        let policy = ServerVerification(
            "Envoy",
            authorities,
            names: names(validation, checksName, hosts, &reading),
            pins: pins,
            at: reading.path(validation.line).description
        )
        reading.add(policy, for: hosts)
    }

    private func names(
        _ validation: Setting,
        _ checksName: Bool,
        _ hosts: [Host],
        _ reading: inout SettingsReading
    ) -> ServerVerification.Names {
        let lists = ["match_typed_subject_alt_names", "match_subject_alt_names", "verify_subject_alt_name"]
        let matchers = lists.compactMap { validation.member($0) }
        guard !matchers.isEmpty else { return checksName ? .host : .unchecked }
        var listed: [Host] = []
        for matcher in matchers {
            let exact =
                matcher.key == "verifysubjectaltname"
                ? matcher.elements : matcher.all("exact").flatMap(\.elements)
            listed += exact.compactMap { SettingsReading.host(of: $0.text.whole) }
            if let other = matcher.all("prefix", "suffix", "contains", "safe_regex", "regex").first {
                reading.unknown("The match of names by \(other.name)", other.text ?? "", at: other.line)
            }
        }
        guard !listed.isEmpty else { return .host }
        return Set(listed) == Set(hosts) && listed.count == 1 ? .host : .listed(listed)
    }
}
