/// The configuration file as it is, and as it would be with the current settings.
package struct SettingsFile: Sendable, Encodable {
    private enum CodingKeys: CodingKey { case path, exists, fingerprint, before, after }

    /// The path of the file.
    package let path: String
    /// Whether the file exists.
    let exists: Bool
    /// The fingerprint of both texts; a request to write the file names the fingerprint that it saw.
    package let fingerprint: String
    /// The current text of the file.
    let before: String
    /// The text with the current settings; equal to ``before`` if there is nothing to keep.
    package let after: String

    /// Creates a preview from both texts.
    package init(path: String, exists: Bool, fingerprint: String, before: String, after: String) {
        self.path = path
        self.exists = exists
        self.fingerprint = fingerprint
        self.before = before
        self.after = after
    }
}
