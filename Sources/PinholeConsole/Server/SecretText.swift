/// The comparison of secrets.
package enum SecretText {
    /// Returns whether two texts are the same, in a time that does not depend on the content of the second one.
    package static func isSame(_ secret: some StringProtocol, _ candidate: some StringProtocol) -> Bool {
        let (own, other) = (Array(secret.utf8), Array(candidate.utf8))
        var difference = own.count ^ other.count
        for index in own.indices {
            difference |= Int(own[index] ^ (index < other.count ? other[index] : 0))
        }
        return difference == 0
    }
}
