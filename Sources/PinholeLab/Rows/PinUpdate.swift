import PinholeCrypto
import PinholeModel
import PinholeTrust

/// The way in which an app gets new pins without a new version of itself.
package enum PinUpdate: String, Sendable, CaseIterable {
    /// Accepts every pin update that comes over a connection that the system trusts: wrong, for the lab.
    case asItComes
    /// Accepts a pin update only if the app's publisher signed it, whatever channel delivered it.
    case signed

    /// The path at which the app asks for new pins.
    static let path = "/pins"

    /// Makes a document with new pins: a line for each, and a last line with the signature over them.
    ///
    /// - Parameters:
    ///   - digests: The SHA-256 of each key.
    ///   - signature: The signature over the lines before it; empty for none.
    /// - Returns: The document.
    static func document(_ digests: [[UInt8]], signature: [UInt8]) -> [UInt8] {
        let lines = digests.map { "pin \(Base64.encode($0))\n" }
        return Array((lines.joined() + "signature \(Base64.encode(signature))\n").utf8)
    }

    /// Returns the pins that the app takes from a document; `nil` if the app refuses the document.
    ///
    /// - Parameters:
    ///   - document: The document that came.
    ///   - publisher: The key of the app's publisher.
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
