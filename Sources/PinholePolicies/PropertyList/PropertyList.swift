package import PinholeTrust

/// Property lists, in XML and binary, as `plutil` and Xcode write them.
///
/// The old text format and JSON are not read; `plutil -convert xml1 FILE` converts.
package enum PropertyList {
    /// The deepest nesting.
    static let depth = 64
    /// The most values; a shared value is counted at each use.
    static let values = 100_000
    /// The most bytes of strings and data; shared ones are counted at each use.
    static let content = 16 << 20
    /// The largest file.
    package static let bytes = 4 << 20

    /// Reads a property list.
    ///
    /// - Parameter bytes: The file.
    /// - Returns: Its root.
    /// - Throws: ``PolicyFailure`` with the place of the fault.
    package static func read(_ bytes: [UInt8]) throws(PolicyFailure) -> PropertyListValue {
        guard bytes.count <= Self.bytes else {
            throw PolicyFailure(
                "expected a property list of at most \(Self.bytes) bytes, found \(bytes.count)"
            )
        }
        if bytes.starts(with: "bplist".utf8) { return try BinaryPropertyList.read(bytes) }
        var bounds = MarkupReader.Bounds()
        bounds.bytes = Self.bytes
        bounds.depth = Self.depth
        bounds.elements = Self.values
        bounds.skipsDocumentType = true
        return try XMLPropertyList.read(try MarkupReader.read(bytes, bounds: bounds))
    }
}
