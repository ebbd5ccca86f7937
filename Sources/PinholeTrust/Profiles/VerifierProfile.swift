/// The rules by which a platform builds and checks certificate paths.
///
/// RFC 5280 §6 leaves choices, and platforms add rules of their own. So the same chain may be valid for one
/// platform and refused by another. `openssl` and `openssl-strict` are OpenSSL itself. The other profiles are
/// settings of one search and one validation in plain code. docs/JUDGE.md#verifiers lists the differences.
package struct VerifierProfile: Hashable, Sendable {
    /// The name of a profile, as users write it.
    package enum Name: String, Hashable, Sendable, CaseIterable {
        /// Apple's SecTrust.
        case apple
        /// Android's Conscrypt.
        case android
        /// The crypto/x509 package of Go.
        case go
        /// The verifier of GnuTLS, which follows one path.
        case gnutls
        /// The PKIX validator of OpenJDK.
        case java
        /// Mozilla's NSS, with its libpkix.
        case nss
        /// OpenSSL as it is configured by default.
        case openssl
        /// OpenSSL with `X509_V_FLAG_X509_STRICT`.
        case opensslStrict = "openssl-strict"
        /// RFC 5280 §6.1 alone.
        case rfc5280
    }

    /// The order in which paths are tried.
    package enum Search: Hashable, Sendable {
        /// The presented certificates are followed in their order. If that path is not valid, no other one is tried.
        case firstPath
        /// Every path is tried until one is valid.
        case allPaths
    }

    /// The comparison of an issuer's name with the subject of its certificate.
    package enum NameComparison: Hashable, Sendable {
        /// The encodings are equal.
        case bytes
        /// The names are equal without regard to case, white space and the type of text (RFC 5280 §7.1).
        case text
    }

    /// The checks of an anchor's own certificate, beyond its name and its key.
    package struct AnchorRules: Hashable, Sendable {
        /// The treatment of a leaf that is an anchor itself.
        package enum Leaf: Hashable, Sendable {
            /// The leaf is no path; an issuer is needed.
            case refused
            /// The leaf is trusted without further checks, except of the host.
            case trusted
            /// The leaf is trusted if it passes all checks of leaves.
            case checked
            /// The leaf passes all checks of leaves, and either it is self-signed or the question allows partial chains.
            case checkedIfRoot
        }

        /// The check of the mark as an authority.
        package enum Authority: Hashable, Sendable {
            /// basicConstraints are not read.
            case ignored
            /// basicConstraints are not needed, but must have `cA`.
            case notDenied
            /// A certificate of version 3 needs basicConstraints with `cA`.
            case required
        }

        /// Whether the anchor must be within its validity.
        package var checksDates = false
        /// The check of the mark as an authority.
        package var authority = Authority.ignored
        /// Whether a keyUsage needs keyCertSign.
        package var checksKeyUsage = false
        /// Whether the pathLenConstraint limits the path.
        package var checksPathLength = false
        /// Whether an extendedKeyUsage limits the purposes of the path.
        package var checksPurposes = false
        /// Whether unknown critical extensions are refused.
        package var checksExtensions = false
        /// Whether the name constraints limit the names of the path.
        package var checksNames = false
        /// Whether the certificate policies and their constraints apply.
        package var checksPolicies = false
        /// Whether any check reads the extensions of the anchor.
        package var readsExtensions: Bool {
            authority != .ignored || checksKeyUsage || checksPathLength || checksPurposes || checksExtensions
                || checksNames || checksPolicies
        }
        /// The treatment of a leaf that is an anchor.
        package var leaf = Leaf.checkedIfRoot

        /// All checks, for a certificate that is no anchor of its own right.
        package static let everything = AnchorRules(
            checksDates: true,
            authority: .required,
            checksKeyUsage: true,
            checksPathLength: true,
            checksPurposes: true,
            checksExtensions: true,
            checksNames: true,
            checksPolicies: true,
            leaf: .checked
        )
    }

    /// The checks of intermediate authorities.
    package struct AuthorityRules: Hashable, Sendable {
        /// The effect of the extendedKeyUsage of an authority on the certificates below it.
        package enum Purposes: Hashable, Sendable {
            /// The extension is not read.
            case ignored
            /// A purpose that is missing there is not permitted below. anyExtendedKeyUsage permits every purpose.
            case nested
            /// As `nested`, but anyExtendedKeyUsage permits nothing.
            case nestedWithoutAny
        }

        /// The effect of extendedKeyUsage.
        package var purposes = Purposes.ignored
        /// Whether self-issued certificates count for pathLenConstraint; RFC 5280 §6.1.4 (l) leaves them out.
        package var countsSelfIssued = false
        /// Whether a path ends at a certificate whose subject is its issuer, even if it is no anchor.
        package var endsAtSelfIssued = false
    }

    /// The checks of leaves, if the question is about a TLS server.
    package struct LeafRules: Hashable, Sendable {
        /// The check of keyUsage.
        package enum KeyUsage: Hashable, Sendable {
            /// The extension is not read.
            case ignored
            /// digitalSignature is needed.
            case signature
            /// RSA needs keyEncipherment; elliptic curves need digitalSignature or keyAgreement.
            case keyExchange
            /// digitalSignature, keyEncipherment or keyAgreement is needed (RFC 5280 §4.2.1.12).
            case consistent
        }

        /// The common name that counts as the name of the host.
        package enum CommonName: Hashable, Sendable {
            /// None does.
            case ignored
            /// The only one does; none of several.
            case only
            /// The last one, which is the most specific, does.
            case last
            /// Each one does.
            case any
        }

        /// The wildcards that a dNSName may have; at least two labels follow the last one.
        package enum Wildcards: Hashable, Sendable {
            /// A wildcard is the whole first label (RFC 9525 §6.3).
            case wholeLabel
            /// The first label begins with a wildcard.
            case startOfLabel
            /// The first label has a wildcard.
            case partOfLabel
            /// Every label may have wildcards.
            case anyLabel
        }

        /// Whether anyExtendedKeyUsage permits TLS servers.
        package var acceptsAnyPurpose = true
        /// Whether the old purposes of Netscape and Microsoft permit TLS servers.
        package var acceptsGatedCrypto = false
        /// The check of keyUsage.
        package var keyUsage = KeyUsage.ignored
        /// Whether a leaf that is an authority is refused.
        package var refusesAuthorities = false
        /// The common name that counts if the subjectAltName has no name of ``commonNameYieldsTo``.
        package var commonName = CommonName.ignored
        /// The names because of which no common name counts (RFC 6125 §6.4.4).
        var commonNameYieldsTo: Set<GeneralName.Kind> = [.domain]
        /// The wildcards that count.
        package var wildcards = Wildcards.wholeLabel
        /// Whether Apple's limits for TLS certificates apply (support.apple.com/103769).
        package var hasAppleLimits = false
    }

    /// The treatment of certificate policies.
    package enum Policies: Hashable, Sendable {
        /// Policies are not processed.
        case ignored
        /// RFC 5280 §6.1, with any policy as the initial set.
        case processed
    }

    /// The policy qualifiers that are refused if the extension is critical.
    package enum Qualifiers: Hashable, Sendable {
        /// None is.
        case ignored
        /// Every qualifier that RFC 5280 §4.2.1.4 does not define is refused.
        case knownOnly
        /// Every qualifier is refused.
        case none
    }

    /// The treatment of keys and digests.
    package struct AlgorithmRules: Hashable, Sendable {
        /// The digests that no signature in a path may use, except the anchor's own, as OpenSSL names them.
        package var refusedDigests: Set<String> = []
        /// The smallest RSA key, in bits; 0 for no limit.
        package var leastRSA = 0
        /// Whether the key of the anchor must be large enough, too.
        package var ratesAnchor = false
        /// Whether DSA keys are refused, and the signatures of such keys.
        package var refusesDSA = false
        /// Whether the security level of the question applies, as in OpenSSL.
        package var usesSecurityLevel = false
    }

    /// The treatment of malformed certificates.
    package struct FormRules: Hashable, Sendable {
        /// Whether an empty subject needs a critical subjectAltName (RFC 5280 §4.1.2.6).
        package var checksEmptySubject = false
        /// Whether an authority needs a subject, and every certificate an issuer (RFC 5280 §4.1.2.4 and §4.1.2.6).
        package var refusesEmptyAuthority = false
        /// Whether fields need the version that has them; versions above 3 are refused in any case.
        package var checksVersion = true
    }

    /// The sources of revocation that are read.
    package enum Revocation: Hashable, Sendable {
        /// No source is; revocation is the task of the application.
        case none
        /// The stapled response is, but no revocation list.
        case staples
        /// Both are.
        case all
    }

    /// The limits of a search: a peer may send certificates that are made to prolong it.
    package struct Limits: Hashable, Sendable {
        /// The largest number of certificates in a path, leaf and anchor included.
        package var depth = 20
        /// The largest number of paths that are validated.
        package var paths = 64
        /// The largest number of signatures that are checked; each pair of certificates counts once.
        package var signatures = 256
        /// The largest number of visits to certificates; a certificate counts once for each way that leads to it.
        package var steps = 1024
        /// The largest number of names that a certificate's names are compared with, for one kind of name.
        package var nameComparisons = 1 << 20
    }

    /// The name that users write.
    package let name: Name
    /// The seconds before its notBefore from which on a certificate counts as valid.
    package var earliness: Int64 = 0
    /// The order in which paths are tried.
    package var search = Search.allPaths
    /// The comparison of names between an issuer and its subject.
    package var issuerNames = NameComparison.text
    /// Whether an issuer is left out if its subjectKeyIdentifier differs from the authorityKeyIdentifier below it.
    package var comparesKeyIdentifiers = false
    /// The checks of anchors.
    package var anchors = AnchorRules()
    /// The checks of intermediate authorities.
    package var authorities = AuthorityRules()
    /// The checks of leaves.
    package var leaf = LeafRules()
    /// The critical extensions that are known, beyond those of `VerifierProfile/commonExtensions`.
    package var extensions: Set<ObjectID> = []
    /// The treatment of certificate policies.
    package var policies = Policies.processed
    /// The policy qualifiers that are refused.
    package var qualifiers = Qualifiers.knownOnly
    /// The treatment of name constraints.
    package var nameConstraints = NameConstraintRules()
    /// The treatment of keys and digests.
    package var algorithms = AlgorithmRules()
    /// The treatment of malformed certificates.
    package var forms = FormRules()
    /// The sources of revocation.
    package var revocation = Revocation.all
    /// Whether an OCSP response must be made while the certificate is valid: an earlier one can know nothing about it.
    package var checksResponseProduction = false
    /// The days for which an OCSP response without nextUpdate holds (RFC 6960 §2.4); `nil` if it never does.
    package var endlessResponseDays: Int?
    /// The certificate timestamps that are demanded below the CAs of the device's maker, if a list of logs is known;
    /// `nil` for none.
    package var transparency: TransparencyRules?
    /// The limits of a search.
    package var limits = Limits()

    /// Creates the settings of RFC 5280 under a name.
    package init(_ name: Name, _ change: (inout VerifierProfile) -> Void = { _ in }) {
        self.name = name
        change(&self)
    }

    /// Hashes the name alone, which tells nearly all profiles apart: every question to a verifier is hashed.
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// Whether OpenSSL itself verifies.
    package var isOpenSSL: Bool { name == .openssl || name == .opensslStrict }

    /// The critical extensions that every profile knows.
    static let commonExtensions: Set<ObjectID> = [
        .subjectKeyIdentifier, .keyUsage, .subjectAltName, .basicConstraints, .nameConstraints,
        .crlDistributionPoints, .certificatePolicies, .authorityKeyIdentifier, .extendedKeyUsage,
    ]
}
