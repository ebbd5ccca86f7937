import PinholeModel
import Testing

@testable import PinholeTrust

@Suite("Pins in the place of others")
struct TrustPolicyPinsTests {
    private static let host = Host.name("api.pinned.test")
    private static let leaf = FakeFacts.certificate("leaf")
    private static let spare = FakeFacts.certificate("spare")
    private static let issuer = FakeFacts.certificate("issuer")
    private static let other = FakeFacts.certificate("other")
    private static let pins = [leaf, spare].map(FakeFacts.pin)
    private static let otherPins = [other, spare].map(FakeFacts.pin)

    /// Puts `other` in the place of `leaf`.
    private func moved(_ policy: any TrustPolicy, _ host: Host = Self.host) -> any TrustPolicy {
        policy.withPins(for: host) { list in
            list.values.map { value in
                value.matches(Self.leaf) ? value.moved(to: Self.other) ?? value : value
            }
        }
    }

    private func positions(_ policy: any TrustPolicy) -> [PinList.Position] {
        policy.pinnedLists(for: Self.host).map(\.position)
    }

    @Test("keys and certificates of plain policies are replaced, and nothing else")
    func plain() throws {
        let spki = try #require(moved(SPKIPolicy(pins: Self.pins, scope: .leaf)) as? SPKIPolicy)
        #expect(spki == SPKIPolicy(pins: Self.otherPins, scope: .leaf))
        #expect(positions(spki) == [.leaf])
        #expect(positions(SPKIPolicy(pins: Self.pins)) == [.any])
        let certificates = CertificatePolicy(certificates: [Self.leaf, Self.spare], scope: .chain)
        #expect(
            moved(certificates) as? CertificatePolicy
                == CertificatePolicy(certificates: [Self.other, Self.spare], scope: .chain)
        )
        let anchors = AnchorsOnlyPolicy(anchors: [Self.leaf])
        #expect(moved(anchors) as? AnchorsOnlyPolicy == AnchorsOnlyPolicy(anchors: [Self.other]))
        #expect(positions(anchors) == [.authorities])
        let broken = BrokenPolicy(.unvalidatedSPKI, pins: Self.pins, scope: .chain)
        #expect(
            moved(broken) as? BrokenPolicy
                == BrokenPolicy(.unvalidatedSPKI, pins: Self.otherPins, scope: .chain)
        )
        let header = HPKPHeader(pins: Self.pins, maxAge: 9, includesSubdomains: true, reportURI: "r")
        let hpkp = try #require(moved(HPKPPolicy(header: header, reportOnly: true)) as? HPKPPolicy)
        #expect(hpkp.header.pins == Self.otherPins && hpkp.header.maxAge == 9 && hpkp.reportOnly)
        #expect(hpkp.header.reportURI == "r" && hpkp.header.includesSubdomains)
    }

    @Test("raw keys are replaced by raw keys")
    func rawKeys() throws {
        let raw = try #require(Self.leaf.rawKeySHA256.flatMap { Pin(digest: $0) })
        let wanted = try #require(Self.other.rawKeySHA256.flatMap { Pin(digest: $0) })
        #expect(
            moved(RawKeyPolicy(pins: [raw, Self.pins[1]])) as? RawKeyPolicy
                == RawKeyPolicy(pins: [wanted, Self.pins[1]])
        )
        // The pin of a SubjectPublicKeyInfo is no raw key, and stays.
        #expect(moved(RawKeyPolicy(pins: Self.pins)) as? RawKeyPolicy == RawKeyPolicy(pins: Self.pins))
    }

    @Test("replaces curl's digests and key files, and keeps pins that never match")
    func curl() {
        let texts = ["short", Self.pins[0].base64, Self.pins[1].base64]
        let digests = CurlPolicy(pinnedPublicKey: .digests(texts), insecure: true)
        #expect(
            moved(digests) as? CurlPolicy
                == CurlPolicy(
                    pinnedPublicKey: .digests(["short", Self.otherPins[0].base64, Self.otherPins[1].base64]),
                    insecure: true
                )
        )
        let pem =
            "-----BEGIN PUBLIC KEY-----\n\(Base64.encode(Self.leaf.spki))\n-----END PUBLIC KEY-----\n"
        #expect(
            moved(CurlPolicy(pinnedPublicKey: .file(Array(pem.utf8)))) as? CurlPolicy
                == CurlPolicy(pinnedPublicKey: .file(Self.other.spki))
        )
        for key in [
            CurlPinnedKey.file(Array("-----BEGIN PUBLIC KEY-----".utf8)), .unreadable("gone"),
            .digests(["x"]),
        ] {
            #expect(
                moved(CurlPolicy(pinnedPublicKey: key)) as? CurlPolicy == CurlPolicy(pinnedPublicKey: key)
            )
        }
        #expect(CurlPinnedKey.file([0x30, 1, 2]).fileKey == [0x30, 1, 2])
        #expect(positions(digests) == [.leaf])
    }

    @Test("AFNetworking and Alamofire keep their switches")
    func appleLibraries() throws {
        let pinned = [Self.leaf, Self.issuer]
        let security = AFSecurityPolicy(
            pinningMode: .publicKey,
            allowInvalidCertificates: true,
            validatesDomainName: false,
            pinnedCertificates: pinned,
            version: .version252
        )
        var wanted = security
        wanted.pinnedCertificates = [Self.other, Self.issuer]
        #expect(moved(security) as? AFSecurityPolicy == wanted)
        let certificates = AlamofirePinnedCertificatesPolicy(
            certificates: pinned,
            acceptSelfSignedCertificates: true,
            validateHost: false
        )
        var wantedCertificates = certificates
        wantedCertificates.certificates = [Self.other, Self.issuer]
        #expect(moved(certificates) as? AlamofirePinnedCertificatesPolicy == wantedCertificates)
        let keys = AlamofirePublicKeysPolicy(certificates: pinned, performDefaultValidation: false)
        let composite = try #require(
            moved(try AlamofireCompositePolicy(evaluators: [keys, AlamofireDefaultPolicy()]))
                as? AlamofireCompositePolicy
        )
        var wantedKeys = keys
        wantedKeys.certificates = [Self.other, Self.issuer]
        #expect(composite.evaluators.first as? AlamofirePublicKeysPolicy == wantedKeys)
        #expect(composite.evaluators.last is AlamofireDefaultPolicy)
    }

    @Test("TrustKit and NSPinnedDomains: the domain that holds for the host, and no other")
    func domains() throws {
        let expiry = FakeFacts.now
        let own = TrustKitDomain(
            publicKeyHashes: Self.pins,
            enforcePinning: false,
            includeSubdomains: true,
            expirationDate: expiry
        )
        let foreign = TrustKitDomain(publicKeyHashes: Self.pins)
        let policy = try TrustKitPolicy(pinnedDomains: ["pinned.test": own, "other.test": foreign])
        let kit = try #require(moved(policy) as? TrustKitPolicy)
        var wanted = own
        wanted.publicKeyHashes = Self.otherPins
        #expect(kit.pinnedDomains == ["pinned.test": wanted, "other.test": foreign])
        #expect(
            (moved(policy, .name("nowhere.test")) as? TrustKitPolicy)?.pinnedDomains == policy.pinnedDomains
        )
        #expect(policy.scopes.map(\.text) == ["other.test", "pinned.test"])

        let entry = ApplePinnedDomain(leafIdentities: Self.pins, caIdentities: Self.pins)
        let apple = try ApplePolicy(domains: ["api.pinned.test": entry, "other.test": entry])
        let changed = try #require(moved(apple) as? ApplePolicy)
        let wantedEntry = ApplePinnedDomain(leafIdentities: Self.otherPins, caIdentities: Self.otherPins)
        #expect(changed.domains == ["api.pinned.test": wantedEntry, "other.test": entry])
        #expect(positions(apple) == [.leaf, .authorities])
    }

    @Test("OkHttp: the pins of every pattern that means the host are one list")
    func okHttp() throws {
        let policy = OkHttpPolicy(
            pins: [
                OkHttpPin(.oneLabel("pinned.test"), Self.pins[0]),
                OkHttpPin(.exact(.name("other.test")), Self.pins[0]),
                OkHttpPin(.anyLabels("pinned.test"), Self.pins[1]),
            ]
        )
        #expect(policy.pinnedLists(for: Self.host).map(\.values.count) == [2])
        let changed = try #require(moved(policy) as? OkHttpPolicy)
        #expect(changed.pins.map(\.pin) == [Self.otherPins[0], Self.pins[0], Self.pins[1]])
        #expect(changed.pins.map(\.pattern) == policy.pins.map(\.pattern))
    }

    @Test("Android: pin-set and raw trust anchors that hold for the host, inherited ones too")
    func android() throws {
        let raw = AndroidCertificates(.raw("@raw/ca", [Self.leaf]), overridePins: false)
        let nested = AndroidDomainSettings(domains: [DomainRule("api.pinned.test", .exact)])
        let configuration = AndroidConfiguration(
            base: AndroidSettings(trustAnchors: [raw, AndroidCertificates(.system)]),
            domainConfigurations: [
                AndroidDomainSettings(
                    domains: [DomainRule("pinned.test", .everything)],
                    pinSet: AndroidPinSet(pins: Self.pins, expiration: FakeFacts.now),
                    nested: [nested]
                )
            ]
        )
        let policy = try AndroidPolicy(configuration: configuration)
        let changed = try #require(moved(policy) as? AndroidPolicy)
        let settings = changed.settings(for: Self.host)
        #expect(settings.pinSet == AndroidPinSet(pins: Self.otherPins, expiration: FakeFacts.now))
        #expect(settings.trustAnchors.map(\.source) == [.raw("@raw/ca", [Self.other]), .system])
        #expect(changed.settings(for: .name("www.pinned.test")).pinSet?.pins == Self.pins)
        #expect(policy.scopes.map(\.text) == ["pinned.test", "api.pinned.test"])
        let base = try #require(moved(policy, .name("nowhere.test")) as? AndroidPolicy)
        #expect(base.settings(for: nil).trustAnchors.first?.source == .raw("@raw/ca", [Self.other]))
    }

    @Test("TLSA records keep usage, selector and matching")
    func dane() throws {
        let notations = PinnedValue.Notation.self
        let kinds: [(TLSARecord.Selector, TLSARecord.Matching, PinnedValue.Notation)] = [
            (.certificate, .full, notations.certificate),
            (.certificate, .sha256, notations.certificateSHA256),
            (.certificate, .sha512, notations.certificateSHA512), (.spki, .full, notations.key),
            (.spki, .sha256, notations.keySHA256), (.spki, .sha512, notations.keySHA512),
        ]
        for usage in TLSARecord.Usage.allCases {
            for (selector, matching, notation) in kinds {
                let data = try #require(notation.bytes(of: Self.leaf))
                let record = try #require(TLSARecord(usage, selector, matching, data: data))
                let policy = DANEPolicy(records: [record], nameChecksForEE: true, anchors: [Self.leaf])
                let changed = try #require(moved(policy) as? DANEPolicy)
                let wanted = try #require(notation.bytes(of: Self.other))
                #expect(
                    changed.records
                        == [TLSARecord(usage, selector, matching, data: wanted)].compactMap(\.self)
                )
                #expect(changed.nameChecksForEE)
                #expect(changed.anchors == [notation == .certificate ? Self.other : Self.leaf])
                #expect(positions(policy) == [usage == .daneEE || usage == .pkixEE ? .leaf : .authorities])
            }
        }
    }

    @Test("known_hosts: the lines of the host at every port; unknown digests stay")
    func knownHosts() throws {
        let store = KnownHosts([
            KnownHosts.Entry(
                host: "api.pinned.test",
                service: "https",
                expiration: 7,
                key: .spki(Self.leaf.spki)
            ),
            KnownHosts.Entry(host: "other.test", service: "443", key: .spki(Self.leaf.spki)),
            KnownHosts.Entry(host: "*", service: "*", key: .digest(algorithm: 6, Self.leaf.spkiSHA256)),
            KnownHosts.Entry(host: "api.pinned.test", service: "8443", key: .digest(algorithm: 99, [1])),
        ])
        let policy = TOFUPolicy(store: store, strict: false)
        let changed = try #require(moved(policy) as? TOFUPolicy)
        #expect(
            changed.store.entries.map(\.key) == [
                .spki(Self.other.spki), .spki(Self.leaf.spki), .digest(algorithm: 6, Self.other.spkiSHA256),
                .digest(algorithm: 99, [1]),
            ]
        )
        #expect(changed.store.entries.map(\.service) == store.entries.map(\.service) && !changed.strict)
        #expect(policy.scopes.map(\.port) == [443, 443, nil, 8443])
        #expect(policy.scopes.map(\.example) == [Self.host, .name("other.test"), nil, Self.host])
    }

    @Test("combinations pass on, host lists to the hosts that they mean at any port")
    func combinations() throws {
        let part = SPKIPolicy(pins: Self.pins)
        let wanted = SPKIPolicy(pins: Self.otherPins)
        let all = try #require(moved(AllPolicy(of: [SystemPolicy(), AnyPolicy(of: [part])])) as? AllPolicy)
        #expect(all.policies.first is SystemPolicy)
        #expect((all.policies.last as? AnyPolicy)?.policies.first as? SPKIPolicy == wanted)
        let hosts = HostPolicies([
            (patterns: [try HostPattern("*.pinned.test:8443")], policy: part),
            (patterns: [try HostPattern("other.test")], policy: part),
        ])
        let changed = try #require(moved(hosts) as? HostPolicies)
        #expect(changed.entries.map { $0.policy as? SPKIPolicy } == [wanted, part])
        #expect(
            AllPolicy(of: [part, hosts]).scopes.map(\.text) == ["*.pinned.test:8443", "other.test"]
        )
        #expect(hosts.scopes.map(\.example) == [.name("www.pinned.test"), .name("other.test")])
    }

    @Test("policies without pins are themselves")
    func withoutPins() {
        for policy: any TrustPolicy in [
            SystemPolicy(), BasicX509Policy(), AlamofireDefaultPolicy(), AlamofireDisabledPolicy(),
            AlamofireRevocationPolicy(), BrokenPolicy(.acceptAll), TOFUPolicy(), DANEPolicy(records: []),
        ] {
            #expect(policy.pinnedLists(for: Self.host).isEmpty, "\(policy.mechanism)")
            #expect(moved(policy).mechanism == policy.mechanism)
        }
    }
}
