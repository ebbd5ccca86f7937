import PinholeCrypto
import PinholeModel
import PinholeTrust

/// How an app gets new pins without a new version of itself.
package enum PinUpdate: String, Sendable, CaseIterable {
    /// Whatever comes over a connection that the system trusts: wrong, for the lab.
    case asItComes
    /// What those signed who publish the app, whoever it came from.
    case signed

    /// What is asked for new pins.
    static let path = "/pins"

    /// A document with new pins: a line for each, and a last one with the signature over them.
    ///
    /// - Parameters:
    ///   - digests: The SHA-256 of each key.
    ///   - signature: The signature over the lines before it; empty for none.
    /// - Returns: The document.
    static func document(_ digests: [[UInt8]], signature: [UInt8]) -> [UInt8] {
        let lines = digests.map { "pin \(Base64.encode($0))\n" }
        return Array((lines.joined() + "signature \(Base64.encode(signature))\n").utf8)
    }

    /// The pins that the app takes over from a document; `nil` where it does not take them.
    ///
    /// - Parameters:
    ///   - document: What came.
    ///   - publisher: The key of those who publish the app.
    /// - Returns: The pins.
    func pins(in document: [UInt8], publisher: PrivateKey) -> [Pin]? {
        let lines = String(decoding: document, as: UTF8.self).split(separator: "\n")
        let pins = lines.filter { $0.hasPrefix("pin ") }.compactMap { line in
            Base64.decode(line.utf8.dropFirst(4)).flatMap { Pin(digest: $0) }
        }
        guard !pins.isEmpty else { return nil }
        guard self == .signed else { return pins }
        let signature = lines.last { $0.hasPrefix("signature ") }
            .flatMap { Base64.decode($0.utf8.dropFirst(10)) }
        let signed = Self.document(pins.map(\.digest), signature: [])
        guard let signature, PublicKey(of: publisher).hasSigned(signed, signature) else { return nil }
        return pins
    }
}
