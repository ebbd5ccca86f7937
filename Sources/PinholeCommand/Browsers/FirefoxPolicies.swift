import PinholeModel

/// The policies file of Firefox, with a CA that the browser installs in each profile.
enum FirefoxPolicies {
    /// The folders in which Firefox on Linux looks for `policies.json`; the first file counts.
    static let folders =
        ["/etc/firefox/policies"]
        + ["/usr/lib/firefox-esr", "/usr/lib/firefox", "/usr/lib64/firefox", "/opt/firefox"].map {
            "\($0)/distribution"
        }

    /// Returns a policies file that installs a CA.
    ///
    /// - Parameters:
    ///   - authority: The path of the CA's certificate in PEM.
    ///   - text: The policies that already hold; `nil` for none.
    /// - Returns: The content of the file.
    static func adding(_ authority: String, to text: [UInt8]?) -> [UInt8] {
        let old = text.flatMap { try? JSONValue(parsing: $0) }
        let installed = old?["policies"]?["Certificates"]?["Install"]
        var files: [JSONValue] = if case .array(let values) = installed { values } else { [] }
        files.append(.string(authority))
        let certificates = (old?["policies"]?["Certificates"]).adding("Install", .array(files))
        var written = JSONText()
        written.value(old.adding("policies", (old?["policies"]).adding("Certificates", certificates)))
        return written.bytes
    }
}

extension JSONValue? {
    /// Returns an object with one more member; a value that is no object counts as an empty one.
    fileprivate func adding(_ name: String, _ value: JSONValue) -> JSONValue {
        guard case .object(var members) = self else { return .object([name: value]) }
        members[name] = value
        return .object(members)
    }
}

extension JSONValue {
    /// The member of an object; `nil` if there is none.
    fileprivate subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }
}
