/// What is the case in a scenario, without any policy: what a prediction starts from.
///
/// They are written down and not computed: what is computed from the stage would hold its mistakes. A test
/// compares them with the certificates of the stage.
struct ScenarioFacts: Hashable, Sendable {
    /// What an attack turns on besides certificates.
    enum Trick: Hashable, Sendable, CaseIterable {
        /// The handshake is signed with another key than the certificate's.
        case forgedHandshake
        /// Somebody changes the ClientHello, and both ends notice.
        case changedHandshake
        /// Somebody puts records into the handshake that have no business there.
        case strayRecord
        /// No handshake ever ends.
        case droppedHandshake
        /// The answer ends before its length.
        case cutAnswer
        /// A proxy answers in the place of the tunnel.
        case answerWithoutTLS
        /// Nothing but anonymous ciphers is spoken; there is no certificate.
        case anonymousCipher
        /// Nothing newer than TLS 1.1 is spoken.
        case oldVersion
        /// Nothing but ciphers that do not encrypt is spoken.
        case cleartextCipher
        /// The app's URL begins with http.
        case cleartext
        /// The server leads from https to http.
        case redirectToCleartext
        /// The server names another one that is said to serve the same.
        case alternativeService
        /// Somebody asks for a name and a password who is to get none.
        case asksForPassword
        /// The session was made by a client that checks nothing.
        case resumption
        /// The same, and the session permits early data.
        case earlyData
        /// Reports of mismatches arrive.
        case reportsArrive
        /// The connection to the first server is good for the second host as well, by its name.
        case sharedConnection
        /// The app is about to get new pins, and the attacker has some for it.
        case pinUpdate
        /// Nobody asks for the client's certificate.
        case unaskedClientCertificate
        /// The server wants a client certificate, which the man in the middle cannot use.
        case relayedClientCertificate
        /// The request goes on to the server over another connection.
        case relayedRequest
    }

    /// The connections whose server the client judges; one that it refuses is enough.
    var encounters: [Encounter]
    /// What the attack turns on besides.
    var trick: Trick?
    /// Whether the client has never met the server before.
    var isFirstContact = false
    /// Whether the date is past that on which pins of the lab expire (``LabWorld/pinExpiry``).
    var isAfterPinExpiry = false

    /// Creates facts.
    init(_ encounters: Encounter..., trick: Trick? = nil) {
        self.encounters = encounters
        self.trick = trick
    }
}
