extension PolicySemantics {
    /// What each row does that the lab brings along, by its identifier.
    static let rows: [String: PolicySemantics] =
        [modes, libraries, apps, others, clients]
        .reduce(into: [:]) { all, part in all.merge(part) { first, _ in first } }

    /// The keys that a policy of the leaf's key pins.
    static let leafKeys: Set<KeyHolder> = [.leaf, .backupLeaf]
    /// The keys that a policy of a CA's key pins.
    static let authorityKeys: Set<KeyHolder> = [.intermediate, .backupIntermediate]

    /// Default handling.
    private static let system = PolicySemantics(JudgingSemantics())

    /// Default handling, then the key of the leaf.
    private static let leafPinned = PolicySemantics(
        JudgingSemantics(pins: [.init(.key, of: leafKeys, in: .leaf)])
    )

    /// Nothing at all.
    private static let nothing = PolicySemantics(JudgingSemantics([]))

    /// Default handling, then a key of the path.
    private static func path(_ holders: Set<KeyHolder>) -> PolicySemantics {
        PolicySemantics(JudgingSemantics(pins: [.init(.key, of: holders, in: .path)]))
    }

    /// The client modes of docs/SCENARIOS.md.
    private static let modes: [String: PolicySemantics] = [
        "SYS": system,
        "AO": PolicySemantics(JudgingSemantics([[.certificate(.root)]])),
        "LC": PolicySemantics(JudgingSemantics(pins: [.init(.certificate, of: [.leaf], in: .leaf)])),
        "CC": PolicySemantics(JudgingSemantics(pins: [.init(.certificate, of: [.intermediate], in: .path)])),
        "SL": leafPinned,
        "SC": path(authorityKeys),
        // OkHttp on a JDK.
        "PB": PolicySemantics(JudgingSemantics(pins: [.init(.key, of: leafKeys, in: .presented)])).judging {
            $0.permits = [.shortKey, .weakDigest, .unlogged]
        },
        "NV": PolicySemantics(JudgingSemantics([], pins: [.init(.key, of: leafKeys, in: .leaf)])),
        "NVC": PolicySemantics(JudgingSemantics([], pins: [.init(.key, of: [.intermediate], in: .path)])),
        "NH": path(authorityKeys).judging { $0.checksName = false },
        "AA": nothing,
    ]

    /// AFNetworking and Alamofire (docs/PINS.md).
    private static let libraries: [String: PolicySemantics] = [
        "af-none": system,
        // Step 4 asks the device, step 5 asks again with the pins as the only anchors.
        "af-cert-leaf": PolicySemantics(
            JudgingSemantics([JudgingSemantics.device, [.certificate(.leaf)]])
        ),
        "af-cert-ca": PolicySemantics(
            JudgingSemantics([JudgingSemantics.device, [.certificate(.intermediate)]])
        ),
        "af-key-leaf": path(leafKeys),
        "af-invalid-leaf": path(leafKeys).judging { $0.evaluations = [] },
        "af-invalid-ca": path(authorityKeys).judging { $0.evaluations = [] },
        "af-2.5.1": nothing,
        // SecPolicyCreateBasicX509: neither name nor purpose.
        "af-2.5.0": system.judging {
            $0.checksName = false
            $0.checksPurpose = false
        },
        "alamo-default": system,
        "alamo-certs": PolicySemantics(JudgingSemantics(pins: [.init(.certificate, of: [.leaf], in: .path)])),
        "alamo-keys": path(leafKeys),
        "alamo-off": nothing,
    ]

    /// TrustKit, OkHttp, Android and Apple: these look a host up, and leave others to default handling.
    private static let apps: [String: PolicySemantics] = [
        "trustkit": path(leafKeys).forItsHost(),
        "trustkit-report": path(leafKeys).judging {
            $0.pinLifetime = .over
            $0.reports = true
        }.forItsHost(),
        "trustkit-expires": path(leafKeys).judging { $0.pinLifetime = .untilExpiry }.forItsHost(),
        "trustkit-expired": path(leafKeys).judging { $0.pinLifetime = .over }.forItsHost(),
        "okhttp-leaf": okHttp(leafKeys, [.shortKey, .weakDigest, .unlogged]),
        "okhttp-ca": okHttp(authorityKeys, [.shortKey, .weakDigest, .unlogged]),
        "okhttp-android": okHttp(leafKeys, [.shortKey, .unlogged]),
        "nsc": android(leafKeys),
        "nsc-expired": android(leafKeys) { $0.pinLifetime = .over },
        "nsc-override": android(leafKeys) {
            $0.evaluations = [JudgingSemantics.device]
            $0.pinsYieldTo = [.user]
        },
        // targetSdk 23: the user's CAs count, and http is permitted.
        "nsc-23": system.judging { $0.permits = [.shortKey, .unlogged] },
        // targetSdk 37: certificates are logged, whoever installed the CA.
        "nsc-37": PolicySemantics(JudgingSemantics([[.system]])).judging {
            $0.refusesCleartext = true
            $0.permits = [.shortKey, .unlogged]
            $0.timestamps = .platform
        },
        "apple-leaf": apple([.init(.key, of: leafKeys, in: .leaf)]),
        "apple-ca": apple([.init(.key, of: authorityKeys, in: .authorities)]),
        "apple-both": apple([
            .init(.key, of: leafKeys, in: .leaf), .init(.key, of: authorityKeys, in: .authorities),
        ]),
    ]

    /// Follows redirects to http, unless it is told otherwise.
    private static func okHttp(_ holders: Set<KeyHolder>, _ permits: Set<Encounter.Flaw>) -> PolicySemantics {
        path(holders).forItsHost().judging { $0.permits = permits }.client { $0.followsDowngrade = true }
    }

    /// From targetSdk 28: the system's CAs alone, and no http; other hosts have the base-config.
    static func android(
        _ holders: Set<KeyHolder>,
        _ change: (inout JudgingSemantics) -> Void = { _ in }
    ) -> PolicySemantics {
        var base = JudgingSemantics([[.system]])
        base.refusesCleartext = true
        base.permits = [.shortKey, .unlogged]
        var domain = base
        domain.pins = [.init(.key, of: holders, in: .path)]
        change(&domain)
        return PolicySemantics(domain).forItsHost(base)
    }

    /// With App Transport Security.
    static func apple(_ lists: [JudgingSemantics.PinList]) -> PolicySemantics {
        PolicySemantics(JudgingSemantics(pins: lists)).forItsHost().judging { $0.refusesCleartext = true }
    }

    /// curl, HPKP, DANE and trust on first use (docs/PINS.md).
    private static let others: [String: PolicySemantics] = [
        // Before 8.21.0 the option is for every host of the transfer.
        "curl": leafPinned.judging { $0.permits = [.commonName, .unlogged] }.client {
            $0.followsDowngrade = true
        },
        "curl-k": leafPinned.judging { $0.evaluations = [] }.client { $0.followsDowngrade = true },
        // A header is noted for its host, a record is published for its host.
        "hpkp": path(leafKeys).forItsHost().judging { $0.permits = [.unlogged] },
        "dane-311": leafPinned.judging { $0.evaluations = [] }.forItsHost(),
        "dane-211": PolicySemantics(
            JudgingSemantics([[.sentKey(.intermediate), .sentKey(.backupIntermediate)]])
        ).forItsHost().judging { $0.permits = [.unlogged] },
        "tofu": seenBefore(.trusted),
        "tofu-strict": seenBefore(.refused),
        "raw-key": leafPinned,
    ]

    /// Trust on first use, which looks at the key alone.
    static func seenBefore(_ firstContact: JudgingSemantics.FirstContact) -> PolicySemantics {
        PolicySemantics(JudgingSemantics([], pins: [.init(.key, of: [.leaf], in: .leaf)])).judging {
            $0.firstContact = firstContact
        }
    }

    /// The same pins in clients with other behaviour.
    private static let clients: [String: PolicySemantics] = [
        "check-late": leafPinned,
        "resume-unsafe": leafPinned.client { $0.trustsResumedSessions = true },
        "early-data": leafPinned.client { $0.asksEarly = true },
        "coalesces-open": leafPinned.forItsHost().client { $0.sharesConnectionsUnjudged = true },
        "coalesces-judged": leafPinned.forItsHost(),
        "falls-back": leafPinned.client { $0.asksAgainByDefault = true },
        "updates-open": leafPinned.client { $0.takesAnyPins = true },
        "updates-signed": leafPinned,
        "expiry-closed": leafPinned.judging { $0.pinLifetime = .refusingAfterExpiry },
        "http-redirect": leafPinned.client { $0.followsDowngrade = true },
        "tls10": leafPinned.client { $0.offers = [.oldVersions] },
        "anonymous": leafPinned.client { $0.offers = [.anonymousCiphers] },
        "null-cipher": leafPinned.client { $0.offers = [.cleartextCiphers] },
        "https-only": system.client { $0.refusesCleartext = true },
        "mtls": system.client { $0.insistsOnClientCertificate = true },
        "channel-binding": system.client { $0.bindsChannel = true },
        "must-staple": system.judging { $0.honoursStapling = true },
        "ct-required": system.judging { $0.timestamps = .twoLogs },
        "answers-all": system.client { $0.answersEverybody = true },
        "pooled": PolicySemantics(
            JudgingSemantics([], pins: [.init(.key, of: leafKeys.union([.sibling]), in: .leaf)])
        ),
    ]
}
