import PinholeTrust

/// A raw resource of an Android app, `@raw/name`: a file whose ending the name leaves out.
struct RawResource {
    /// Where the folder `raw` is, from the folder of the document: `res/xml/…` and `res/raw/…`, or all in one.
    private static let folders = ["../raw", "."]
    private static let endings = ["pem", "crt", "cer", "der", "0"]

    /// The reference as the document writes it.
    let reference: String
    private let name: Substring

    /// Reads a reference; `nil` for what is the path of a file.
    init?(_ reference: String) {
        guard reference.hasPrefix("@") else { return nil }
        self.reference = reference
        name = reference.split(separator: "/").last ?? ""
    }

    /// Where it may be, from the folder of the document, the most likely place first.
    var candidates: [String] {
        Self.folders.flatMap { folder in Self.endings.map { "\(folder)/\(name).\($0)" } }
    }

    /// What is said when it is in none of these places.
    var missing: PolicyFailure {
        PolicyFailure("expected \(reference) as ../raw/\(name).pem (or .crt, .cer, .der), found no such file")
    }
}
