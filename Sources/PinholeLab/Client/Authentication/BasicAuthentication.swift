import PinholeModel

/// HTTP Basic (RFC 7617).
enum BasicAuthentication {
    /// The value of Authorization; name and password in UTF-8, which RFC 7617 §2.1 recommends.
    ///
    /// - Parameters:
    ///   - user: The name.
    ///   - password: The password.
    /// - Returns: The value; `nil` where the name holds a colon, which would end it.
    static func authorization(user: String, password: String) -> String? {
        guard !user.utf8.contains(0x3a) else { return nil }
        return "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
    }
}
