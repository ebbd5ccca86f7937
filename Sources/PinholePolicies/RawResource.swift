import PinholeTrust

/// A raw resource of an Android app, `@raw/name`: a file whose extension the name omits.
struct RawResource {
    /// The possible places of the folder `raw`, seen from the folder of the document.
    ///
    /// The document is `res/xml/…` and the resource `res/raw/…`, or all files are in one folder.
    private static let folders = ["../raw", "."]
    private static let endings = ["pem", "crt", "cer", "der", "0"]

    /// The reference as the document writes it.
    let reference: String
    private let name: Substring

    /// Reads a reference; `nil` if it is the path of a file.
    init?(_ reference: String) {
        guard reference.hasPrefix("@") else { return nil }
        self.reference = reference
        name = reference.split(separator: "/").last ?? ""
    }

    /// The possible paths of the resource, from the folder of the document, the most likely first.
    var candidates: [String] {
        Self.folders.flatMap { folder in Self.endings.map { "\(folder)/\(name).\($0)" } }
    }

    /// The failure if the resource is at none of these paths.
    var missing: PolicyFailure {
        PolicyFailure("expected \(reference) as ../raw/\(name).pem (or .crt, .cer, .der), found no such file")
    }
}
