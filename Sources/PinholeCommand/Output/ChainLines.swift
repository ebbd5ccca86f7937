import PinholeCrypto
import PinholeModel
import PinholeSession

/// A certificate chain as lines.
enum ChainLines {
    /// Returns four lines for each certificate, leaf first.
    static func lines(_ chain: [[UInt8]]) -> [String] {
        chain.enumerated().flatMap { index, der in
            guard let certificate = try? Certificate(der: der) else {
                return ["\(index) cannot be read (\(der.count) bytes)"]
            }
            var names = certificate.subjectAlternativeNames.prefix(3).map(\.description)
            if certificate.subjectAlternativeNames.count > 3 { names.append("…") }
            var lines = [
                "\(index) \(certificate.subject)",
                "  by \(certificate.isSelfSigned ? "itself" : certificate.issuer)",
                "  \(certificate.keyDescription), until \(certificate.notAfter.iso8601)",
                "  \(certificate.pin)",
            ]
            if !names.isEmpty { lines.insert("  for \(names.joined(separator: ", "))", at: 1) }
            return lines.map(Plain.printable)
        }
    }
}
