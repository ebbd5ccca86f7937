import PinholeModel

/// Media types of what pages consist of: `~a`.
package enum AssetType {
    private static let types = [
        "text/javascript", "application/x-javascript", "application/javascript", "text/css",
        "application/font", "application/x-font",
    ].map { Array($0.utf8) }
    private static let kinds = ["image/", "font/"].map { Array($0.utf8) }

    /// Whether a page consists of such things.
    package static func includes(_ type: [UInt8]) -> Bool {
        (types + kinds).contains { CaseFolding.isEqual(type.prefix($0.count), $0) }
    }
}
