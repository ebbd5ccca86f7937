package import PinholeCrypto
import PinholeModel

/// The source of everything that differs from one student's world to another's: names, tokens, keys and days.
///
/// All values are derived from the student's name by HMAC, so that a teacher can compute the answers without the
/// student's files. With a secret of the teacher, only the teacher can.
package struct ClassSeed: Sendable {
    /// The name of the student, which makes the world.
    package let student: String
    private let key: [UInt8]

    /// Creates the seed of a student.
    ///
    /// - Parameters:
    ///   - student: The name of the student.
    ///   - secret: The secret of the teacher; empty for none.
    package init(_ student: String, secret: [UInt8] = []) {
        self.student = student
        key = Digest.hmacSHA256(Array(student.utf8), key: Array("pinhole class 1\n".utf8) + secret)
    }

    /// Creates a seed from its key, which a world keeps in its folder instead of the teacher's secret.
    package init(_ student: String, key: [UInt8]) {
        self.student = student
        self.key = key
    }

    /// The key from which all values are derived.
    package var material: [UInt8] { key }

    /// Returns 32 bytes that belong to a label.
    package func bytes(_ label: String) -> [UInt8] { Digest.hmacSHA256(Array(label.utf8), key: key) }

    /// Returns a number below `bound` that belongs to a label.
    package func number(_ label: String, below bound: Int) -> Int {
        let value = bytes(label).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(value % UInt64(max(1, bound)))
    }

    /// Returns one of `choices`.
    package func pick<Choice>(_ label: String, _ choices: [Choice]) -> Choice {
        choices[number(label, below: choices.count)]
    }

    /// Returns `list` in an order that belongs to a label.
    package func shuffled<Element>(_ label: String, _ list: [Element]) -> [Element] {
        list.indices.map { (order: Hexadecimal.encode(bytes("\(label) \($0)")), index: $0) }
            .sorted { $0.order < $1.order }.map { list[$0.index] }
    }

    /// Returns a word of letters and digits that nobody guesses.
    package func token(_ label: String, length: Int = 12) -> String {
        let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
        return String(bytes(label).prefix(length).map { letters[Int($0) % letters.count] })
    }

    /// Returns the key on P-256 that belongs to a label.
    package func privateKey(_ label: String) throws(CryptoFailure) -> PrivateKey {
        try .p256(scalar: bytes("key \(label)"))
    }

    /// Returns the name of a file that does not tell what the file has.
    func fileName(_ label: String) -> String { Hexadecimal.encode(Array(bytes("file \(label)").prefix(8))) }

    /// Whether a text has the form of a name that ``fileName(_:)`` returns.
    static func isFileName(_ text: Substring) -> Bool {
        text.utf8.count == 16 && text.allSatisfy { ("0"..."9").contains($0) || ("a"..."f").contains($0) }
    }

    /// Whether a text can be the name of a student, and so of a file.
    package static func isName(_ text: String) -> Bool {
        // The file `class.json` has the state of the class.
        !text.isEmpty && text.utf8.count <= 64 && !text.hasPrefix(".") && text.lowercased() != "class"
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "-_.".unicodeScalars.contains(scalar)
            }
    }
}
