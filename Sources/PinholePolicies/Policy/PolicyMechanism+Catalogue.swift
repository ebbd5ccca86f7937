import PinholeModel
import PinholeTrust

extension PolicyMechanism {
    /// All mechanisms, in the order of docs/PINS.md.
    package static let all: [PolicyMechanism] = [
        device, stricter, [afnetworking], alamofire, vendors, pins, known, others,
    ].flatMap(\.self)

    private static let device: [PolicyMechanism] = [
        Group.device.mechanism(
            "system",
            "Checks chain, dates, serverAuth purpose and host against the device's anchors. Without a host, it compares "
                + "no name"
        ) { _, _ in SystemPolicy() },
        Group.device.mechanism(
            "basic-x509",
            "Checks the chain alone, neither name nor purpose: `SecPolicyCreateBasicX509`"
        ) { _, _ in BasicX509Policy() },
        Group.device.mechanism(
            "anchors-only",
            [Setting("anchors")],
            "As `system`, with these anchors instead of the device's; they need not be self-signed. "
                + "`SecTrustSetAnchorCertificatesOnly`, `curl --cacert`"
        ) { (reader, object) throws(DocumentFailure) in
            AnchorsOnlyPolicy(anchors: try reader.certificates("anchors", in: &object))
        },
    ]

    private static let stricter: [PolicyMechanism] = [
        Group.stricter.mechanism(
            "must-staple",
            [Setting("always", "false")],
            "A leaf with must-staple (RFC 7633) needs a valid stapled OCSP response that says “good”; else the reason is "
                + "`revocationUnknown`. Revocation lists do not replace the staple. A staple that says “revoked” counts "
                + "even if must-staple is absent. `always` requires a good staple from every server"
        ) { (_, object) throws(DocumentFailure) in
            MustStaplePolicy(always: try object.flag("always", false))
        },
        Group.stricter.mechanism(
            "ct-required",
            [
                Setting(
                    "rules",
                    "\"logs\"",
                    "`\"apple\"` and `\"chrome\"`: the rules of the platform, for chains to the device's own CAs; "
                        + "`\"logs\"`: timestamps of `logs` different logs, for every chain"
                ), Setting("logs", "2", "1 to 10"),
            ],
            "Requires certificate timestamps (RFC 6962) from handshake, certificate and staple; else the reason is "
                + "`notLogged`. With a list of logs (`--log-list`), a timestamp counts if a log of the list has signed it "
                + "for this certificate. Without a list, every timestamp counts as claimed, unless it is of the future"
        ) { (_, object) throws(DocumentFailure) in
            let logs = Int(try object.value("logs", 2, DocumentValue.integer(in: 1...10)))
            return switch try object.choice("rules", TransparencyName.logs) {
            case .apple: CTRequiredPolicy(.apple)
            case .chrome: CTRequiredPolicy(.chrome)
            case .logs: CTRequiredPolicy(.logs(logs))
            }
        },
    ]

    private static let afnetworking = Group.afnetworking.mechanism(
        "afnetworking",
        [
            Setting(
                "pinningMode",
                "\"none\"",
                "`\"publicKey\"`: a key of the built chain is pinned. `\"certificate\"`: the pins become the only anchors, "
                    + "and one of them is in the chain. `\"none\"`: pins are ignored"
            ),
            Setting(
                "allowInvalidCertificates",
                "false",
                "Accepts an invalid chain. With `publicKey`, only a key is then checked; with `certificate`, the pins "
                    + "still vouch for dates and host"
            ),
            Setting(
                "validatesDomainName",
                "true",
                "Compares the host; if `false`, the basic X.509 policy applies. `false` is the default before 2.5.3 "
                    + "(CVE-2015-3996)"
            ),
            Setting("pinnedCertificates", "[]", "The pins. Without any, pinning refuses every server"),
            Setting(
                "version",
                "\"4\"",
                "`\"2.5.0\"`, `\"2.5.1\"` (validates nothing without pins), `\"2.5.2\"`. A setting in the document wins "
                    + "over the version's default"
            ),
            Setting(
                "validatesCertificateChain",
                meaning:
                    "Requires that every certificate of the chain is pinned; the default is `true` before 2.6.0. "
                    + "Version 4 has no such setting; one pinned certificate is enough"
            ),
        ],
        "AFNetworking's `AFSecurityPolicy`"
    ) { (reader, object) throws(DocumentFailure) in try reader.afnetworking(&object) }

    private static let alamofire: [PolicyMechanism] = [
        Group.alamofire.mechanism(
            "alamofire-default",
            [Setting("validateHost", "true")],
            "`DefaultTrustEvaluator`"
        ) { (_, object) throws(DocumentFailure) in
            AlamofireDefaultPolicy(validateHost: try object.flag("validateHost", true))
        },
        Group.alamofire.mechanism(
            "alamofire-revocation",
            [
                Setting("performDefaultValidation", "true"), Setting("validateHost", "true"),
                Setting(
                    "options",
                    "[\"any\"]",
                    "`crl`, `ocsp`, `preferCRL`, `requirePositiveResponse`, `networkAccessDisabled`"
                ),
            ],
            "`RevocationTrustEvaluator`"
        ) { (_, object) throws(DocumentFailure) in try PolicyReader.revocation(&object) },
        Group.alamofire.mechanism(
            "alamofire-pinned-certificates",
            [
                Setting("certificates"),
                Setting("acceptSelfSignedCertificates", "false", "`true` makes the pins the only anchors"),
                Setting("performDefaultValidation", "true"), Setting("validateHost", "true"),
            ],
            "`PinnedCertificatesTrustEvaluator`"
        ) { (reader, object) throws(DocumentFailure) in
            AlamofirePinnedCertificatesPolicy(
                certificates: try reader.certificates("certificates", in: &object),
                acceptSelfSignedCertificates: try object.flag("acceptSelfSignedCertificates", false),
                performDefaultValidation: try object.flag("performDefaultValidation", true),
                validateHost: try object.flag("validateHost", true)
            )
        },
        Group.alamofire.mechanism(
            "alamofire-public-keys",
            [
                Setting("certificates", meaning: "their keys"), Setting("performDefaultValidation", "true"),
                Setting("validateHost", "true"),
            ],
            "`PublicKeysTrustEvaluator`"
        ) { (reader, object) throws(DocumentFailure) in
            AlamofirePublicKeysPolicy(
                certificates: try reader.certificates("certificates", in: &object),
                performDefaultValidation: try object.flag("performDefaultValidation", true),
                validateHost: try object.flag("validateHost", true)
            )
        },
        Group.alamofire.mechanism(
            "alamofire-composite",
            [Setting("evaluators", meaning: "a list of `{mechanism, policy}`, all of them Alamofire's")],
            "`CompositeTrustEvaluator`. The evaluators share one SecTrust: anchors that one of them sets stay set for "
                + "the next"
        ) { (reader, object) throws(DocumentFailure) in
            let evaluators = try object.require("evaluators", reader.entries)
            return try PolicyReader.parsed("\(object.path).evaluators") { () throws(PolicyFailure) in
                try AlamofireCompositePolicy(evaluators: evaluators)
            }
        },
        Group.alamofire.mechanism(
            "alamofire-disabled",
            "`DisabledTrustEvaluator`, which accepts everything"
        ) { _, _ in AlamofireDisabledPolicy() },
    ]

    private static let scope = Setting("scope", "\"chain\"", "or `\"leaf\"`")

    private static let pins: [PolicyMechanism] = [
        Group.pins.mechanism(
            "okhttp",
            [Setting("pins", meaning: "`\"pattern sha256/…\"` lines")],
            "OkHttp's `CertificatePinner`: unites the pins of all patterns that match the host. `*.` is one label, `**.` "
                + "any number. A name that is not ASCII becomes A-labels (`xn--…`), as in OkHttp. If no pattern matches: "
                + "`notApplicable`, if the chain is valid"
        ) { (_, object) throws(DocumentFailure) in try PolicyReader.okHttp(&object) },
        Group.pins.mechanism(
            "certificate",
            [
                Setting("certificates", meaning: "or `fingerprints`"),
                Setting("fingerprints", "[]", "the SHA-256 of whole certificates, in hexadecimal"), scope,
                Setting(
                    "validatesChain",
                    "true",
                    "`false` compares with the presented chain, and checks nothing else"
                ),
            ],
            "`system`; then one of the certificates must be in the validated chain"
        ) { (reader, object) throws(DocumentFailure) in try PolicyReader.certificate(reader, &object) },
        Group.pins.mechanism(
            "spki",
            [Setting("pins"), scope],
            "`system`; then one of the keys must be in the validated chain"
        ) { (_, object) throws(DocumentFailure) in
            SPKIPolicy(
                pins: try object.require("pins", PolicyReader.pins),
                scope: try object.choice("scope", .chain)
            )
        },
        Group.pins.mechanism(
            "raw-key",
            [Setting("pins")],
            "`system`; then compares the SHA-256 of what `SecKeyCopyExternalRepresentation` gives for the leaf's key. "
                + "That is not an SPKI pin and is of no use elsewhere. The verdict says so if a pin is an SPKI pin by "
                + "mistake"
        ) { (_, object) throws(DocumentFailure) in
            RawKeyPolicy(pins: try object.require("pins", PolicyReader.pins))
        },
        Group.pins.mechanism(
            "curl",
            [Setting("pinnedPublicKey"), Setting("insecure", "false")],
            "`--pinnedpubkey`: `sha256//…;sha256//…`, or a file with the key in PEM or DER. Checks the leaf's key alone; "
                + "`insecure` drops the check of chain and host, not the pin. A pin that cannot be read or does not match "
                + "refuses"
        ) { (reader, object) throws(DocumentFailure) in try reader.curl(&object) },
        Group.pins.mechanism(
            "hpkp",
            [
                Setting("header"),
                Setting("reportOnly", meaning: "the default is by the name in `header`, else `false`"),
            ],
            "A `Public-Key-Pins` header that a browser noted. Browsers do not note a header without a backup pin, with "
                + "`max-age=0`, or for an address: `notApplicable`"
        ) { (_, object) throws(DocumentFailure) in try PolicyReader.hpkp(&object) },
    ]

    private static let known: [PolicyMechanism] = [
        Group.known.mechanism(
            "dane",
            [Setting("records", meaning: "presentation form"), Setting("nameChecksForEE", "false")],
            "TLSA records from a signed zone. Usages 0 and 1 require a valid chain. Usage 2 brings its own anchor; the "
                + "server must send the anchor, unless the record holds the whole certificate, or the whole key that "
                + "signed what the server sent. Usage 3 checks the leaf alone. One matching record is enough; among "
                + "digests of the same usage and selector, the strongest counts (RFC 7671 §9)"
        ) { (_, object) throws(DocumentFailure) in try PolicyReader.dane(&object) },
        Group.known.mechanism(
            "tofu",
            [Setting("store", "\"\""), Setting("strict", "true")],
            "Requires that the leaf's key was seen before for the host and port. `store` is the path of a GnuTLS "
                + "`known_hosts`, or its lines. Another key is refused. An unknown host is refused, too, unless `strict` "
                + "is `false`"
        ) { (reader, object) throws(DocumentFailure) in try reader.tofu(&object) },
    ]

    private static let vendors: [PolicyMechanism] = [
        Group.vendors.mechanism(
            "trustkit",
            [
                Setting("pinnedDomains.*.publicKeyHashes", "[]"),
                Setting("pinnedDomains.*.enforcePinning", "true"),
                Setting("pinnedDomains.*.includeSubdomains", "false"),
                Setting(
                    "pinnedDomains.*.expirationDate",
                    meaning: "a date such as `\"2027-01-31\"`; none without it"
                ),
                Setting("pinnedDomains.*.excludeSubdomainFromParentPolicy", "false"),
            ],
            "TrustKit's configuration, an entry for each domain"
        ) { (_, object) throws(DocumentFailure) in try PolicyReader.trustKit(&object) },
        Group.vendors.mechanism(
            "android-nsc",
            [
                Setting("file", meaning: "a `network_security_config.xml`"), Setting("targetSdk", "34"),
                Setting("debug", "false"),
            ],
            "Android's Network Security Configuration"
        ) { (reader, object) throws(DocumentFailure) in try reader.android(&object) },
        Group.vendors.mechanism(
            "apple-pinned-domains",
            [
                Setting("file", meaning: "an `Info.plist`, instead of `domains`"),
                Setting("domains.*.leafIdentities", "[]"), Setting("domains.*.caIdentities", "[]"),
                Setting("domains.*.includesSubdomains", "false"),
            ],
            "Apple's `NSPinnedDomains`, an entry for each domain"
        ) { (reader, object) throws(DocumentFailure) in try reader.apple(&object) },
    ]

    private static let others: [PolicyMechanism] = [
        Group.combinations.mechanism(
            "all",
            [Setting("of", meaning: "a list of `{mechanism, policy}`")],
            "Trusts if no member rejects and at least one trusts. A member that is `notApplicable` does not count"
        ) { (reader, object) throws(DocumentFailure) in AllPolicy(of: try reader.combined(&object)) },
        Group.combinations.mechanism(
            "any",
            [Setting("of", meaning: "a list of `{mechanism, policy}`")],
            "Trusts if at least one member trusts"
        ) { (reader, object) throws(DocumentFailure) in AnyPolicy(of: try reader.combined(&object)) },
        Group.broken.mechanism(
            "broken-accept-all",
            "Accepts everything: trust managers and delegates that always say yes"
        ) { _, _ in BrokenPolicy(.acceptAll) },
        Group.broken.mechanism(
            "broken-presented-spki",
            [Setting("pins")],
            "After `system`, compares pins with what was presented: CVE-2016-2402 (OkHttp before 2.7.4 and 3.1.2)"
        ) { (_, object) throws(DocumentFailure) in
            BrokenPolicy(.presentedSPKI, pins: try object.require("pins", PolicyReader.pins))
        },
        Group.broken.mechanism(
            "broken-no-host",
            [Setting("pins", "[]", "any valid chain")],
            "Does not compare the host: with a CA pin, any customer of that CA passes (Spinner, ACSAC 2017; "
                + "CVE-2015-3996)"
        ) { (_, object) throws(DocumentFailure) in
            BrokenPolicy(.noHost, pins: try object.value("pins", [], PolicyReader.pins))
        },
        Group.broken.mechanism(
            "broken-unvalidated-spki",
            [
                Setting("pins"),
                Setting("scope", "\"leaf\"", "or `\"chain\"`: the path as far as it was built"),
            ],
            "Checks nothing but the pins: AFNetworking `publicKey` with `allowInvalidCertificates`, `curl -k`"
        ) { (_, object) throws(DocumentFailure) in
            BrokenPolicy(
                .unvalidatedSPKI,
                pins: try object.require("pins", PolicyReader.pins),
                scope: try object.choice("scope", .leaf)
            )
        },
    ]
}

/// The names of the rules for certificate timestamps.
private enum TransparencyName: String, CaseIterable {
    case apple
    case chrome
    case logs
}
