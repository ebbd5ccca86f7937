package import PinholeModel

extension ClientHelloRecord {
    /// The client's fingerprint by FoxIO's JA4, such as `t13d1516h2_8daaf6152771_02713d6af862`.
    ///
    /// The text has three parts (https://github.com/FoxIO-LLC/ja4, technical_details/JA4.md): the offer in short, a hash of the
    /// cipher suites, and a hash of the extensions and signature schemes. Suites and extensions are sorted, because
    /// clients permute them. The record has no GREASE values (RFC 8701), which JA4 ignores.
    package var computedJA4: String {
        let isNamed = extensions.contains(Self.serverNameExtension)
        let offer =
            "t\(Self.text(ofVersion: versions.max()))\(isNamed ? "d" : "i")\(Self.count(cipherSuites))"
            + "\(Self.count(extensions))\(Self.ends(of: applicationProtocols.first))"
        let hashed = extensions.filter { $0 != Self.serverNameExtension && $0 != Self.protocolExtension }
        let schemes = signatureSchemes.isEmpty ? "" : "_\(Self.list(signatureSchemes))"
        return "\(offer)_\(Self.hash(Self.list(cipherSuites.sorted())))"
            + "_\(Self.hash(Self.list(hashed.sorted()) + schemes))"
    }

    /// server_name (RFC 6066 §3), which counts and is not hashed.
    private static let serverNameExtension: UInt16 = 0
    /// application_layer_protocol_negotiation (RFC 7301), which counts and is not hashed.
    private static let protocolExtension: UInt16 = 16

    private static func text(ofVersion version: UInt16?) -> String {
        switch version {
        case 0x0304: "13"
        case 0x0303: "12"
        case 0x0302: "11"
        case 0x0301: "10"
        case 0x0300: "s3"
        case 0x0002: "s2"
        default: "00"
        }
    }

    /// Two digits, at most 99.
    private static func count(_ values: [UInt16]) -> String {
        let text = String(min(values.count, 99))
        return text.count < 2 ? "0" + text : text
    }

    /// The first and the last character of a protocol; those of its hexadecimal form if one is no letter or digit of
    /// ASCII, and `00` without a protocol.
    private static func ends(of name: String?) -> String {
        guard let name, let first = name.utf8.first, let last = name.utf8.last else { return "00" }
        let isPlain = [first, last].allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
            default: false
            }
        }
        guard !isPlain else { return String(decoding: [first, last], as: UTF8.self) }
        return String(first >> 4, radix: 16) + String(last & 0x0f, radix: 16)
    }

    /// Four hexadecimal digits each, between commas.
    private static func list(_ values: [UInt16]) -> String {
        values.map { Hexadecimal.encode([UInt8($0 >> 8), UInt8($0 & 0xff)]) }.joined(separator: ",")
    }

    /// The first twelve hexadecimal digits of the SHA-256; zeros for an empty text.
    private static func hash(_ text: String) -> String {
        guard !text.isEmpty else { return "000000000000" }
        return Hexadecimal.encode(Array(Digest.sha256(Array(text.utf8)).prefix(6)))
    }
}
