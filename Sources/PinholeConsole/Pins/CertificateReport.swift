import PinholeCrypto
import PinholeFormats
import PinholeModel

/// A certificate in full, with the pins of its key in every notation.
struct CertificateReport: Codable {
    struct Key: Codable {
        let type: String
        let bits: Int?
        let description: String

        init(_ description: String) {
            self.description = description
            let parts = description.split(separator: " ")
            if parts.count == 2, let bits = Int(parts[1]) {
                (type, self.bits) = (String(parts[0]), bits)
            } else if description.hasPrefix("P-"), let bits = Int(description.dropFirst(2)) {
                (type, self.bits) = ("EC", bits)
            } else {
                (type, bits) = (description, nil)
            }
        }
    }

    struct Extension: Codable {
        let oid: String
        let name: String
        let critical: Bool
        let text: String
    }

    let subject: String
    let issuer: String
    let names: [String]
    let serial: String
    let notBefore: String
    let notAfter: String
    let key: Key
    let signature: String
    let sha256: String
    let derBase64: String
    let extensions: [Extension]
    let pins: [String: String]
    /// The reason why the bytes could not be read as a certificate; `nil` if they could.
    let trouble: String?

    /// Creates the report of a certificate.
    ///
    /// - Parameters:
    ///   - der: The certificate in DER.
    ///   - place: The position in the presented chain, from 0.
    ///   - count: The number of certificates in the chain.
    ///   - authority: The requested host and port.
    init(_ der: [UInt8], place: Int, of count: Int, authority: Authority?) {
        derBase64 = Base64.encode(der)
        do throws(CryptoFailure) {
            let certificate = try Certificate(der: der)
            subject = certificate.subject
            issuer = certificate.issuer
            names = certificate.subjectAlternativeNames.map(\.description)
            serial = certificate.serial
            notBefore = certificate.notBefore.iso8601
            notAfter = certificate.notAfter.iso8601
            key = Key(certificate.keyDescription)
            signature = certificate.signatureAlgorithm
            sha256 = Hexadecimal.encode(certificate.fingerprintSHA256)
            extensions = certificate.extensions.map {
                Extension(oid: $0.identifier, name: $0.name, critical: $0.isCritical, text: $0.text)
            }
            pins = Self.pins(certificate, place: place, of: count, authority)
            trouble = nil
        } catch {
            (subject, issuer, names, serial, notBefore, notAfter) = ("", "", [], "", "", "")
            (key, signature, sha256, extensions, pins) = (Key("unknown"), "", "", [], [:])
            trouble = "it cannot be read: \(error)"
        }
    }

    private static func pins(
        _ certificate: Certificate,
        place: Int,
        of count: Int,
        _ authority: Authority?
    ) -> [String: String] {
        var key = PinnedKey(
            certificate,
            place: place,
            of: count,
            isPresented: true,
            source: "",
            host: authority?.host
        )
        if let authority { key.port = authority.port }
        var pins: [String: String] = ["certificate-sha256": Hexadecimal.encode(certificate.fingerprintSHA256)]
        for notation in PinNotation.allCases where !notation.takesNamesOnly || key.host?.address == nil {
            pins[name(of: notation, key.role)] =
                notation.isLine ? notation.line(key) : notation.snippet([key], host: key.host)
        }
        return pins
    }

    private static func name(of notation: PinNotation, _ role: PinnedKey.Role) -> String {
        switch notation {
        case .base64: "spki-sha256"
        case .hex: "spki-sha256-hex"
        case .apple: "ios-ats"
        case .tlsa: role == .leaf || role == .key ? "tlsa-3-1-1" : "tlsa-2-1-1"
        case .raw: "raw-key-sha256"
        case .okhttp, .trustkit, .android, .curl, .hpkp, .afnetworking, .alamofire: notation.rawValue
        }
    }
}
