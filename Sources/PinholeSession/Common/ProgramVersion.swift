/// The version of Pinhole.
package enum ProgramVersion {
    /// The number by semantic versioning.
    ///
    /// CHANGELOG.md and debian/changelog begin with the same number; a repository test compares them.
    package static let number = "0.1.0"
}
