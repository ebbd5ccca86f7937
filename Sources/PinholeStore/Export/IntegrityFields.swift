/// Header fields that hold for one body alone, so that an edited body would be refused with them.
package enum IntegrityFields {
    /// Whether a field, named in lower case, is a digest of the body (RFC 9530, RFC 3230, RFC 1864).
    package static func contain(_ name: String) -> Bool {
        ["content-md5", "content-digest", "repr-digest", "digest"].contains(name)
    }

    /// Returns the remark on a field that was left out.
    package static func remark(_ name: String) -> String {
        "\(name) is left out, because it holds for the recorded body alone"
    }
}
