import PinholeModel
import PinholeRuntime
import PinholeTrust

/// A line of a file of cases.
struct JudgeCase {
    /// The name of the mechanism.
    let mechanism: String
    /// The mechanism's settings; `{}` if the case has none.
    let settings: JSONValue
    /// The host; `nil` for `null`.
    var host: Host?
    /// The files with the presented certificates, leaf first.
    let presented: [String]
    /// The files with the anchors.
    let anchors: [String]
    /// The moment of the judgement.
    let time: Timestamp
    /// OpenSSL's security level.
    var securityLevel: Int64 = 0
    /// The verifier; `nil` for the one of the command line or of the mechanism.
    var verifier: VerifierProfile?
    /// The file with the stapled OCSP response in DER.
    var staple: String?
    /// The file with the SignedCertificateTimestampList of the handshake.
    var timestamps: String?
    /// The files with revocation lists.
    var revocationLists: [String] = []

    /// Reads a line; unknown members are ignored.
    init(_ value: JSONValue) throws(DocumentFailure) {
        var object = try DocumentObject(value, path: "")
        var settings = JSONValue.object([:])
        mechanism = try object.require("mechanism", DocumentValue.word)
        try object.read("policy", into: &settings) { (value, _) throws(DocumentFailure) in value }
        self.settings = settings == .null ? .object([:]) : settings
        presented = try object.require("presented", Self.paths)
        anchors = try object.require("anchors", Self.paths)
        time = try object.require("time", Self.time)
        try object.read("host", into: &host, DocumentValue.optional(Self.host))
        try object.read("authLevel", into: &securityLevel, DocumentValue.integer(in: 0...5))
        var name: VerifierProfile.Name?
        try object.read(
            "verifier",
            into: &name,
            DocumentValue.optional(DocumentValue.choice(VerifierProfile.Name.self))
        )
        verifier = name.map(VerifierProfile.named)
        try object.read("staple", into: &staple, DocumentValue.optional(DocumentValue.word))
        try object.read("timestamps", into: &timestamps, DocumentValue.optional(DocumentValue.word))
        try object.read("revocationLists", into: &revocationLists, Self.paths)
    }

    private static func paths(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> [String] {
        try DocumentValue.list(DocumentValue.word)(value, path)
    }

    private static func host(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Host {
        let read = DocumentValue.parsed { (text) throws(AddressFailure) in
            let ascii = InternationalName.ascii(text)
            // A name without an A-label reaches a verifier as it is, and no certificate names it.
            let isNobodys = !ascii.utf8.allSatisfy { $0 < 0x80 } && !ascii.contains(where: \.isWhitespace)
            return isNobodys ? .name(ascii) : try Host(ascii)
        }
        return try read(value, path)
    }

    private static func time(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Timestamp {
        try DocumentValue.parsed(RFC3339.read)(value, path)
    }
}
