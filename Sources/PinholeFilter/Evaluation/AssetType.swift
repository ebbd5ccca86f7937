import PinholeModel

/// The media types of a page's assets: scripts, style sheets, images and fonts (`~a`).
package enum AssetType {
    private static let types = [
        "text/javascript", "application/x-javascript", "application/javascript", "text/css",
        "application/font", "application/x-font",
    ].map { Array($0.utf8) }
    private static let kinds = ["image/", "font/"].map { Array($0.utf8) }

    /// Whether `type` is the media type of an asset.
    package static func includes(_ type: [UInt8]) -> Bool {
        (types + kinds).contains { CaseFolding.isEqual(type.prefix($0.count), $0) }
    }
}
