/// Something that is wrong, or not good, about a policy document.
package struct LintFinding: Hashable, Sendable {
    /// What it is, as one word for machines.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The document cannot be read, or its mechanism refuses it.
        case unreadable
        /// A pin that is no Base64, or in another mechanism's notation.
        case notAPin
        /// A pin that has not the length of its digest.
        case wrongLength
        /// The same pin twice.
        case duplicate
        /// One pin only.
        case noBackup
        /// Every pin is in the chain that is in use: none of them is a spare key.
        case backupInUse
        /// No pin at all.
        case noPins
        /// The pins have expired: nothing is pinned.
        case expired
        /// The pins expire within 30 days.
        case expiresSoon
        /// The hash of a raw key, which is never equal to an SPKI pin.
        case rawKey
        /// A domain that none of the given hosts matches.
        case matchesNothing
        /// A domain that no host can match.
        case neverMatches
        /// Pins whose host the document does not say itself.
        case hostNotLiteral
        /// Mismatches are reported and let pass.
        case notEnforced
        /// Header or policy that only reports.
        case reportOnly
        /// Some anchors pass without a pin.
        case overridden
        /// Subdomains of a public suffix.
        case publicSuffix
        /// Whole certificates are compared, so that a renewal breaks the pin.
        case leafCertificate
        /// A CA is pinned, and the host is not checked (the Spinner hole).
        case authorityWithoutHost
        /// Chains that are not valid are accepted.
        case invalidAllowed
        /// There are pins that the mechanism never looks at.
        case pinsIgnored
        /// No pin matches the given chain.
        case noMatch
        /// Something that the mechanism does not know and skips.
        case ignored
        /// Written otherwise than documented, and taken all the same.
        case unusualNotation
        /// There are more findings than are told.
        case leftOut
        /// http is allowed.
        case cleartext
        /// CAs that the user installed are trusted.
        case userAnchors
        /// App Transport Security is switched off or weakened.
        case weakTransport
        /// A digest that most mechanisms do not take any more.
        case weakDigest
        /// A stapled OCSP response is asked of every server.
        case staple
        /// More certificate timestamps are asked for than CAs give.
        case timestamps
        /// Everything is accepted.
        case acceptsEverything
    }

    /// How bad it is.
    package enum Severity: String, Hashable, Sendable, CaseIterable {
        /// The document does not do what it is for.
        case error
        /// It does, and will break or is weaker than it looks.
        case warning
        /// Worth knowing.
        case hint
    }

    /// What it is.
    package let code: Code
    /// How bad it is.
    package let severity: Severity
    /// Where: the keys or elements from the root, with slashes; empty for the whole document.
    package let path: String
    /// What was found, in a sentence.
    package let sentence: String
    /// What to do, in a sentence.
    package let remedy: String

    /// Creates a finding.
    package init(_ code: Code, _ severity: Severity, at path: String, _ sentence: String, remedy: String) {
        self.code = code
        self.severity = severity
        self.path = path
        self.sentence = sentence
        self.remedy = remedy
    }
}
