extension VerifierProfile {
    /// OpenSSL without flags: curl, Python, Node.js and most programs of a Linux system.
    package static let openssl = VerifierProfile(.openssl) { profile in
        // Without flags, X509_check_host reads common names if there is no dNSName, and wildcards inside of labels.
        profile.leaf.commonName = .any
        profile.leaf.wildcards = .partOfLabel
    }

    /// OpenSSL with `X509_V_FLAG_X509_STRICT`, which checks the forms of RFC 5280, too.
    ///
    /// Python 3.13 sets the flag by default.
    package static let opensslStrict = VerifierProfile(.opensslStrict)

    /// RFC 5280 §6.1 with any initial policy.
    ///
    /// The RFC leaves choices; the profile takes the one that refuses more:
    /// * the constraints in an anchor's certificate apply (§6.2)
    /// * an extendedKeyUsage of an authority limits the certificates below it: “the certificate MUST only be used
    ///   for one of the purposes indicated” (§4.2.1.12)
    /// * anyExtendedKeyUsage does not stand for TLS servers, which an application may decide (§4.2.1.12)
    /// * an OCSP response without nextUpdate holds (RFC 6960 §2.4), but at most seven days, as in Chromium
    package static let rfc5280 = VerifierProfile(.rfc5280) { profile in
        profile.anchors.checksPathLength = true
        profile.anchors.checksNames = true
        profile.anchors.checksPolicies = true
        profile.authorities.purposes = .nestedWithoutAny
        profile.leaf.acceptsAnyPurpose = false
        profile.leaf.keyUsage = .consistent
        profile.forms.refusesEmptyAuthority = true
        profile.extensions = [
            .policyMappings, .policyConstraints, .inhibitAnyPolicy, .issuerAltName, .authorityInfoAccess,
        ]
        profile.nameConstraints.domains = .suffixWithoutRoot
        profile.nameConstraints.hostForm = .names
        profile.nameConstraints.refusesMalformedMasks = true
        profile.nameConstraints.refusesMalformedNames = true
        profile.nameConstraints.expandsWildcards = true
        profile.nameConstraints.mail.refusesAddressLiterals = true
        profile.algorithms.usesSecurityLevel = true
        profile.algorithms.ratesAnchor = true
        profile.endlessResponseDays = 7
        profile.checksResponseProduction = true
    }

    /// OpenJDK: `sun.security.validator.PKIXValidator`, `EndEntityChecker`, `HostnameChecker`.
    package static let java = VerifierProfile(.java) { profile in
        // AnchorChecker, since 8u261: jdk.security.allowNonCaAnchor is false.
        profile.anchors.authority = .required
        profile.anchors.checksKeyUsage = true
        // PKIXValidator.engineValidate returns a leaf that is an anchor, and Validator skips EndEntityChecker.
        profile.anchors.leaf = .trusted
        profile.extensions = [
            .policyMappings, .policyConstraints, .inhibitAnyPolicy, .issuerAltName, .netscapeCertificateType,
        ]
        // EndEntityChecker.checkTLSServer: the cipher suites of today sign with the key.
        profile.leaf.keyUsage = .signature
        profile.leaf.acceptsGatedCrypto = true
        // HostnameChecker.matchDNS reads the most specific common name if the subjectAltName has no dNSName.
        profile.leaf.commonName = .last
        // HostnameChecker.matchAllWildcards
        profile.leaf.wildcards = .anyLabel
        profile.nameConstraints.commonName = .host
        // PKIXParameters.getPolicyQualifiersRejected is true by default.
        profile.qualifiers = .none
        // jdk.certpath.disabledAlgorithms: SHA-1 is refused below the JDK's own CAs only.
        profile.algorithms.refusedDigests = ["MD2", "MD5"]
        profile.algorithms.leastRSA = 1024
        profile.nameConstraints.kinds = [.email, .domain, .directory, .uri, .address, .registeredID]
        profile.nameConstraints.uncompared = .ignored
        profile.nameConstraints.refusesEmptyDomain = true
        profile.nameConstraints.mail.isCaseSensitive = false
        profile.nameConstraints.mail.malformed = .emptyRefused
        // X509CertInfo.verifyCert
        profile.forms.checksEmptySubject = true
        profile.limits.nameComparisons = 1 << 22
    }

    /// Go: `crypto/x509.Certificate.Verify`.
    package static let go = VerifierProfile(.go) { profile in
        profile.issuerNames = .bytes
        // isValid runs for roots, too; checkChainForKeyUsage begins at the root.
        profile.anchors = .everything
        profile.authorities.purposes = .nested
        profile.authorities.countsSelfIssued = true
        // parseCertificate leaves policyConstraints, policyMappings and inhibitAnyPolicy unhandled.
        profile.extensions = [.authorityInfoAccess]
        profile.policies = .ignored
        profile.qualifiers = .ignored
        // checkSignature: MD5 and SHA-1 are insecure, DSA is not supported.
        profile.algorithms.refusedDigests = ["MD2", "MD5", "SHA1"]
        profile.algorithms.refusesDSA = true
        profile.nameConstraints.kinds = [.email, .domain, .uri, .address]
        // parseNameConstraintsExtension: other kinds are unhandled.
        profile.nameConstraints.uncompared = .refusedIfCritical
        profile.nameConstraints.domains = .labels
        profile.nameConstraints.hostForm = .labels
        // isValidIPMask; parseSANExtension
        profile.nameConstraints.refusesMalformedMasks = true
        profile.nameConstraints.refusesMalformedNames = true
        // matchDomainConstraint compares hosts of URIs and mailboxes, too.
        profile.nameConstraints.uriCoversSubdomains = true
        profile.nameConstraints.mail.coversSubdomains = true
        profile.nameConstraints.readsSubjectMail = false
        profile.nameConstraints.skipsSelfIssued = false
        profile.revocation = .none
        profile.limits.signatures = 100
        profile.limits.nameComparisons = 250_000
    }

    /// Android: Conscrypt's `TrustManagerImpl` over the PKIX validator of Bouncy Castle.
    package static let android = VerifierProfile(.android) { profile in
        // TrustManagerImpl.checkTrustedRecursive verifies the chain as it is at a self-issued certificate.
        profile.authorities.endsAtSelfIssued = true
        // TrustManagerImpl.verifyChain validates only the certificates below the anchor.
        profile.anchors.leaf = .trusted
        profile.extensions = [.policyMappings, .policyConstraints, .inhibitAnyPolicy, .issuerAltName]
        profile.leaf.acceptsGatedCrypto = true
        profile.qualifiers = .ignored
        // ChainStrengthAnalyzer
        profile.algorithms.refusedDigests = ["MD2", "MD4", "MD5", "SHA1"]
        profile.algorithms.leastRSA = 1024
        profile.algorithms.refusesDSA = true
        profile.nameConstraints.mail.isCaseSensitive = false
        profile.nameConstraints.mail.malformed = .emptyRefused
        profile.nameConstraints.mail.readsLeadingAt = true
        profile.nameConstraints.directories = .nonEmptyPrefix
        profile.nameConstraints.emptyDomainCoversAll = false
        profile.nameConstraints.comparesEmptySubject = true
        // Measured with Bouncy Castle 1.72; PKIXNameConstraintValidator knows no registeredID.
        profile.nameConstraints.refusedKinds = [.other, .x400, .party, .registeredID]
        profile.forms.checksEmptySubject = true
        profile.limits.nameComparisons = 1 << 22
    }

    /// GnuTLS: `gnutls_x509_trust_list_verify_crt2`.
    package static let gnutls = VerifierProfile(.gnutls) { profile in
        profile.search = .firstPath
        profile.issuerNames = .bytes
        profile.comparesKeyIdentifiers = true
        profile.anchors.checksDates = true
        // check_if_ca
        profile.anchors.authority = .notDenied
        profile.anchors.checksPathLength = true
        profile.anchors.checksNames = true
        profile.anchors.checksExtensions = true
        profile.anchors.leaf = .trusted
        profile.authorities.purposes = .nestedWithoutAny
        profile.authorities.countsSelfIssued = true
        profile.extensions = [.inhibitAnyPolicy, .authorityInfoAccess, .issuerAltName, .tlsFeature]
        profile.policies = .ignored
        profile.qualifiers = .ignored
        // gnutls_x509_crt_check_hostname2 reads no common name if there are several, or other names of a host.
        profile.leaf.commonName = .only
        profile.leaf.commonNameYieldsTo = [.domain, .address, .uri]
        // _gnutls_hostname_compare
        profile.leaf.wildcards = .startOfLabel
        profile.algorithms.refusedDigests = ["MD2", "MD5", "SHA1"]
        profile.algorithms.leastRSA = 1024
        profile.algorithms.refusesDSA = true
        profile.nameConstraints.kinds = [.email, .domain, .address]
        // Measured with 3.7.9: constraints on directoryNames and URIs are not compared, but excluded ones refuse.
        profile.nameConstraints.uncompared = .refusedIfExcluded
        profile.nameConstraints.refusedKinds = [.other, .x400, .party, .registeredID]
        profile.nameConstraints.domains = .labels
        profile.nameConstraints.refusesEmptyDomain = true
        profile.nameConstraints.mail.malformed = .emptyRefused
        profile.nameConstraints.commonName = .anyText
        profile.revocation = .staples
    }

    /// NSS with libpkix, as `vfychain -pp` calls it.
    ///
    /// Firefox has another verifier.
    package static let nss = VerifierProfile(.nss) { profile in
        // CERT_CheckCertValidTimes permits a day for clocks that are slow.
        profile.earliness = 86_400
        profile.issuerNames = .bytes
        profile.anchors = AnchorRules(
            checksDates: true,
            authority: .required,
            checksKeyUsage: true,
            checksPathLength: true,
            checksNames: true,
            leaf: .refused
        )
        profile.extensions = [
            .policyMappings, .policyConstraints, .inhibitAnyPolicy, .netscapeCertificateType,
        ]
        // CERT_CheckKeyUsage with KU_KEY_AGREEMENT_OR_ENCIPHERMENT
        profile.leaf.keyUsage = .keyExchange
        profile.leaf.acceptsAnyPurpose = false
        profile.leaf.acceptsGatedCrypto = true
        profile.leaf.refusesAuthorities = true
        profile.leaf.commonName = .only
        profile.forms.checksVersion = false
        profile.qualifiers = .ignored
        profile.algorithms.refusedDigests = ["MD2", "MD4", "MD5"]
        profile.algorithms.leastRSA = 1023
        profile.nameConstraints.uncompared = .ignored
        profile.nameConstraints.commonName = .host
        profile.nameConstraints.mail.isCaseSensitive = false
        profile.nameConstraints.mail.malformed = .compared
        profile.nameConstraints.refusedKinds = [.other]
        // Measured with 3.87: the comparison ends with the shorter name.
        profile.nameConstraints.directories = .commonPrefix
        profile.limits.nameComparisons = 1 << 22
        profile.nameConstraints.comparesEmptySubject = true
    }

    /// Apple: SecTrust with the policy for TLS servers.
    ///
    /// The profile is RFC 5280 with the limits that Apple publishes for TLS (support.apple.com/103769): RSA keys
    /// from 2048 bits, SHA-2, the name in subjectAltName, and for certificates since July 2019 the purpose
    /// serverAuth and at most 825 days of validity.
    package static let apple = VerifierProfile(.apple) { profile in
        profile.transparency = .apple
        // SecPVCParentCertificateChecks and SecPolicyCheckTemporalValidity look at the last certificate, too.
        profile.anchors = AnchorRules(
            checksDates: true,
            authority: .required,
            checksKeyUsage: true,
            checksPathLength: true,
            checksExtensions: true
        )
        profile.extensions = rfc5280.extensions
        profile.authorities.purposes = .nested
        profile.leaf.hasAppleLimits = true
        profile.leaf.keyUsage = rfc5280.leaf.keyUsage
        profile.forms = rfc5280.forms
        profile.algorithms.leastRSA = 2048
        profile.algorithms.ratesAnchor = true
        profile.algorithms.refusedDigests = ["MD2", "MD4", "MD5", "SHA1"]
        profile.nameConstraints = rfc5280.nameConstraints
        profile.nameConstraints.refusesEmptyDomain = true
    }

    /// Returns the profile with this name.
    package static func named(_ name: Name) -> VerifierProfile {
        switch name {
        case .apple: apple
        case .android: android
        case .go: go
        case .gnutls: gnutls
        case .java: java
        case .nss: nss
        case .openssl: openssl
        case .opensslStrict: opensslStrict
        case .rfc5280: rfc5280
        }
    }
}
