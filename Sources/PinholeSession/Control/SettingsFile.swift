package import PinholeModel

/// The configuration file as it is, and as it would be with the current settings.
package struct SettingsFile: Sendable, Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("fingerprint", "Tells this content from every other."),
        FieldJSON("after", "The text with the current settings; the same if there is nothing to keep."),
    ]

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
}

/// The settings of a running proxy.
package struct ProxySettings: Sendable, Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("captureFilter", "The filter of what is recorded; empty for everything."),
        FieldJSON("captureFilterRemarks", "Possible mistakes in it."),
    ]

    /// A setting for users, without secrets.
    package struct Fact: Sendable, Codable {
        let name: String
        let value: String

        /// Creates a fact.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The settings that only a new start or another configuration changes.
    let facts: [Fact]
    /// The hosts that are not intercepted, as the configuration writes them.
    let passthrough: [String]
    /// The filter that selects what is recorded; empty for everything.
    package let captureFilter: String
    /// Possible mistakes in the capture filter.
    package var captureFilterRemarks: [String] = []
    /// The configuration file; `nil` for none.
    let file: String?

    /// Creates settings.
    package init(facts: [Fact], passthrough: [String], captureFilter: String, file: String?) {
        self.facts = facts
        self.passthrough = passthrough
        self.captureFilter = captureFilter
        self.file = file
    }
}

/// The part of the traffic that a proxy records.
package struct RecordingScope: Sendable, Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("filter", "A filter; empty for everything.")
    ]

    /// The filter that selects what is recorded; empty for everything.
    package let filter: String
    /// The number of exchanges that the filter left out.
    package let leftOut: Int64
}
