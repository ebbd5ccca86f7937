import PinholeModel

/// HTTP Basic (RFC 7617).
enum BasicAuthentication {
    /// Returns the value of Authorization; name and password are in UTF-8, which RFC 7617 §2.1 recommends.
    ///
    /// - Returns: The value; `nil` if the name contains a colon, which separates it from the password.
    static func authorization(user: String, password: String) -> String? {
        guard !user.utf8.contains(0x3a) else { return nil }
        return "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
    }
}
