/// The configuration file as it is, and as it would be with what counts now.
package struct SettingsFile: Sendable, Encodable {
    private enum CodingKeys: CodingKey { case path, exists, fingerprint, before, after }

    /// The file.
    package let path: String
    /// Whether it is there.
    let exists: Bool
    /// Tells this content from every other: who writes says which one was seen.
    package let fingerprint: String
    /// What it says.
    let before: String
    /// What it would say; the same where nothing is to be kept.
    package let after: String

    /// Takes both texts.
    package init(path: String, exists: Bool, fingerprint: String, before: String, after: String) {
        self.path = path
        self.exists = exists
        self.fingerprint = fingerprint
        self.before = before
        self.after = after
    }
}
