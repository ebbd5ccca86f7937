import PinholeModel

/// The limits on the resources that the import of a file may use.
package struct ImportLimits: Sendable {
    /// The largest number of bytes of text in one exchange: two bodies of 64 MiB in Base64 fit.
    ///
    /// An import needs about three times the memory of its largest exchange, whatever the length of the file.
    package var textBytes = 256 << 20
    /// The largest number of values in one exchange: about 200,000 messages of a WebSocket fit.
    package var values = 1_000_000
    /// The deepest nesting; a HAR has eight levels.
    package var depth = JSONReader.depthLimit
    /// The largest number of bytes of a message's head.
    package var headBytes = 1 << 20
    /// The largest number of reasons that are reported for exchanges that are left out.
    package var remarks = 10

    /// Creates the default limits.
    package init() {}

    /// The bounds on an exchange that is read as JSON.
    var json: JSONReader.Tolerance { .init(textBytes: textBytes, values: values) }
}

/// The settings for reading the exchanges of a file.
struct ImportSettings {
    let limits: ImportLimits
    /// The moment to use for a date that cannot be read.
    let fallback: Timestamp
    /// Converts host names to A-labels.
    let hostNames: (String) -> String
}
