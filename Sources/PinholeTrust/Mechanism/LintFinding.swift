/// A fault or weakness of a policy document.
package struct LintFinding: Hashable, Sendable {
    /// The kind of a finding, as one word for programs.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The document cannot be read, or its mechanism refuses it.
        case unreadable
        /// A pin is not Base64, or is in another mechanism's notation.
        case notAPin
        /// A pin does not have the length of its digest.
        case wrongLength
        /// A pin occurs twice.
        case duplicate
        /// There is only one pin.
        case noBackup
        /// All pins are in the chain that is in use, so none is a spare key.
        case backupInUse
        /// There is no pin.
        case noPins
        /// The pins have expired, so nothing is pinned.
        case expired
        /// The pins expire within 30 days.
        case expiresSoon
        /// A pin is the hash of a raw key, which never equals an SPKI pin.
        case rawKey
        /// A domain matches none of the given hosts.
        case matchesNothing
        /// A domain cannot match any host.
        case neverMatches
        /// The document does not name the host of the pins directly.
        case hostNotLiteral
        /// The document does not show a pin.
        case pinNotLiteral
        /// No reader reads the code by which the file decides what a client trusts.
        case notJudged
        /// A host that must be pinned is not.
        case notPinned
        /// Mismatches are only reported.
        case notEnforced
        /// A header or policy only reports.
        case reportOnly
        /// Some anchors pass without a pin.
        case overridden
        /// A public suffix is pinned with its subdomains.
        case publicSuffix
        /// Whole certificates are compared, so a renewal breaks the pin.
        case leafCertificate
        /// A CA is pinned but the host is not checked (the Spinner hole).
        case authorityWithoutHost
        /// Invalid chains are accepted.
        case invalidAllowed
        /// The mechanism ignores some pins.
        case pinsIgnored
        /// No pin matches the given chain.
        case noMatch
        /// The mechanism ignores an unknown part.
        case ignored
        /// A notation differs from the documented one but is accepted.
        case unusualNotation
        /// Further findings were left out.
        case leftOut
        /// Plain http is permitted.
        case cleartext
        /// CAs that the user installed are trusted.
        case userAnchors
        /// App Transport Security is disabled or weakened.
        case weakTransport
        /// A digest is used that most mechanisms no longer accept.
        case weakDigest
        /// Every server must staple an OCSP response.
        case staple
        /// More certificate timestamps are required than CAs provide.
        case timestamps
        /// Every server is accepted.
        case acceptsEverything
    }

    /// The severity of a finding.
    package enum Severity: String, Hashable, Sendable, CaseIterable {
        /// The document does not do what it is for.
        case error
        /// The document works, but will break or is weaker than it looks.
        case warning
        /// The document does not decide the question: code would have to be run, or other files read.
        ///
        /// Such a finding is neither a fault nor a proof. The verdict on its file is “not proven”.
        case unproven
        /// The finding is only information.
        case hint
    }

    /// The kind of the finding.
    package let code: Code
    /// The severity of the finding.
    package let severity: Severity
    /// The place: the keys or elements from the root, separated by slashes; empty for the whole document.
    package let path: String
    /// The finding in a sentence.
    package let sentence: String
    /// The remedy in a sentence.
    package let remedy: String

    /// Whether the document is at fault.
    package var isFault: Bool { severity == .error || severity == .warning }

    /// Creates the finding of a document that does not do what it is for.
    package static func error(_ code: Code, at path: String, _ sentence: String, remedy: String) -> Self {
        Self(code, .error, at: path, sentence, remedy: remedy)
    }

    /// Creates the finding of a document that will break, or is weaker than it looks.
    package static func warning(_ code: Code, at path: String, _ sentence: String, remedy: String) -> Self {
        Self(code, .warning, at: path, sentence, remedy: remedy)
    }

    /// Creates a finding that is only information.
    package static func hint(_ code: Code, at path: String, _ sentence: String, remedy: String) -> Self {
        Self(code, .hint, at: path, sentence, remedy: remedy)
    }

    /// Creates a finding.
    package init(_ code: Code, _ severity: Severity, at path: String, _ sentence: String, remedy: String) {
        self.code = code
        self.severity = severity
        self.path = path
        self.sentence = sentence
        self.remedy = remedy
    }
}
